"""A run as spans: the run, its steps, its tool calls, each with a place in time and an id of its own.

A trace records durations, and the moment at which a run began. Steps and tool calls follow each other, so that their spans
are laid end to end.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from tutor.tracing.files import RunTrace, StepTrace
from tutor.tracing.records import TokenRecord

Kind = Literal["run", "step", "tool"]
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time in a run.

    Attributes
    ----------
    kind : str
        What it is: the run itself, a step, or the tool call of a step.
    span_id, parent_id : str
        16 hexadecimal digits; the run has no parent.
    start, end : int
        Nanoseconds since 1970, UTC.
    step : StepTrace or None
        The step; None for the run.
    """

    kind: Kind
    span_id: str
    parent_id: str | None
    start: int
    end: int
    step: StepTrace | None = None


def trace_id(run: RunTrace) -> str:
    """Return the id of a run, 32 hexadecimal digits that follow from its content."""
    digest = hashlib.sha256(run.header.model_dump_json().encode())
    for step in run.steps:
        digest.update("".join(token.text for token in step.tokens).encode())
        for record in (step.step, step.observation):
            digest.update(record.model_dump_json().encode() if record else b"-")
    return digest.hexdigest()[:32]


def spans(run: RunTrace) -> list[Span]:
    """Return the spans of a run: the run first, then each step with its tool call behind it."""
    identity = trace_id(run)
    root = _span_id(identity, "run")
    start = now = _nanoseconds(run.header.created)
    found = []
    for step in run.steps:
        begun, now = now, now + _duration(step.step.seconds if step.step else None)
        found.append(Span("step", _span_id(identity, f"step {step.number}"), root, begun, now, step))
        if step.observation:
            begun, now = now, now + _duration(step.observation.seconds)
            found.append(Span("tool", _span_id(identity, f"tool {step.number}"), root, begun, now, step))
    return [Span("run", root, None, start, now), *found]


def asked_tokens(span: Span) -> Iterator[tuple[int, TokenRecord]]:
    """Yield the tokens of a step that the model was asked about, each with the moment at which its prediction began."""
    now = span.start
    for token in span.step.tokens if span.step else ():
        if token.logprob_before is not None:
            yield min(now, span.end), token
        now += round(1000 * ((token.mask_us or 0) + (token.forward_us or 0)))


def _span_id(identity: str, name: str) -> str:
    return hashlib.sha256(f"{identity} {name}".encode()).hexdigest()[:16]


def _nanoseconds(moment: str) -> int:
    time = datetime.fromisoformat(moment)
    return (time.replace(tzinfo=time.tzinfo or UTC) - _EPOCH) // timedelta(microseconds=1) * 1000


def _duration(seconds: float | None) -> int:
    return round(1e9 * (seconds or 0))
