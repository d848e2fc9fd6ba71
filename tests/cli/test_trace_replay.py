import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.sample_trace import sample_run
from tutor.cli.app import app
from tutor.inspection import replay as replaying
from tutor.inspection.replay import Replay
from tutor.tracing.diff import diff
from tutor.tracing.files import RunTrace, TraceWriter, read_runs
from tutor.tracing.records import TokenRecord

runner = CliRunner()


def write(path: Path, *sentences: str, other: bool = False) -> Path:
    """Write a trace of sample runs, with another token decided in the first of them if asked for."""
    with TraceWriter(path) as writer:
        for number, sentence in enumerate(sentences):
            for record in sample_run(str(number), sentence):
                if other and number == 0 and isinstance(record, TokenRecord) and record.text == "past":
                    record = record.model_copy(update={"token_id": 99, "text": "future"})
                writer.write(record)
    return path


def test_diff_pairs_runs_by_sentence_and_names_where_they_part(tmp_path: Path) -> None:
    first = write(tmp_path / "a.jsonl", "He goed.", "She goed.", "alone")
    second = write(tmp_path / "b.jsonl", "He goed.", "She goed.", other=True)
    shown = runner.invoke(app, ["trace", "diff", str(first), str(second)])
    assert shown.exit_code == 0
    assert "step 1, token 3 at $.args.tense: the token differs" in shown.stdout
    assert shown.stdout.count("no difference to the end") == 1
    assert shown.stdout.splitlines()[-1] == f"without a counterpart: 1 run of {first}, 0 of {second}"
    parted, same, left_out = map(
        json.loads,
        runner.invoke(app, ["trace", "diff", str(first), str(second), "--json"]).stdout.splitlines(),
    )
    assert (parted["divergence"]["one"], parted["divergence"]["other"]) == ("past", "future")
    assert same["divergence"] is None
    assert same["decisions"][0]["difference"] == 0.0
    assert left_out == {"without_counterpart": [["2"], []]}
    for flags in ([], ["--json"]):
        assert (
            "counterpart"
            not in runner.invoke(app, ["trace", "diff", str(second), str(second), *flags]).stdout
        )


def test_diff_needs_a_sentence_in_common(tmp_path: Path) -> None:
    first, second = write(tmp_path / "a.jsonl", "One."), write(tmp_path / "b.jsonl", "Two.")
    result = runner.invoke(app, ["trace", "diff", str(first), str(second)])
    assert result.exit_code == 1
    assert "no sentence in common" in str(result.exception)


@pytest.mark.parametrize("other", [False, True])
def test_replay_exits_1_on_a_difference_and_names_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, other: bool
) -> None:
    path, again = (
        write(tmp_path / "a.jsonl", "He goed."),
        write(tmp_path / "b.jsonl", "He goed.", other=other),
    )

    def replay(runs: list[RunTrace], *_: Any, **__: Any) -> Iterator[Replay]:
        for one, two in zip(runs, read_runs(again), strict=True):
            yield Replay(one, two, diff(one, two))

    monkeypatch.setattr(replaying, "replay", replay)
    result = runner.invoke(app, ["trace", "replay", str(path)])
    assert result.exit_code == int(other)
    assert f"the same to the token: {1 - other} of 1 run;" in result.stdout
    assert ("token 3 at $.args.tense" in result.stdout) is other
    (line,) = runner.invoke(app, ["trace", "replay", str(path), "--json"]).stdout.splitlines()
    assert json.loads(line)["exact"] is not other
