"""OpenTelemetry: a run as spans of OTLP, encoded as JSON.

A file holds one ``TracesData`` object a line, one line a run, as the OpenTelemetry file exporter writes them and the
collector's ``otlpjsonfile`` receiver reads them. Which attributes a span has is for a convention to say.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, TextIO

from tutor import __version__
from tutor.tracing.exports.attributes import Attributes, token_attributes
from tutor.tracing.exports.spans import Span, asked_tokens, spans, trace_id
from tutor.tracing.files import RunTrace, StepTrace
from tutor.tracing.records import ObservationRecord

_INTERNAL = 1  # SPAN_KIND_INTERNAL: the model runs in this process
_ERROR = 2  # STATUS_CODE_ERROR

Describe = Callable[[RunTrace, Span], tuple[str, Attributes]]
"""Gives the name and the attributes of a span."""


def write_traces(runs: Iterable[RunTrace], out: TextIO, describe: Describe, schema_url: str = "") -> int:
    """Write runs as OTLP JSON under the conventions that `describe` knows, one line a run, and return how many."""
    count = 0
    for run in runs:
        count += 1
        identity = trace_id(run)
        resource = {"service.name": "tutor", "service.version": run.header.versions.get("tutor", "")}
        data = {
            "resource": {"attributes": _encode(resource)},
            "scopeSpans": [
                {
                    "scope": {"name": "tutor.tracing", "version": __version__},
                    "spans": [_span(run, span, identity, describe) for span in spans(run)],
                    "schemaUrl": schema_url,
                }
            ],
            "schemaUrl": schema_url,
        }
        out.write(json.dumps({"resourceSpans": [data]}, separators=(",", ":")) + "\n")
    return count


def _span(run: RunTrace, span: Span, identity: str, describe: Describe) -> dict[str, Any]:
    name, attributes = describe(run, span)
    data: dict[str, Any] = {
        "traceId": identity, "spanId": span.span_id, "name": name, "kind": _INTERNAL,
        "startTimeUnixNano": str(span.start), "endTimeUnixNano": str(span.end),
        "attributes": _encode(attributes),
    }  # fmt: skip
    if span.parent_id:
        data["parentSpanId"] = span.parent_id
    if events := _events(span):
        data["events"] = events
    if failed(run, span):
        data["status"] = {"code": _ERROR}
    return data


def failed(run: RunTrace, span: Span) -> bool:
    """Return whether a tool call failed or a run ended in an error."""
    match span:
        case Span(kind="tool", step=StepTrace(observation=ObservationRecord(result=result))):
            return "error" in result
        case Span(kind="run"):
            return run.final is not None and run.final.status == "error"
    return False


def _events(span: Span) -> list[dict[str, Any]]:
    if span.kind != "step" or span.step is None:
        return []
    tokens = [("tutor.token", moment, token_attributes(token)) for moment, token in asked_tokens(span)]
    choices = [
        (
            "tutor.choice",
            span.start,
            {
                "tutor.choice.path": choice.path,
                "tutor.choice.alternatives": len(choice.alternatives),
                "tutor.choice.chosen": [each.text for each in choice.alternatives if each.chosen],
            },
        )
        for choice in span.step.choices
    ]
    return [
        {"timeUnixNano": str(moment), "name": name, "attributes": _encode(attributes)}
        for name, moment, attributes in [*choices, *tokens]
    ]


def _encode(attributes: Attributes) -> list[dict[str, Any]]:
    return [{"key": key, "value": _value(value)} for key, value in attributes.items() if value is not None]


def _value(value: Any) -> dict[str, Any]:
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case list():
            return {"arrayValue": {"values": [_value(each) for each in value]}}
    return {"stringValue": str(value)}
