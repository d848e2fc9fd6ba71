"""The thresholds of the choice: what each setting gives on held-out sentences, and which one to ship."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from tutor.evaluation.scores import Counts, Outcome, outcome
from tutor.planner.choice import ChoiceWeights
from tutor.training.fit import HeldOut

NEVER = 2.0
"""A `min_error` that no probability reaches."""

DEFAULT = "default"
_CONFIDENCES = tuple(round(0.3 + 0.05 * step, 2) for step in range(14))
_ERRORS = (0.7, 0.8, 0.9, NEVER)
_TIE = 0.01  # a hundredth of F0.5, well inside the bootstrap interval


@dataclass(frozen=True, slots=True)
class Setting:
    """Thresholds and what they give.

    Attributes
    ----------
    min_confidence, min_error : float
        As in `ChoiceWeights`.
    counts, other : Counts
        Verb edits, and those that are not of tense.
    false_alarms : dict of str to (int, int)
        Correct sentences changed and correct sentences in all, by bound: sets with a bound of their own, and the rest.
    """

    min_confidence: float
    min_error: float
    counts: Counts
    other: Counts
    false_alarms: dict[str, tuple[int, int]]

    def is_quiet(self, bounds: Mapping[str, float]) -> bool:
        """Tell whether no bound on false alarms is passed."""
        return all(changed <= bounds[name] * n for name, (changed, n) in self.false_alarms.items())

    @property
    def alarms(self) -> int:
        """Correct sentences changed."""
        return sum(changed for changed, _ in self.false_alarms.values())


@lru_cache(maxsize=200_000)
def _outcome(source: str, hypothesis: str, references: tuple[str, ...]) -> Outcome:
    return outcome(source, hypothesis, references)


def outcomes(held_out: Sequence[HeldOut], thresholds: ChoiceWeights) -> list[Outcome]:
    """Return what the thresholds make of held-out sentences."""
    return [
        _outcome(
            each.sentence.source,
            each.sentence.corrected(thresholds, each.probabilities),
            each.sentence.references,
        )
        for each in held_out
    ]


def settings(held_out: Sequence[HeldOut], bounds: Mapping[str, float]) -> Iterator[Setting]:
    """Yield what each setting of the grid gives.

    Parameters
    ----------
    held_out : sequence of HeldOut
        The sentences.
    bounds : mapping of str to float
        Greatest share of correct sentences to change, by set; ``default`` for all other sets together.
    """
    for min_confidence, min_error in product(_CONFIDENCES, _ERRORS):
        yield measured(held_out, bounds, min_confidence, min_error)


def measured(
    held_out: Sequence[HeldOut], bounds: Mapping[str, float], min_confidence: float, min_error: float
) -> Setting:
    """Return what one setting gives; the arguments are those of `settings` and `ChoiceWeights`."""
    found = outcomes(held_out, ChoiceWeights(min_confidence=min_confidence, min_error=min_error))
    kinds: dict[str, Counts] = {}
    alarms: dict[str, tuple[int, int]] = {}
    for each, result in zip(held_out, found, strict=True):
        for kind, counts in result.counts.items():
            kinds[kind] = kinds.get(kind, Counts()) + counts
        if result.was_correct:
            name = each.sentence.set if each.sentence.set in bounds else DEFAULT
            changed, n = alarms.get(name, (0, 0))
            alarms[name] = changed + result.changed, n + 1
    other = sum((counts for kind, counts in kinds.items() if kind != "TENSE"), Counts())
    return Setting(min_confidence, min_error, sum(kinds.values(), Counts()), other, alarms)


def choose(found: Sequence[Setting], bounds: Mapping[str, float]) -> Setting:
    """Return the setting to ship.

    Of those within the bounds, or of the quietest ones where none is, the best F0.5; among those within a hundredth of it the
    one with the fewest false alarms: a teacher trusts what seldom changes a right sentence.
    """
    fewest = min(setting.alarms for setting in found)
    allowed = [s for s in found if s.is_quiet(bounds)] or [s for s in found if s.alarms == fewest]
    best = max(setting.counts.f() for setting in allowed)
    good = [setting for setting in allowed if setting.counts.f() >= best - _TIE]
    return min(good, key=lambda setting: (setting.alarms, -setting.counts.f(), -setting.min_confidence))
