"""The exports as OpenTelemetry's own classes read them."""

import base64
import json
from itertools import pairwise
from typing import Any

import pytest
from google.protobuf.json_format import ParseDict
from opentelemetry.proto.trace.v1.trace_pb2 import Span, TracesData

from tests.tracing.exports.runs import HOSTILE, cut_short, failing, good, written
from tutor.tracing.exports.gen_ai import write_gen_ai
from tutor.tracing.exports.openinference import write_openinference
from tutor.tracing.exports.spans import spans, trace_id

IDS = ("traceId", "spanId", "parentSpanId")
WRITERS = [write_gen_ai, write_openinference]


def read(text: str) -> list[TracesData]:
    """Read lines of OTLP JSON: it writes ids in hexadecimal, where protobuf's own JSON has base64."""

    def with_base64(value: dict[str, Any]) -> dict[str, Any]:
        ids = {name: base64.b64encode(bytes.fromhex(value[name])).decode() for name in IDS if name in value}
        return value | ids

    return [ParseDict(json.loads(line, object_hook=with_base64), TracesData()) for line in text.splitlines()]


def spans_of(data: TracesData) -> list[Span]:
    return list(data.resource_spans[0].scope_spans[0].spans)


@pytest.mark.parametrize("write", WRITERS)
def test_opentelemetry_reads_every_span(write: Any) -> None:
    data = read(written(write))
    assert [len(spans_of(each)) for each in data] == [4, 4, 2]
    for each in data:
        root, *parts = spans_of(each)
        assert not root.parent_span_id
        assert {span.trace_id for span in parts} == {root.trace_id}
        assert all(len(span.trace_id) == 16 and len(span.span_id) == 8 for span in [root, *parts])
        assert {span.parent_span_id for span in parts} == {root.span_id}
        assert len({span.span_id for span in [root, *parts]}) == len(parts) + 1
        assert root.start_time_unix_nano == parts[0].start_time_unix_nano
        assert root.end_time_unix_nano == parts[-1].end_time_unix_nano
        for before, after in pairwise(parts):
            assert before.end_time_unix_nano == after.start_time_unix_nano


@pytest.mark.parametrize("write", WRITERS)
def test_a_failed_call_and_a_failed_run_have_the_status_error(write: Any) -> None:
    codes = [[span.status.code for span in spans_of(data)] for data in read(written(write))]
    assert codes == [[0, 0, 0, 0], [2, 0, 2, 0], [0, 0]]


def test_each_asked_token_is_an_event_within_its_step() -> None:
    step = spans_of(read(written(write_gen_ai))[0])[1]
    (event,) = step.events
    values = {each.key: each.value for each in event.attributes}
    assert event.name == "tutor.token"
    assert values["tutor.token.text"].string_value == "past"
    assert values["tutor.token.allowed"].int_value == 12
    assert values["tutor.token.blocked_mass"].double_value == 0.6
    assert values["tutor.token.best_blocked.text"].string_value == "present"
    assert step.start_time_unix_nano <= event.time_unix_nano <= step.end_time_unix_nano


def test_the_moment_of_a_run_is_that_of_its_header() -> None:
    root = spans_of(read(written(write_gen_ai))[0])[0]
    assert root.start_time_unix_nano == 1_735_689_600_000_000_000
    assert root.end_time_unix_nano - root.start_time_unix_nano == 250_000_000


@pytest.mark.parametrize("write", WRITERS)
def test_two_exports_are_the_same_to_the_letter(write: Any) -> None:
    assert written(write) == written(write)


def test_ids_follow_from_the_content_of_a_run() -> None:
    assert trace_id(good()) == trace_id(good())
    assert len({trace_id(run) for run in (good(), good("4"), failing(), cut_short())}) == 4
    assert [span.span_id for span in spans(good())] == [span.span_id for span in spans(good())]


def test_hostile_text_comes_back_as_it_was() -> None:
    step = spans_of(read(written(write_openinference))[1])[1]
    values = {each.key: each.value.string_value for each in step.attributes}
    assert values["llm.input_messages.0.message.content"] == HOSTILE
