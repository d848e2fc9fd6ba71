"""Runs to export."""

from collections.abc import Callable, Iterable
from io import StringIO
from typing import TextIO

from tests.sample_trace import sample_run
from tutor.tracing.files import RunTrace
from tutor.tracing.records import FinalRecord, HeaderRecord, ObservationRecord, Record

HOSTILE = '</script><img src=x onerror=alert(1)> "\\ \u202e \x00 \u2028 é😀'


def as_run(records: list[Record]) -> RunTrace:
    header, *rest = records
    assert isinstance(header, HeaderRecord)
    run = RunTrace(header)
    for record in rest:
        run.add(record)
    return run


def good(sentence_id: str = "1", sentence: str = "He goed to school.") -> RunTrace:
    return as_run(sample_run(sentence_id, sentence))


def failing() -> RunTrace:
    """Return a run whose tool call fails, and which ends in an error."""
    records = [
        record.model_copy(update={"result": {"error": "no such verb"}})
        if isinstance(record, ObservationRecord)
        else record
        for record in sample_run("2", HOSTILE)[:-1]
    ]
    return as_run([*records, FinalRecord(status="error", stop_reason="error", correction={})])


def cut_short() -> RunTrace:
    """Return a run that breaks off in its first step."""
    return as_run(sample_run("3")[:4])


def written(write: Callable[[Iterable[RunTrace], TextIO], int]) -> str:
    """Return what an export writes of all of them."""
    out = StringIO()
    assert write([good(), failing(), cut_short()], out) == 3
    return out.getvalue()
