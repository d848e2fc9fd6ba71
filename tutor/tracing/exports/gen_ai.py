"""OpenTelemetry's conventions for generative AI.

The attribute names are those of the OpenTelemetry semantic conventions, version 1.41.0 (status of the part on generative AI:
development); what they have no name for stands under ``tutor.``.
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

SCHEMA_URL = "https://opentelemetry.io/schemas/1.41.0"
PROVIDER = "tutor"


def write_gen_ai(runs: Iterable[RunTrace], out: TextIO) -> int:
    """Write runs as OTLP JSON with the attributes of the GenAI conventions, one line a run, and return how many."""
    return write_traces(runs, out, gen_ai, SCHEMA_URL)


def gen_ai(run: RunTrace, span: Span) -> tuple[str, Attributes]:
    """Return the name and the attributes of a span under the GenAI conventions."""
    if span.step is None:
        return ("invoke_agent tutor", _agent(run)) if is_agent(run) else ("generate", run_attributes(run))
    if span.kind == "tool":
        return _execute_tool(span.step)
    return f"text_completion {run.header.model.name}", _inference(run, span.step)


def _agent(run: RunTrace) -> Attributes:
    last = [_message(said(step)) for step in run.steps[-1:]]
    return {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": PROVIDER,
        "gen_ai.agent.name": "tutor",
        "gen_ai.request.model": run.header.model.name,
        "gen_ai.request.seed": run.header.seed,
        "gen_ai.input.messages": json.dumps([_message(Message("user", run.header.sentence))]),
        "gen_ai.output.messages": json.dumps([each | {"finish_reason": "stop"} for each in last]),
        "error.type": "error" if run.final and run.final.status == "error" else None,
    } | run_attributes(run)


def _inference(run: RunTrace, step: StepTrace) -> Attributes:
    message = said(step)
    reason = "tool_call" if message.tool else "stop" if step.step else "error"
    record = step.step
    return {
        "gen_ai.operation.name": "text_completion",
        "gen_ai.provider.name": PROVIDER,
        "gen_ai.request.model": run.header.model.name,
        "gen_ai.request.seed": run.header.seed,
        "gen_ai.output.type": "json" if record and record.parsed else "text",
        "gen_ai.response.model": run.header.model.name,
        "gen_ai.response.finish_reasons": [reason],
        "gen_ai.usage.input_tokens": record.prompt_tokens if record else None,
        "gen_ai.usage.cache_read.input_tokens": record.cached_tokens if record else None,
        "gen_ai.usage.output_tokens": record.decided + record.forced if record else None,
        "gen_ai.input.messages": json.dumps([_message(each) for each in before(run, step)]),
        "gen_ai.output.messages": json.dumps([_message(message) | {"finish_reason": reason}]),
    } | step_attributes(step)


def _execute_tool(step: StepTrace) -> tuple[str, Attributes]:
    observation = step.observation
    assert observation is not None
    return f"execute_tool {observation.tool}", {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": observation.tool,
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": call_id(step),
        "gen_ai.tool.call.arguments": json.dumps(observation.args),
        "gen_ai.tool.call.result": json.dumps(observation.result or observation.text),
        "error.type": "tool_error" if "error" in observation.result else None,
    }


def _message(message: Message) -> dict[str, Any]:
    part: dict[str, Any]
    if message.role == "tool":
        part = {"type": "tool_call_response", "id": message.call_id, "response": message.text}
    elif message.tool:
        part = {
            "type": "tool_call",
            "id": message.call_id,
            "name": message.tool,
            "arguments": message.args,
        }
    else:
        part = {"type": "text", "content": message.text}
    return {"role": message.role, "parts": [part]}
