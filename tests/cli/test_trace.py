import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from tests.sample_trace import sample_run
from tutor.cli.app import app
from tutor.tracing.files import TraceWriter

runner = CliRunner()


@pytest.fixture
def trace(tmp_path: Path) -> str:
    path = tmp_path / "t.jsonl"
    with TraceWriter(path) as writer:
        for record in [*sample_run("1"), *sample_run("2")]:
            writer.write(record)
    return str(path)


def test_show_prints_every_run(trace: str) -> None:
    result = runner.invoke(app, ["trace", "show", trace])
    assert result.exit_code == 0
    assert result.stdout.count("conjugate(") == 2


def test_show_json_is_one_object_a_run_and_holds_tokens_only_on_demand(trace: str) -> None:
    without = [
        json.loads(line)
        for line in runner.invoke(app, ["trace", "show", trace, "--json"]).stdout.splitlines()
    ]
    assert [run["header"]["sentence_id"] for run in without] == ["1", "2"]
    assert "tokens" not in without[0]["steps"][0]
    first, _ = runner.invoke(
        app, ["trace", "show", trace, "--json", "--tokens", "--step", "1"]
    ).stdout.splitlines()
    (step,) = json.loads(first)["steps"]
    origins = [token["origin"].removeprefix("forced_") for token in step["tokens"]]
    assert origins == ["grammar", "canonical", "grammar", "decided", "grammar"]


def test_a_path_shows_its_tokens_alone(trace: str) -> None:
    shown = runner.invoke(app, ["trace", "show", trace, "--path", "$.args"], env={"COLUMNS": "100"})
    assert "‹past›" in shown.stdout
    assert "refused" in shown.stdout
    assert "He went" not in shown.stdout.replace('corrected: "He went', "")
    line, _ = runner.invoke(
        app, ["trace", "show", trace, "--path", "$.args.tense", "--json"]
    ).stdout.splitlines()
    call, answer = json.loads(line)["steps"]
    assert [token["text"] for token in call["tokens"]] == ["past", '_simple"}}']
    assert answer["tokens"] == answer["choices"] == []
    assert runner.invoke(app, ["trace", "show", trace, "--path", "$.other"]).exit_code == 2


def test_anomalies_are_listed_by_run(trace: str) -> None:
    shown = runner.invoke(app, ["trace", "show", trace, "--anomalies"], env={"COLUMNS": "80"})
    assert shown.stdout.count("against_wish") == 2
    assert max(map(len, shown.stdout.splitlines())) <= 80
    line, _ = runner.invoke(app, ["trace", "show", trace, "--anomalies", "--json"]).stdout.splitlines()
    (found,) = json.loads(line)["anomalies"]
    assert (found["kind"], found["step"], found["path"]) == ("against_wish", 1, "$.args.tense")
    (none,) = runner.invoke(
        app, ["trace", "show", trace, "--anomalies", "--step", "2", "--json"]
    ).stdout.splitlines()[:1]
    assert json.loads(none)["anomalies"] == []


def test_no_color_and_pipes_get_plain_text(trace: str) -> None:
    for env in ({"NO_COLOR": "1"}, {}):
        shown = runner.invoke(app, ["trace", "show", trace, "--tokens"], env=env)
        assert "\x1b" not in shown.stdout
        assert "‹‹He went to school" in " ".join(shown.stdout.split())


def test_the_schema_describes_every_line_of_a_trace(trace: str) -> None:
    schema = json.loads(runner.invoke(app, ["trace", "schema"]).stdout)
    validator = Draft202012Validator(schema)
    lines = Path(trace).read_text().replace('"-Infinity"', "0").splitlines()
    assert len(lines) > 10
    for line in lines:
        validator.validate(json.loads(line))
    assert not validator.is_valid({"event": "token"})


def test_bad_usage_is_2(trace: str, tmp_path: Path) -> None:
    assert runner.invoke(app, ["trace", "show", trace, "--step", "7"]).exit_code == 2
    assert runner.invoke(app, ["trace", "show", trace, "--step", "0"]).exit_code == 2
    assert runner.invoke(app, ["trace", "show", str(tmp_path / "missing")]).exit_code == 2
