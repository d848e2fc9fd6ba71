"""Perfetto and chrome://tracing: where the time of a run went, in the Trace Event Format.

One process for each run; its steps and tool calls as slices, in each step the mask and the forward pass of every token, and
the blocked mass as a counter. Times are microseconds since the first run began.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from tutor.tracing.exports.attributes import token_attributes
from tutor.tracing.exports.spans import Span, asked_tokens, spans
from tutor.tracing.files import RunTrace
from tutor.tracing.view import call_text

Event = dict[str, Any]


def write_perfetto(runs: Iterable[RunTrace], out: TextIO) -> int:
    """Write runs as one trace of the Trace Event Format and return how many there were."""
    count, origin, separator = 0, None, ""
    out.write('{"displayTimeUnit":"ms","traceEvents":[')
    for count, run in enumerate(runs, start=1):
        whole, *parts = spans(run)
        origin = whole.start if origin is None else origin
        for event in _events(run, whole, parts, count):
            if "ts" in event:
                event["ts"] = (event["ts"] - origin) / 1000
            out.write(separator + json.dumps(event | {"pid": count}, ensure_ascii=False))
            separator = ",\n"
    out.write("]}\n")
    return count


def _events(run: RunTrace, whole: Span, parts: list[Span], number: int) -> Iterator[Event]:
    name = f"run {run.header.sentence_id}: {run.header.sentence}"
    yield {"ph": "M", "name": "process_name", "tid": 1, "args": {"name": name}}
    yield {"ph": "M", "name": "process_sort_index", "tid": 1, "args": {"sort_index": number}}
    yield {"ph": "M", "name": "thread_name", "tid": 1, "args": {"name": "planner and tools"}}
    args = {"status": run.final.status, "stop_reason": run.final.stop_reason} if run.final else {}
    yield _slice(f"run {run.header.sentence_id}", "run", whole.start, whole.end, args)
    for span in parts:
        assert span.step is not None
        if span.kind == "tool" and (observation := span.step.observation):
            yield _slice(observation.tool, "tool", span.start, span.end, {"result": observation.text})
            continue
        yield _slice(_title(span), "step", span.start, span.end, _costs(span))
        yield from _tokens(span)


def _title(span: Span) -> str:
    assert span.step is not None
    match span.step.step.parsed if span.step.step else {}:
        case {"next": "tool_call", "tool": tool, "args": args}:
            return f"step {span.step.number}: {call_text(tool, args)}"
    return f"step {span.step.number}"


def _costs(span: Span) -> dict[str, Any]:
    record = span.step.step if span.step else None
    if record is None:
        return {}
    names = ("prompt_tokens", "cached_tokens", "decided", "forced", "text")
    return {name: getattr(record, name) for name in names}


def _tokens(span: Span) -> Iterator[Event]:
    for moment, token in asked_tokens(span):
        masked = min(moment + round(1000 * (token.mask_us or 0)), span.end)
        ended = min(masked + round(1000 * (token.forward_us or 0)), span.end)
        args = {name.removeprefix("tutor.token."): value for name, value in token_attributes(token).items()}
        if masked > moment:
            yield _slice("mask", "mask", moment, masked, args)
        if ended > masked:
            yield _slice("forward", "forward", masked, ended, args)
        if token.blocked_mass is not None:
            mass = {"blocked": token.blocked_mass}
            yield {"ph": "C", "name": "blocked mass", "tid": 1, "ts": moment, "args": mass}


def _slice(name: str, category: str, start: int, end: int, args: dict[str, Any]) -> Event:
    duration = (end - start) / 1000
    return {"ph": "X", "name": name, "cat": category, "tid": 1, "ts": start, "dur": duration, "args": args}
