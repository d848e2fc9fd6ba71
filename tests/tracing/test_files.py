import json
from pathlib import Path

import pytest

from tests.sample_trace import sample_run
from tutor.tracing.files import TraceError, TraceWriter, read_records, read_runs
from tutor.tracing.records import SCHEMA_VERSION, ChoiceRecord, Level, TokenRecord


def write(path: Path, *runs: str, level: Level = Level.decisions) -> Path:
    with TraceWriter(path, level) as writer:
        for name in runs:
            for record in sample_run(name):
                writer.write(record)
    return path


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = write(tmp_path / "t.jsonl", "1", level=Level.full)
    header, *written = sample_run("1")
    written.insert(0, header.model_copy(update={"level": Level.full}))
    rounded = [record.model_dump_json() for record in written]
    assert [record.model_dump_json() for record in read_records(path)] == rounded


def test_records_land_in_their_runs_and_steps(tmp_path: Path) -> None:
    first, second = read_runs(write(tmp_path / "t.jsonl", "a", "b"))
    assert (first.header.sentence_id, second.header.sentence_id) == ("a", "b")
    for run in (first, second):
        assert [step.number for step in run.steps] == [1, 2]
        assert [len(step.tokens) for step in run.steps] == [5, 5]
        assert [len(step.choices) for step in run.steps] == [0, 1]
        assert run.steps[0].observation is not None
        assert run.final is not None


def test_level_steps_leaves_out_the_decisions_and_off_everything(tmp_path: Path) -> None:
    records = list(read_records(write(tmp_path / "t.jsonl", "1", level=Level.steps)))
    assert len(records) == 5
    assert not any(isinstance(record, TokenRecord | ChoiceRecord) for record in records)
    assert write(tmp_path / "off.jsonl", "1", level=Level.off).read_bytes() == b""


def test_a_cut_anywhere_loses_at_most_the_last_line(tmp_path: Path) -> None:
    whole = write(tmp_path / "t.jsonl", "1").read_bytes()
    cut = tmp_path / "cut.jsonl"
    ends = [place for place, byte in enumerate(whole) if byte == ord("\n")]
    for end in sorted({place + near for place in ends for near in (-40, -1, 0, 1)} | {0, 1}):
        cut.write_bytes(whole[:end])
        kept = whole[:end].splitlines(keepends=True)[: whole[:end].count(b"\n")]
        tokens = sum(len(json.loads(line).get("ids", "1")) for line in kept)
        assert len(list(read_records(cut))) == tokens


def test_all_but_the_tokens_of_the_last_line_reach_the_file_before_it_is_closed(tmp_path: Path) -> None:
    writer = TraceWriter(tmp_path / "t.jsonl")
    for count, record in enumerate(sample_run(), start=1):
        writer.write(record)
        waiting = isinstance(record, TokenRecord) and record.allowed is None
        read = len(list(read_records(tmp_path / "t.jsonl")))
        assert read == count or (waiting and read < count)
    writer.close()
    assert len(list(read_records(tmp_path / "t.jsonl"))) == len(sample_run())


@pytest.mark.parametrize("line", ['{"event":"header"}', '{"event":"unheard_of"}', "[]", "no json", "\udcff"])
def test_a_line_that_is_no_record_is_named(tmp_path: Path, line: str) -> None:
    path = write(tmp_path / "t.jsonl", "1")
    lines = path.read_bytes().splitlines(keepends=True)
    lines.insert(2, line.encode("utf-8", "surrogateescape") + b"\n")
    path.write_bytes(b"".join(lines))
    with pytest.raises(TraceError, match="line 3"):
        list(read_records(path))


def test_a_newer_schema_is_refused_and_an_unknown_field_ignored(tmp_path: Path) -> None:
    path = write(tmp_path / "t.jsonl", "1")
    text = path.read_text()
    path.write_text(text.replace('"event":"header"', '"event":"header","later":1', 1))
    assert len(list(read_records(path))) == len(sample_run())
    path.write_text(
        text.replace(f'"schema_version":{SCHEMA_VERSION}', f'"schema_version":{SCHEMA_VERSION + 1}', 1)
    )
    with pytest.raises(TraceError, match="upgrade"):
        list(read_records(path))


@pytest.mark.parametrize("line", [b"no JSON\n", b'{"text": "He goed."}\n'])
def test_a_file_of_another_kind_is_no_trace(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(line)
    with pytest.raises(TraceError, match=r"line 1: not a trace record$"):
        list(read_runs(path))


def test_a_trace_begins_with_a_header(tmp_path: Path) -> None:
    path = write(tmp_path / "t.jsonl", "1")
    path.write_bytes(path.read_bytes().split(b"\n", 1)[1])
    with pytest.raises(TraceError, match="header"):
        list(read_runs(path))
