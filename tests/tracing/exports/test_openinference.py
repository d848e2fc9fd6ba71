"""Attribute names, against the package of OpenInference's semantic conventions."""

import json
import re
from typing import Any

from openinference.semconv.trace import (
    MessageAttributes,
    OpenInferenceMimeTypeValues,
    OpenInferenceSpanKindValues,
    SpanAttributes,
    ToolCallAttributes,
)

from tests.recorded_trace import weather
from tests.tracing.exports.runs import as_run, cut_short, failing, good
from tutor.tracing.exports.openinference import openinference
from tutor.tracing.exports.spans import spans


def names(group: type) -> set[str]:
    return {value for name, value in vars(group).items() if name.isupper()}


KNOWN = names(SpanAttributes)
PARTS = names(MessageAttributes) | names(ToolCallAttributes)
KINDS = {each.value for each in OpenInferenceSpanKindValues}
MIMES = {each.value for each in OpenInferenceMimeTypeValues}


def described(run: Any) -> list[dict[str, Any]]:
    return [openinference(run, span)[1] for span in spans(run)]


def known(name: str) -> bool:
    """Return whether a name is of the conventions: members of lists stand behind their place, ``llm.input_messages.0.``."""
    first, *rest = re.split(r"\.\d+\.", name)
    if name.startswith("tutor."):
        return True
    if not rest:
        return name in KNOWN
    *lists, last = rest
    return first in KNOWN and all(part in PARTS for part in [*lists, last])


def test_every_name_is_of_the_conventions_or_under_our_own_prefix() -> None:
    for run in (good(), failing(), cut_short(), as_run(weather())):
        written = {name for attributes in described(run) for name in attributes}
        assert len(written) > 10
        assert {name for name in written if not known(name)} == set()


def test_kinds_and_mime_types_are_those_of_the_conventions() -> None:
    kinds = [attributes["openinference.span.kind"] for attributes in described(good())]
    assert kinds == ["AGENT", "LLM", "TOOL", "LLM"]
    assert set(kinds) <= KINDS
    assert described(as_run(weather()))[0]["openinference.span.kind"] == "CHAIN"
    for attributes in described(good()):
        assert {value for name, value in attributes.items() if name.endswith("mime_type")} <= MIMES


def test_a_call_and_its_answer_have_one_id() -> None:
    _, call, tool, answer = described(good())
    prefix = "llm.output_messages.0.message.tool_calls.0.tool_call."
    assert call[f"{prefix}function.name"] == tool["tool.name"] == "conjugate"
    assert json.loads(call[f"{prefix}function.arguments"]) == json.loads(tool["input.value"])
    assert call[f"{prefix}id"] == tool["tool.id"] == answer["llm.input_messages.2.message.tool_call_id"]
    assert answer["llm.token_count.total"] == 200 + answer["llm.token_count.completion"]
