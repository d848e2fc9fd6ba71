import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.tiny import tiny_model
from tutor.cli.app import app

runner = CliRunner()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("eval")
    tiny_model(path / "tiny")
    (path / "wrong.tsv").write_text(
        "source\ttarget\nHe goed home.\tHe went home.\nShe have it.\tShe has it.\n"
    )
    (path / "right.jsonl").write_text('{"source": "We sing.", "target": "We sing.", "steps": []}\n')
    return path


def evaluated(folder: Path, *arguments: str) -> str:
    files = [str(folder / "wrong.tsv"), str(folder / "right.jsonl")]
    result = runner.invoke(app, ["eval", *files, "--model", str(folder / "tiny"), *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_scores_predictions_and_plots_are_kept(folder: Path) -> None:
    out = folder / "out"
    printed = json.loads(evaluated(folder, "--json", "--out", str(out), "--together", "both=wrong,right"))
    assert printed == json.loads((out / "scores.json").read_text())
    assert set(printed["sets"]) == {"wrong", "right", "both", "all"}
    assert printed["sets"]["both"]["edits"] == printed["sets"]["all"]["edits"]
    assert printed["sets"]["right"]["calls"]["all"]["states"] == 1
    assert {path.name for path in out.iterdir()} >= {"predictions.jsonl", "calls.jsonl", "f05_by_type.png"}


def test_tables_fit_a_terminal_of_80_columns(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = evaluated(folder, "--limit", "1", "--targets").splitlines()
    assert any(line.startswith("wrong_targets") for line in lines)
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("together", ["wrong", "x=wrong,other", "wrong=right", "=wrong"])
def test_a_group_that_is_none_is_bad_usage(folder: Path, together: str) -> None:
    result = runner.invoke(app, ["eval", str(folder / "wrong.tsv"), "--together", together])
    assert result.exit_code == 2


def test_a_file_that_does_not_fit_is_a_failure_that_names_it(folder: Path) -> None:
    (folder / "bad.tsv").write_text("a\tb\n")
    result = runner.invoke(app, ["eval", str(folder / "bad.tsv")])
    assert isinstance(result.exception, ValueError)
    assert "bad.tsv" in str(result.exception)
