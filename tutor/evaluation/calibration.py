"""Whether confidences can be believed: the reliability diagram and the expected calibration error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tutor.evaluation.intervals import Interval, Sums, draws, interval, ratio

BINS = 10

Confidence = tuple[float, bool]
"""The probability that was given to an edit, and whether it is right."""


@dataclass(frozen=True, slots=True)
class Bin:
    """The edits whose confidence lies within a tenth.

    Attributes
    ----------
    low, high : float
        The bounds.
    edits : int
        How many there are.
    confidence : float
        Their mean confidence.
    right : float
        Share of them that is right.
    """

    low: float
    high: float
    edits: int
    confidence: float
    right: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """The reliability diagram of some edits.

    Attributes
    ----------
    edits : int
        How many there are.
    error : Interval
        Expected calibration error: the mean distance of confidence and share right over the bins, weighed by their edits
        (Guo et al. 2017).
    bins : tuple of Bin
        The bins that hold an edit.
    """

    edits: int
    error: Interval
    bins: tuple[Bin, ...]


def reliability(sentences: Sequence[Sequence[Confidence]], *, seed: int = 0) -> Reliability | None:
    """Return the reliability diagram of edits, or None if there are none.

    Parameters
    ----------
    sentences : sequence of sequences of Confidence
        The edits of each sentence.
    seed : int
        Seed of the bootstrap, which draws sentences.
    """
    table = np.zeros((len(sentences), 3, BINS))
    for row, edits in zip(table, sentences, strict=True):
        for confidence, right in edits:
            row[:, min(int(confidence * BINS), BINS - 1)] += confidence, right, 1
    confidences, rights, counts = table.sum(0)
    if not counts.any():
        return None
    return Reliability(
        edits=int(counts.sum()),
        error=interval(table.reshape(len(table), -1), _error, draws(len(table), seed)),
        bins=tuple(
            Bin(b / BINS, (b + 1) / BINS, int(count), confidences[b] / count, rights[b] / count)
            for b, count in enumerate(counts)
            if count
        ),
    )


def _error(sums: Sums) -> Sums:
    confidences, rights, counts = sums.reshape(len(sums), 3, BINS).transpose(1, 0, 2)
    return ratio(np.abs(confidences - rights).sum(1), counts.sum(1))
