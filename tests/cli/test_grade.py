import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from tests.grading.quick import QuickTutor
from tutor.agent.tutor import Tutor
from tutor.cli.app import app

runner = CliRunner()


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    calls: list[Any] = []

    def load(model: Path, device: str) -> QuickTutor:
        calls.append((model, device))
        return QuickTutor()

    monkeypatch.setattr(Tutor, "load", load)
    return calls


def grade(*arguments: object, pipe: str | None = None) -> Result:
    return runner.invoke(app, ["grade", *map(str, arguments)], input=pipe)


@pytest.fixture
def essays(tmp_path: Path) -> Path:
    folder = tmp_path / "essays"
    folder.mkdir()
    (folder / "ana.txt").write_text("He goed home. She was there.\n\nBye.\n")
    (folder / "bob.txt").write_text("I goed.\n" + "x" * 5000 + "\n")
    return folder


def test_a_folder_of_essays_becomes_results(essays: Path, tmp_path: Path, loaded: list[Any]) -> None:
    done = grade(essays, "--out", tmp_path / "out", "--model", tmp_path, "--device", "cpu")
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[0] == "5 rows: 2 corrected, 1 error, 2 unchanged"
    assert "results.jsonl" in done.stdout
    assert "report.html" in done.stdout
    assert "bob.txt, line 2: the text has 5000 characters" in done.stderr
    rows = [json.loads(line) for line in (tmp_path / "out" / "results.jsonl").read_text().splitlines()]
    assert [(row["learner"], row["sentence"][:20]) for row in rows[:3]] == [
        ("ana", "He goed home."), ("ana", "She was there."), ("ana", "Bye."),
    ]  # fmt: skip
    assert loaded == [(tmp_path, "cpu")]


def test_the_same_command_goes_on_without_the_model(essays: Path, tmp_path: Path, loaded: list[Any]) -> None:
    for _ in range(2):
        assert grade(essays, "--out", tmp_path / "out", "--model", essays).exit_code == 0
    assert len(loaded) == 1
    changed = grade(essays, "--out", tmp_path / "out", "--model", essays, "--lang", "es")
    assert changed.exit_code == 1
    assert "begun otherwise" in str(changed.exception)


def test_json_is_the_summary(essays: Path, tmp_path: Path, loaded: list[Any]) -> None:
    done = grade(essays, "--out", tmp_path / "out", "--model", essays, "--json")
    assert json.loads(done.stdout) == json.loads((tmp_path / "out" / "summary.json").read_text())


def test_a_share_says_what_is_left_to_do(essays: Path, tmp_path: Path, loaded: list[Any]) -> None:
    done = grade(essays, "--out", tmp_path / "out", "--model", essays, "--shard", "1/2", "--shard-size", "2")
    assert done.exit_code == 0
    assert "without --shard" in done.stdout
    assert not (tmp_path / "out" / "results.jsonl").exists()
    merged = grade(
        essays, "--out", tmp_path / "x", "--model", essays, "--shard-size", "2", "--merge", tmp_path / "out"
    )
    assert merged.stdout.startswith("5 rows")


def test_a_pipe_is_graded(tmp_path: Path, loaded: list[Any]) -> None:
    line = json.dumps({"said": "He goed.", "who": "ana"})
    options = ("--format", "jsonl", "--text", "said", "--learner", "who", "--model", tmp_path)
    assert grade("-", "--out", tmp_path / "out", *options, pipe=line).stdout.startswith("1 row: 1 corrected")


def test_scores_say_over_what_and_a_rate_of_nothing_is_a_dash(tmp_path: Path, loaded: list[Any]) -> None:
    pytest.importorskip("errant")
    table = tmp_path / "a.csv"
    table.write_text("text,target\nShe like it.,She likes it.\nBye.,Bye.\n")
    done = grade(table, "--out", tmp_path / "out", "--model", tmp_path)
    scores = "verb edits against gold: precision -, recall 0.0, f0.5 0.0 (2 rows, 1 edit due)"
    assert scores in done.stdout.splitlines()


def test_what_a_row_says_cannot_steer_the_terminal(tmp_path: Path, loaded: list[Any]) -> None:
    (tmp_path / "\u202ea.jsonl").write_text('{"text": 3}\n')
    done = grade(tmp_path / "\u202ea.jsonl", "--out", tmp_path / "out", "--model", tmp_path)
    assert "line 1: no text" in done.stderr
    assert "\u202e" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--out", "{tmp}/out", "--shard", "0/2"],
        ["--out", "{tmp}/out", "--shard", "3/2"],
        ["--out", "{tmp}/out", "--shard", "two"],
        ["--out", "{tmp}/out", "--shard", "1/2", "--restart"],
        ["--out", "{tmp}/out", "--split", "--target", "gold"],
        ["--out", "{tmp}/out", "--limit", "0"],
        ["--out", "{tmp}/out", "--format", "doc"],
        ["--out", "{tmp}/out", "--engine", "spark"],
        ["--out", "{tmp}/out", "--merge", "/no/such/folder"],
        ["--out", "{tmp}/essays/ana.txt"],
    ],
)
def test_bad_usage_is_2_before_anything_is_written(
    essays: Path, tmp_path: Path, arguments: list[str], loaded: list[Any]
) -> None:
    filled = [argument.replace("{tmp}", str(tmp_path)) for argument in arguments]
    assert grade(essays, *filled).exit_code == 2
    assert not (tmp_path / "out").exists()
    assert grade("/no/such/file", "--out", tmp_path / "out").exit_code == 2
