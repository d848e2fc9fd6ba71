"""Precision, recall and F0.5 of corrections, sentence-exact rate, false alarms, bootstrap intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tutor.evaluation.errant_edits import VERB_TYPES, VerbEdit, verb_edits

KINDS = tuple(sorted(VERB_TYPES))
_RESAMPLES = 1000


@dataclass(frozen=True, slots=True)
class Counts:
    """True positives, false positives and false negatives, and the rates made of them."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    @property
    def precision(self) -> float:
        """Share of the edits made that are right; 1 if none was made."""
        return self.tp / (self.tp + self.fp) if self.tp + self.fp else 1.0

    @property
    def recall(self) -> float:
        """Share of the edits due that were made; 1 if none was due."""
        return self.tp / (self.tp + self.fn) if self.tp + self.fn else 1.0

    def f(self, beta: float = 0.5) -> float:
        """Return the F measure; at 0.5 precision weighs twice as much as recall."""
        weighed = (1 + beta**2) * self.tp
        total = weighed + self.fp + beta**2 * self.fn
        return weighed / total if total else 1.0

    def __add__(self, other: Counts) -> Counts:
        """Return the sums."""
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a hypothesis got right and wrong in one sentence.

    Attributes
    ----------
    counts : dict of str to Counts
        By kind of verb edit.
    exact : bool
        Whether the hypothesis is one of the references to the letter.
    was_correct, changed : bool
        Whether the source needed no change, and whether it was changed.
    """

    counts: dict[str, Counts]
    exact: bool
    was_correct: bool
    changed: bool


def outcome(source: str, hypothesis: str, references: Sequence[str]) -> Outcome:
    """Compare a hypothesis with the reference that fits it best.

    Parameters
    ----------
    source : str
        The sentence as written.
    hypothesis : str
        The sentence as corrected; the source itself if it was left alone.
    references : sequence of str
        The accepted corrections, at least one.

    Raises
    ------
    ValueError
        If there is no reference.
    """
    if not references:
        raise ValueError("no reference")
    made = verb_edits(source, hypothesis)
    options = [_by_kind(made, verb_edits(source, reference)) for reference in references]
    return Outcome(
        counts=max(options, key=_fit),
        exact=hypothesis in references,
        was_correct=set(references) == {source},
        changed=hypothesis != source,
    )


def _by_kind(made: frozenset[VerbEdit], due: frozenset[VerbEdit]) -> dict[str, Counts]:
    made_places, due_places = {edit.place for edit in made}, {edit.place for edit in due}
    counts = {kind: Counts() for kind in KINDS}
    for edit in due:
        counts[edit.kind] += Counts(tp=1) if edit.place in made_places else Counts(fn=1)
    for edit in made:
        if edit.place not in due_places:
            counts[edit.kind] += Counts(fp=1)
    return counts


def _fit(counts: dict[str, Counts]) -> tuple[float, int, int, int]:
    total = sum(counts.values(), Counts())
    return total.f(), total.tp, -total.fp, -total.fn


@dataclass(frozen=True, slots=True)
class Interval:
    """A rate with its bootstrap interval of 95%."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        """Return percentages: ``61.2 [57.0, 65.1]``."""
        return f"{100 * self.value:.1f} [{100 * self.low:.1f}, {100 * self.high:.1f}]"


@dataclass(frozen=True, slots=True)
class Scores:
    """Precision, recall and F0.5 of a selection of verb edits."""

    counts: Counts
    precision: Interval
    recall: Interval
    f05: Interval


@dataclass(frozen=True, slots=True)
class Report:
    """How well sentences were corrected.

    Attributes
    ----------
    sentences : int
        How many there were.
    all : Scores
        Over all verb edits.
    tense, other : Scores
        Tense, and agreement, form and inflection together; people agree least about tense.
    by_kind : dict of str to Scores
        Each kind by itself.
    exact : Interval
        Share of sentences that equal a reference to the letter.
    false_alarms : Interval or None
        Share of the correct sentences that were changed; None if there were none.
    """

    sentences: int
    all: Scores
    tense: Scores
    other: Scores
    by_kind: dict[str, Scores]
    exact: Interval
    false_alarms: Interval | None


def report(outcomes: Iterable[Outcome], *, seed: int = 0) -> Report:
    """Sum outcomes up.

    Parameters
    ----------
    outcomes : iterable of Outcome
        One a sentence, at least one.
    seed : int
        Seed of the bootstrap, which draws sentences with replacement 1,000 times.

    Raises
    ------
    ValueError
        If there is no outcome.
    """
    found = list(outcomes)
    if not found:
        raise ValueError("nothing to score")
    weights = _resampled(len(found), seed)
    correct = [each for each in found if each.was_correct]
    alarms = [[each.changed, 1] for each in correct]
    return Report(
        sentences=len(found),
        all=_scores(found, KINDS, weights),
        tense=_scores(found, ("TENSE",), weights),
        other=_scores(found, tuple(kind for kind in KINDS if kind != "TENSE"), weights),
        by_kind={kind: _scores(found, (kind,), weights) for kind in KINDS},
        exact=_interval(np.array([[each.exact, 1] for each in found]), _share, weights),
        false_alarms=_interval(np.array(alarms), _share, _resampled(len(alarms), seed)) if alarms else None,
    )


_Sums = NDArray[np.float64]


def _resampled(size: int, seed: int) -> NDArray[np.int64]:
    """Return how often each sentence is drawn: first once each, then in every resample."""
    drawn = np.random.default_rng(seed).multinomial(size, np.full(size, 1 / size), size=_RESAMPLES)
    return np.vstack([np.ones((1, size), dtype=np.int64), drawn])


def _scores(outcomes: list[Outcome], kinds: Sequence[str], weights: NDArray[np.int64]) -> Scores:
    per_sentence = [sum((each.counts[kind] for kind in kinds), Counts()) for each in outcomes]
    table = np.array([[counts.tp, counts.fp, counts.fn] for counts in per_sentence])
    return Scores(
        counts=sum(per_sentence, Counts()),
        precision=_interval(table, lambda s: _ratio(s[:, 0], s[:, 0] + s[:, 1]), weights),
        recall=_interval(table, lambda s: _ratio(s[:, 0], s[:, 0] + s[:, 2]), weights),
        f05=_interval(
            table, lambda s: _ratio(1.25 * s[:, 0], 1.25 * s[:, 0] + s[:, 1] + 0.25 * s[:, 2]), weights
        ),
    )


def _interval(
    table: NDArray[np.int64], rate: Callable[[_Sums], _Sums], weights: NDArray[np.int64]
) -> Interval:
    rates = rate((weights @ table).astype(np.float64))
    low, high = np.quantile(rates[1:], [0.025, 0.975])
    return Interval(float(rates[0]), float(low), float(high))


def _share(sums: _Sums) -> _Sums:
    return _ratio(sums[:, 0], sums[:, 1])


def _ratio(part: _Sums, whole: _Sums) -> _Sums:
    return np.divide(part, whole, out=np.ones_like(part), where=whole > 0)
