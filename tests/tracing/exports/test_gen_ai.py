"""Attribute names, against the package of OpenTelemetry's semantic conventions."""

import json
from typing import Any

from opentelemetry.semconv._incubating.attributes import error_attributes, gen_ai_attributes
from opentelemetry.semconv.schemas import Schemas

from tests.recorded_trace import weather
from tests.tracing.exports.runs import as_run, cut_short, failing, good
from tutor.tracing.exports.gen_ai import SCHEMA_URL, gen_ai
from tutor.tracing.exports.spans import spans

KNOWN = {
    value
    for module in (gen_ai_attributes, error_attributes)
    for name, value in vars(module).items()
    if name.isupper() and isinstance(value, str)
}
OPERATIONS = {each.value for each in gen_ai_attributes.GenAiOperationNameValues}


def described(run: Any) -> list[tuple[str, dict[str, Any]]]:
    return [gen_ai(run, span) for span in spans(run)]


def test_every_name_is_of_the_conventions_or_under_our_own_prefix() -> None:
    for run in (good(), failing(), cut_short(), as_run(weather())):
        names = {name for _, attributes in described(run) for name in attributes}
        assert {name for name in names if not name.startswith("tutor.")} <= KNOWN
        assert len(names) > 10


def test_the_version_is_one_that_was_published() -> None:
    assert SCHEMA_URL in {each.value for each in Schemas}


def test_spans_are_named_for_their_operation() -> None:
    for name, attributes in described(good()):
        operation = attributes["gen_ai.operation.name"]
        assert operation in OPERATIONS
        assert name.startswith(f"{operation} ")
    names = [name for name, _ in described(good())]
    assert names == [
        "invoke_agent tutor",
        "text_completion tutor-135m",
        "execute_tool conjugate",
        "text_completion tutor-135m",
    ]


def test_a_step_holds_the_messages_before_it_and_what_it_said() -> None:
    *_, (_, answer) = described(good())
    user, call, observed = json.loads(answer["gen_ai.input.messages"])
    assert user["parts"] == [{"type": "text", "content": "He goed to school."}]
    assert call["parts"][0]["name"] == "conjugate"
    assert observed["parts"] == [
        {"type": "tool_call_response", "id": call["parts"][0]["id"], "response": "went"}
    ]
    (said,) = json.loads(answer["gen_ai.output.messages"])
    assert said["finish_reason"] == "stop"
    assert json.loads(said["parts"][0]["content"])["next"] == "final_answer"


def test_tokens_are_counted_as_the_step_counted_them() -> None:
    _, attributes = described(good())[1]
    assert attributes["gen_ai.usage.input_tokens"] == 200
    assert attributes["gen_ai.usage.cache_read.input_tokens"] == 180
    assert attributes["gen_ai.usage.output_tokens"] == 5


def test_a_generation_that_a_recorder_saw_is_no_agent() -> None:
    (name, root), (_, step) = described(as_run(weather()))
    assert name == "generate"
    assert "gen_ai.agent.name" not in root
    assert step["gen_ai.output.type"] == "json"
