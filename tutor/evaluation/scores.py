"""Precision, recall and F0.5 of corrections, sentence-exact rate, false alarms, bootstrap intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tutor.evaluation.errant_edits import VERB_TYPES, VerbEdit, verb_edits
from tutor.evaluation.intervals import Draws, Interval, draws, interval, ratio, share

KINDS = tuple(sorted(VERB_TYPES))


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
    drawn = draws(len(found), seed)
    alarms = [(each.changed, 1) for each in found if each.was_correct]
    return Report(
        sentences=len(found),
        all=_scores(found, KINDS, drawn),
        tense=_scores(found, ("TENSE",), drawn),
        other=_scores(found, tuple(kind for kind in KINDS if kind != "TENSE"), drawn),
        by_kind={kind: _scores(found, (kind,), drawn) for kind in KINDS},
        exact=interval([(each.exact, 1) for each in found], share, drawn),
        false_alarms=interval(alarms, share, draws(len(alarms), seed)) if alarms else None,
    )


def _scores(outcomes: list[Outcome], kinds: Sequence[str], drawn: Draws) -> Scores:
    per_sentence = [sum((each.counts[kind] for kind in kinds), Counts()) for each in outcomes]
    table = [(counts.tp, counts.fp, counts.fn) for counts in per_sentence]
    return Scores(
        counts=sum(per_sentence, Counts()),
        precision=interval(table, lambda s: ratio(s[:, 0], s[:, 0] + s[:, 1]), drawn),
        recall=interval(table, lambda s: ratio(s[:, 0], s[:, 0] + s[:, 2]), drawn),
        f05=interval(
            table, lambda s: ratio(1.25 * s[:, 0], 1.25 * s[:, 0] + s[:, 1] + 0.25 * s[:, 2]), drawn
        ),
    )
