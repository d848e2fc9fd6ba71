import json
from pathlib import Path

import pytest
from pyarrow import parquet
from typer.testing import CliRunner

from tests.cli.test_trace_replay import write
from tutor.cli.app import app

runner = CliRunner()


@pytest.fixture
def trace(tmp_path: Path) -> str:
    return str(write(tmp_path / "t.jsonl", "He goed to school.", "She goed to school."))


def test_stats_are_a_table_and_one_object(trace: str) -> None:
    shown = runner.invoke(app, ["trace", "stats", trace, trace], env={"COLUMNS": "80"})
    assert shown.exit_code == 0
    assert "4 runs, 8 steps, 40 tokens" in shown.stdout
    assert max(map(len, shown.stdout.splitlines())) <= 80
    one = write(Path(trace).with_name("one.jsonl"), "He goed.")
    assert runner.invoke(app, ["trace", "stats", str(one)]).stdout.startswith("1 run, 2 steps, ")
    found = json.loads(runner.invoke(app, ["trace", "stats", trace, "--json"]).stdout)
    assert found["by_cause"][0] == {
        "name": "enum", "tokens": 2, "decided": 2, "forced": 0.0, "blocked_mass": 0.6, "refused": 2
    }  # fmt: skip
    assert found["outcome"] is None


def test_a_reference_tells_right_from_wrong_and_is_silent_on_other_sentences(
    trace: str, tmp_path: Path
) -> None:
    gold = tmp_path / "gold.tsv"
    gold.write_text("source\ttarget\nHe goed to school.\tHe went to school.\nOther.\tAnother.\n")
    found = json.loads(
        runner.invoke(app, ["trace", "stats", trace, "--json", "--reference", str(gold)]).stdout
    )
    assert (found["outcome"]["right"], found["outcome"]["wrong"]) == (1, 0)
    assert [(each["runs"], each["right"]) for each in found["calibration"]] == [(1, 1.0)]


def test_a_file_of_references_of_another_kind_is_named_with_its_option(trace: str, tmp_path: Path) -> None:
    other = tmp_path / "a.csv"
    other.write_text("source,target\n")
    failed = runner.invoke(app, ["trace", "stats", trace, "--reference", str(other)])
    assert failed.exit_code == 1
    assert str(failed.exception).startswith(f"--reference {other}: neither")


def test_the_table_and_the_plot_are_written(trace: str, tmp_path: Path) -> None:
    table, plot = tmp_path / "t.parquet", tmp_path / "p.png"
    result = runner.invoke(app, ["trace", "stats", trace, "--parquet", str(table), "--plot", str(plot)])
    assert result.exit_code == 0
    assert parquet.read_table(table).num_rows == 20
    assert plot.read_bytes().startswith(b"\x89PNG")
