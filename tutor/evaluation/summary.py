"""All that is measured on one evaluation set, or on several together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from tutor.agent.state import Correction, StopReason
from tutor.evaluation.calibration import Reliability, reliability
from tutor.evaluation.calls import CallScores, ComparedCalls, call_scores
from tutor.evaluation.intervals import Interval, draws, interval, share
from tutor.evaluation.rightness import is_right
from tutor.evaluation.scores import Report, outcome, report


class Prediction(BaseModel):
    """A sentence of an evaluation set with its correction."""

    model_config = ConfigDict(frozen=True)

    set: str
    source: str
    references: tuple[str, ...]
    correction: Correction

    def confidences(self) -> list[tuple[float, bool]]:
        """Return the confidence of each edit made, and whether it is right."""
        return [
            (edit.confidence, is_right(self.source, self.references, edit.start, edit.end, edit.replacement))
            for edit in self.correction.edits
        ]


@dataclass(frozen=True, slots=True)
class Runs:
    """How runs went.

    Attributes
    ----------
    steps : Interval
        Tool calls a sentence.
    stopped_by : dict of str to Interval
        Share of the runs that each stop reason ended.
    """

    steps: Interval
    stopped_by: dict[str, Interval]


@dataclass(frozen=True, slots=True)
class Summary:
    """What was measured.

    Attributes
    ----------
    edits : Report
        Precision, recall and F0.5 of verb edits, sentences to the letter, false alarms.
    confidence : Reliability or None
        Calibration over the edits made; None if there are none.
    runs : Runs
        Steps and stop reasons.
    calls : CallScores or None
        Agreement with the oracle's calls; None where the set holds none.
    """

    edits: Report
    confidence: Reliability | None
    runs: Runs
    calls: CallScores | None


def summarise(
    predictions: Sequence[Prediction], compared: Sequence[ComparedCalls] = (), *, seed: int = 0
) -> Summary:
    """Sum up predictions, and the calls compared with an oracle's.

    Parameters
    ----------
    predictions : sequence of Prediction
        At least one.
    compared : sequence of ComparedCalls
        For those sentences that have an oracle's run.
    seed : int
        Seed of the bootstrap, which draws sentences.

    Raises
    ------
    ValueError
        If there is no prediction.
    """
    outcomes = (
        outcome(row.source, row.correction.corrected or row.source, row.references) for row in predictions
    )
    return Summary(
        edits=report(outcomes, seed=seed),
        confidence=reliability([row.confidences() for row in predictions], seed=seed),
        runs=_runs([row.correction for row in predictions], seed),
        calls=call_scores(compared, seed=seed),
    )


def _runs(corrections: Sequence[Correction], seed: int) -> Runs:
    drawn = draws(len(corrections), seed)
    counts = Counter(each.stop_reason for each in corrections)
    return Runs(
        steps=interval([(len(each.steps), 1) for each in corrections], share, drawn),
        stopped_by={
            str(reason): interval([(each.stop_reason is reason, 1) for each in corrections], share, drawn)
            for reason in StopReason
            if counts[reason]
        },
    )
