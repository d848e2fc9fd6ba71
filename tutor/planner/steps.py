"""The two kinds of planner step, and a step with what it observed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from tutor.tools.base import Evidence, ToolResult


class ToolCall(BaseModel):
    """A step that calls a tool."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    next: Literal["tool_call"] = "tool_call"
    tool: str
    args: dict[str, Any]


class Answer(BaseModel):
    """The content of a final answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    corrected: str | None
    rationale: tuple[str, ...]
    spanish_gloss: str | None
    in_scope: bool


class FinalAnswer(BaseModel):
    """The step that ends a run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    next: Literal["final_answer"] = "final_answer"
    answer: Answer


PlannerStep = Annotated[ToolCall | FinalAnswer, Field(discriminator="next")]
_STEP: TypeAdapter[ToolCall | FinalAnswer] = TypeAdapter(PlannerStep)


def parse_step(text: str) -> ToolCall | FinalAnswer:
    """Parse the JSON text of one planner step (G1)."""
    return _STEP.validate_json(text)


def dump_step(step: ToolCall | FinalAnswer) -> str:
    """Write a step as the mask does: compact separators, key order as declared, no escaped letters."""
    return json_text(step.model_dump(mode="json"))


def json_text(value: Any) -> str:
    """Write JSON as the mask does; it also escapes DEL, which `json` leaves as it is."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("\x7f", "\\u007f")


@dataclass(frozen=True, slots=True)
class Observed:
    """A tool call and what it returned.

    Attributes
    ----------
    number : int
        Number of the step in its run, from 1.
    call : ToolCall
        The call.
    text : str
        The call's JSON as decoded.
    result : ToolResult
        The observation.
    """

    number: int
    call: ToolCall
    text: str
    result: ToolResult

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The forms that this step returned as correct."""
        return self.result.evidence()
