"""What a run is made of and what it returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict

from tutor.planner.steps import Answer, Observed


class Status(StrEnum):
    """How a run ended, for its reader."""

    corrected = "corrected"
    unchanged = "unchanged"
    out_of_scope = "out_of_scope"
    step_cap = "step_cap"
    duplicate_action = "duplicate_action"
    error = "error"


class StopReason(StrEnum):
    """Why the loop stopped (G6)."""

    final_answer = "final_answer"
    step_cap = "step_cap"
    duplicate_action = "duplicate_action"
    error = "error"


class Edit(BaseModel):
    """One changed verb group.

    Attributes
    ----------
    start, end : int
        Character offsets into the sentence.
    original, replacement : str
        The text before and after.
    type : str
        ERRANT code, such as ``"R:VERB:SVA"``.
    confidence : float
        Calibrated probability that the edit is right, 0 to 1.
    step : int
        Number of the step whose observation gave the form.
    """

    model_config = ConfigDict(frozen=True)

    start: int
    end: int
    original: str
    replacement: str
    type: str
    confidence: float
    step: int


class StepSummary(BaseModel):
    """One tool call of the run and its observation, as shown to a reader."""

    model_config = ConfigDict(frozen=True)

    number: int
    tool: str
    args: dict[str, Any]
    observation: dict[str, Any]
    summary: str


class AdditionalIssue(BaseModel):
    """Something wrong that is not a verb group; named, never changed."""

    model_config = ConfigDict(frozen=True)

    start: int
    end: int
    kind: str
    message: str
    suggestion: str | None = None


class Timing(BaseModel):
    """Seconds spent."""

    total_s: float


class Correction(BaseModel):
    """The answer to one sentence: the object of ``tutor correct --json``."""

    sentence: str
    corrected: str | None = None
    status: Status
    in_scope: bool = True
    rationale: tuple[str, ...] = ()
    additional_issues: tuple[AdditionalIssue, ...] = ()
    spanish_gloss: str | None = None
    edits: tuple[Edit, ...] = ()
    steps: tuple[StepSummary, ...] = ()
    stop_reason: StopReason
    message: str | None = None
    timing: Timing


@dataclass(slots=True)
class Run:
    """The state of one run: the sentence and the steps so far, nothing else."""

    sentence: str
    observed: list[Observed] = field(default_factory=list)
    answer: Answer | None = None
    stop_reason: StopReason | None = None
