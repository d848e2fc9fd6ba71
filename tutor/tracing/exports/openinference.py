"""OpenInference: the same spans with the attributes that Arize Phoenix reads, encoded as OTLP JSON.

The attribute names are those of ``openinference-semantic-conventions`` 0.1; what they have no name for stands under
``tutor.``. The file is one for an OpenTelemetry collector, as in `tutor.tracing.exports.otlp`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TextIO

from tutor.tracing.exports.attributes import Attributes, run_attributes, step_attributes
from tutor.tracing.exports.messages import Message, before, call_id, is_agent, said
from tutor.tracing.exports.otlp import write_traces
from tutor.tracing.exports.spans import Span
from tutor.tracing.files import RunTrace, StepTrace

_JSON, _TEXT = "application/json", "text/plain"


def write_openinference(runs: Iterable[RunTrace], out: TextIO) -> int:
    """Write runs as OTLP JSON with the attributes of OpenInference, one line a run, and return how many."""
    return write_traces(runs, out, openinference)


def openinference(run: RunTrace, span: Span) -> tuple[str, Attributes]:
    """Return the name and the attributes of a span under the OpenInference conventions."""
    if span.step is None:
        return "tutor", _agent(run)
    if span.kind == "tool":
        return _tool(span.step)
    return f"step {span.step.number}", _llm(run, span.step)


def _agent(run: RunTrace) -> Attributes:
    output = run.final.correction if run.final else {}
    kind = {"openinference.span.kind": "AGENT", "agent.name": "tutor"}
    return {
        **(kind if is_agent(run) else {"openinference.span.kind": "CHAIN"}),
        **_value("input", run.header.sentence, _TEXT),
        **_value("output", json.dumps(output, ensure_ascii=False), _JSON),
        "metadata": json.dumps(run.header.config, ensure_ascii=False),
    } | run_attributes(run)


def _llm(run: RunTrace, step: StepTrace) -> Attributes:
    record, asked, answer = step.step, before(run, step), said(step)
    text = record.text if record else answer.text
    attributes: dict[str, Any] = {
        "openinference.span.kind": "LLM",
        "llm.model_name": run.header.model.name,
        "llm.invocation_parameters": json.dumps({"seed": run.header.seed}),
        **_value("input", asked[-1].text, _TEXT),
        **_value("output", text, _JSON),
    }
    for number, message in enumerate(asked):
        attributes |= _message(f"llm.input_messages.{number}.", message)
    attributes |= _message("llm.output_messages.0.", answer)
    if record:
        made = record.decided + record.forced
        attributes |= {
            "llm.token_count.prompt": record.prompt_tokens,
            "llm.token_count.prompt_details.cache_read": record.cached_tokens,
            "llm.token_count.completion": made,
            "llm.token_count.total": record.prompt_tokens + made,
        }
    return attributes | step_attributes(step)


def _tool(step: StepTrace) -> tuple[str, Attributes]:
    observation = step.observation
    assert observation is not None
    return observation.tool, {
        "openinference.span.kind": "TOOL",
        "tool.name": observation.tool,
        "tool.id": call_id(step),
        **_value("input", json.dumps(observation.args, ensure_ascii=False), _JSON),
        **_value("output", observation.text, _TEXT),
    }


def _value(name: str, text: str, mime: str) -> Attributes:
    return {f"{name}.value": text, f"{name}.mime_type": mime}


def _message(prefix: str, message: Message) -> Attributes:
    if message.tool and message.role == "assistant":
        call = f"{prefix}message.tool_calls.0.tool_call."
        return {
            f"{prefix}message.role": message.role,
            f"{call}id": message.call_id,
            f"{call}function.name": message.tool,
            f"{call}function.arguments": json.dumps(message.args, ensure_ascii=False),
        }
    return {
        f"{prefix}message.role": message.role,
        f"{prefix}message.content": message.text,
        f"{prefix}message.tool_call_id": message.call_id,
        f"{prefix}message.name": message.tool,
    }
