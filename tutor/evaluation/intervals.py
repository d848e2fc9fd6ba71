"""Bootstrap intervals of rates: sentences are drawn with replacement (Efron & Tibshirani 1993)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

_RESAMPLES = 1000

Sums = NDArray[np.float64]
"""Columns summed over the sentences of each resample: shape (resamples, columns)."""

Draws = NDArray[np.float64]
"""How often each sentence is in each resample: shape (resamples, sentences); the first one has each once."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A rate with its bootstrap interval of 95%."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        """Return percentages: ``61.2 [57.0, 65.1]``."""
        return f"{100 * self.value:.1f} [{100 * self.low:.1f}, {100 * self.high:.1f}]"


def draws(size: int, seed: int = 0) -> Draws:
    """Return how often each of `size` sentences is drawn: once each, then in each of 1,000 resamples."""
    drawn = np.random.default_rng(seed).multinomial(size, np.full(size, 1 / size), size=_RESAMPLES)
    return np.vstack([np.ones((1, size)), drawn])


def interval(table: ArrayLike, rate: Callable[[Sums], Sums], drawn: Draws) -> Interval:
    """Return a rate of sums over sentences, with its interval; resamples that hold nothing to rate are left out.

    A sample that holds nothing to rate counts as perfect.

    Parameters
    ----------
    table : array, shape (sentences, columns)
        A row of numbers for each sentence.
    rate : callable
        From the columns' sums, shape (resamples, columns), to the rate of each resample, shape (resamples,).
    drawn : array
        The resamples, from `draws`.
    """
    rates = rate(drawn @ np.asarray(table, dtype=np.float64))
    if np.isnan(rates[0]):
        return Interval(1.0, 1.0, 1.0)
    low, high = np.nanquantile(rates, [0.025, 0.975])
    return Interval(float(rates[0]), float(low), float(high))


def share(sums: Sums) -> Sums:
    """Return the first column over the second."""
    return ratio(sums[:, 0], sums[:, 1])


def ratio(part: Sums, whole: Sums) -> Sums:
    """Return the quotients; NaN where nothing is there to divide by."""
    return np.divide(part, whole, out=np.full_like(part, np.nan), where=whole > 0)
