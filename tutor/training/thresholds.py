"""The threshold of the choice: what each setting gives on held-out sentences, and which one to ship."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tutor.evaluation.scores import Counts, Outcome, outcome
from tutor.planner.choice import ChoiceWeights
from tutor.training.fit import HeldOut

_TIE = 0.0025  # a quarter of a point of F0.5, far inside the bootstrap interval
CONFIDENCES = tuple(round(0.3 + 0.05 * step, 2) for step in range(14))


@dataclass(frozen=True, slots=True)
class Setting:
    """A threshold and what it gives.

    Attributes
    ----------
    min_confidence : float
        As in `ChoiceWeights`.
    counts, other : Counts
        Verb edits, and those that are not of tense.
    false_alarms : dict of str to (int, int)
        Correct sentences changed and correct sentences in all, by set.
    """

    min_confidence: float
    counts: Counts
    other: Counts
    false_alarms: dict[str, tuple[int, int]]


@lru_cache(maxsize=200_000)
def _outcome(source: str, hypothesis: str, references: tuple[str, ...]) -> Outcome:
    return outcome(source, hypothesis, references)


def outcomes(held_out: Sequence[HeldOut], min_confidence: float) -> list[Outcome]:
    """Return what a threshold makes of held-out sentences."""
    threshold = ChoiceWeights(min_confidence=min_confidence)
    return [
        _outcome(
            each.sentence.source,
            each.sentence.corrected(threshold, each.probabilities),
            each.sentence.references,
        )
        for each in held_out
    ]


def measured(held_out: Sequence[HeldOut], min_confidence: float) -> Setting:
    """Return what a threshold gives on held-out sentences."""
    kinds: dict[str, Counts] = {}
    alarms: dict[str, tuple[int, int]] = {}
    for each, result in zip(held_out, outcomes(held_out, min_confidence), strict=True):
        for kind, counts in result.counts.items():
            kinds[kind] = kinds.get(kind, Counts()) + counts
        if result.was_correct:
            changed, n = alarms.get(each.sentence.set, (0, 0))
            alarms[each.sentence.set] = changed + result.changed, n + 1
    other = sum((counts for kind, counts in kinds.items() if kind != "TENSE"), Counts())
    return Setting(min_confidence, sum(kinds.values(), Counts()), other, alarms)


def choose(found: Sequence[Setting]) -> Setting:
    """Return the setting to ship: of those whose F0.5 is the best, as far as can be told, the one that corrects most."""
    best = max(setting.counts.f() for setting in found)
    good = [setting for setting in found if setting.counts.f() >= best - _TIE]
    return max(good, key=lambda setting: setting.counts.recall)
