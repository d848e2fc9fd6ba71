"""A run ends with every row exactly once and the same bytes, whatever happens on the way."""

import io
import json
import multiprocessing
import os
import random
import signal
import sys
import time
from pathlib import Path

import pytest

from tests.grading.quick import Heard, QuickJob, plan, write_rows
from tutor.agent.tutor import Options
from tutor.cli.app import _end
from tutor.grading.ledger import LedgerError, Share
from tutor.grading.run import Plan, run
from tutor.grading.source import Columns

FILES = ("results.jsonl", "results.csv", "results.m2", "results.parquet", "summary.json", "report.html")
fork = multiprocessing.get_context("fork")


def results(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "results.jsonl").read_bytes().splitlines()]


def quietly(wanted: Plan) -> None:
    run(wanted, Heard())


def test_every_row_is_there_once_and_in_order(tmp_path: Path) -> None:
    summary = run(plan(write_rows(tmp_path / "a.txt", 100), tmp_path / "out"), Heard())
    assert [row["id"] for row in results(tmp_path / "out")] == [str(number) for number in range(1, 101)]
    assert all((tmp_path / "out" / name).stat().st_size for name in FILES)
    assert summary is not None
    assert summary["rows"] == 100
    assert summary["statuses"] == {"corrected": 100}
    assert summary["statistics"]["sentences"] == 100
    assert json.loads((tmp_path / "out" / "summary.json").read_bytes()) == summary


def test_killed_at_any_moment_the_same_command_ends_with_the_same_bytes(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "a.txt", 300)
    job = QuickJob(pause=0.002, traces=True)
    started = time.monotonic()
    quietly(plan(source, tmp_path / "whole", job=job))
    seconds = time.monotonic() - started
    wanted = plan(source, tmp_path / "killed", job=job)
    chance, killed = random.Random(0), 0
    while killed < 6:
        process = fork.Process(target=quietly, args=(wanted,))
        process.start()
        process.join(chance.uniform(0, seconds / 4))
        if process.exitcode == 0:
            break
        process.kill()
        process.join()
        killed += 1
    assert killed >= 3
    quietly(wanted)
    for name in ("results.jsonl", "results.csv", "results.m2"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert len((tmp_path / "killed" / "traces.jsonl").read_bytes().splitlines()) == len(
        (tmp_path / "whole" / "traces.jsonl").read_bytes().splitlines()
    )
    assert not list((tmp_path / "killed").rglob(".*"))


def _until_interrupted(wanted: Plan) -> None:
    signal.signal(signal.SIGINT, _end)
    quietly(wanted)


def test_ctrl_c_keeps_what_is_finished(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "a.txt", 100)
    wanted = plan(source, tmp_path / "out", job=QuickJob(pause=0.02))
    process = fork.Process(target=_until_interrupted, args=(wanted,))
    process.start()
    shards = tmp_path / "out" / "ledger" / "shards"
    while len(list(shards.glob("*.jsonl"))) < 2:
        time.sleep(0.01)
    os.kill(process.pid or 0, signal.SIGINT)
    process.join()
    assert process.exitcode == 128 + signal.SIGINT
    assert not list(shards.glob(".*"))
    assert not (tmp_path / "out" / "results.jsonl").exists()
    quietly(plan(source, tmp_path / "out"))
    assert len(results(tmp_path / "out")) == 100


def _on_a_full_disk(wanted: Plan) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, resource.RLIM_INFINITY))
    try:
        quietly(wanted)
    except OSError as error:
        (wanted.out / "said").write_text(f"{error.strerror}: {error.filename}")
        raise SystemExit(3) from None


def test_a_full_disk_is_said_and_the_run_goes_on_when_there_is_room(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "a.txt", 200)
    quietly(plan(source, tmp_path / "whole", shard_size=50))
    wanted = plan(source, tmp_path / "full", shard_size=50)
    process = fork.Process(target=_on_a_full_disk, args=(wanted,))
    process.start()
    process.join()
    assert process.exitcode == 3
    said = (tmp_path / "full" / "said").read_text()
    assert "what is finished is kept: make room and give the same command again" in said
    assert len(list((tmp_path / "full" / "ledger" / "shards").iterdir())) == 4
    assert not (tmp_path / "full" / "results.jsonl").exists()
    quietly(wanted)
    assert (tmp_path / "full" / "results.jsonl").read_bytes() == (
        tmp_path / "whole" / "results.jsonl"
    ).read_bytes()


def test_a_changed_input_model_or_option_is_refused_and_restart_begins_anew(tmp_path: Path) -> None:
    source, out = write_rows(tmp_path / "a.txt", 20), tmp_path / "out"
    quietly(plan(source, out))
    before = (out / "results.jsonl").read_bytes()
    for options in (
        {"path": write_rows(tmp_path / "b.txt", 20)},
        {"path": write_rows(tmp_path / "b.txt", 21)},
        {"job": QuickJob(sha256="1" * 64)},
        {"job": QuickJob(options=Options(lang="es"))},
        {"limit": 3},
        {"shard_size": 9},
    ):
        with pytest.raises(LedgerError, match="begun otherwise"):
            quietly(plan(**{"path": source, "out": out} | options))
        assert (out / "results.jsonl").read_bytes() == before
    quietly(plan(source, out, limit=3, restart=True))
    assert len(results(out)) == 3


def test_shares_done_apart_and_merged_are_the_run_as_a_whole(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "a.txt", 100)
    quietly(plan(source, tmp_path / "whole"))
    folders = [tmp_path / f"machine{number}" for number in (1, 2, 3)]
    for number, folder in enumerate(folders, start=1):
        assert run(plan(source, folder, share=Share(number, 3)), Heard()) is None
        assert not (folder / "results.jsonl").exists()
    quietly(plan(source, tmp_path / "merged", merge=folders))
    for name in ("results.jsonl", "results.csv", "results.m2"):
        assert (tmp_path / "merged" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_shares_in_one_folder_are_finished_by_the_whole(tmp_path: Path) -> None:
    source, out = write_rows(tmp_path / "a.txt", 50), tmp_path / "out"
    quietly(plan(source, out, share=Share(2, 3)))
    quietly(plan(source, out))
    assert len(results(out)) == 50


def test_the_standard_input_is_graded_and_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"He goed.\n\nYes.\n")))
        quietly(plan(None, tmp_path / "out"))
        assert [row["file"] for row in results(tmp_path / "out")] == ["-", "-"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"No.\n")))
    with pytest.raises(LedgerError, match="the input's content was"):
        quietly(plan(None, tmp_path / "out"))


@pytest.mark.parametrize("name", ["empty.csv", "none", "other.csv"])
def test_an_input_that_is_refused_leaves_nothing(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty.csv").write_bytes(b"")
    (tmp_path / "none").mkdir()
    (tmp_path / "other.csv").write_text("said\nHe goed.\n")
    with pytest.raises(ValueError, match=name):
        run(plan(tmp_path / name, tmp_path / "out"), Heard())
    assert not (tmp_path / "out").exists()


def test_a_pipe_that_is_refused_leaves_a_folder_in_which_the_right_command_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"said\nHe goed.\n")))
    with pytest.raises(ValueError, match="no column 'text'"):
        run(plan(None, tmp_path / "out", kind="csv"), Heard())
    sys.stdin.seek(0)
    quietly(plan(None, tmp_path / "out", kind="csv", columns=Columns(text="said")))
    assert len(results(tmp_path / "out")) == 1


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OSError, match="cannot write there") as failed:
        run(plan(write_rows(tmp_path / "a.txt", 1), tmp_path / "file" / "out"), Heard())
    assert failed.value.filename == str(tmp_path / "file" / "out")


def test_an_input_with_a_header_only_is_noted(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("text\n")
    heard = Heard()
    run(plan(tmp_path / "a.csv", tmp_path / "out"), heard)
    assert "a.csv: there is no row in it" in heard.notes


def test_an_empty_input_has_empty_results(tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch()
    summary = run(plan(tmp_path / "a.txt", tmp_path / "out"), Heard())
    assert summary is not None
    assert summary["rows"] == 0
    assert (tmp_path / "out" / "results.jsonl").read_bytes() == b""


def test_latin_1_is_read_with_a_note(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("El niño goed.\n".encode("latin-1"))
    heard = Heard()
    run(plan(tmp_path / "a.txt", tmp_path / "out"), heard)
    assert results(tmp_path / "out")[0]["sentence"] == "El niño goed."
    assert any("Latin-1" in note for note in heard.notes)
