import json

import pytest
from typer.testing import CliRunner

from tutor.cli.app import app
from tutor.tools.registry import tools

runner = CliRunner()
CONJUGATE = ["tool", "conjugate", "--verb", "go", "--tense", "past_simple", "--person", "3sg"]


def test_tools_lists_every_tool_with_its_schema() -> None:
    listing = json.loads(runner.invoke(app, ["tools", "--json"]).stdout)
    assert [entry["name"] for entry in listing] == list(tools())
    for entry in listing:
        assert entry["description"]
        assert entry["parameters"]["required"]
    human = runner.invoke(app, ["tools"]).stdout
    assert all(f"{name}: " in human for name in tools())


def test_a_tool_is_called_with_the_options_of_its_arguments() -> None:
    result = runner.invoke(app, CONJUGATE)
    assert result.exit_code == 0
    assert json.loads(result.stdout)["forms"] == ["went"]


def test_a_boolean_argument_is_a_flag() -> None:
    assert "didn't go" in json.loads(runner.invoke(app, [*CONJUGATE, "--negative"]).stdout)["forms"]


@pytest.mark.parametrize("name", list(tools()))
def test_help_names_every_argument(name: str) -> None:
    result = runner.invoke(app, ["tool", name, "--help"])
    assert result.exit_code == 0
    for argument in tools()[name].arguments.model_fields:
        assert f"--{argument}" in result.stdout


def test_what_a_tool_refuses_is_1_and_on_stderr() -> None:
    result = runner.invoke(app, ["tool", "lookup_irregular_verb", "--verb", "blarghful"])
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert "blarghful" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["tool", "no_such_tool"],
        [*CONJUGATE, "--no-such-argument", "1"],
        [*CONJUGATE, "--tense", "never"],
        ["tool", "conjugate", "--verb", "go"],
        ["no-such-command"],
    ],
)
def test_bad_usage_is_2(arguments: list[str]) -> None:
    assert runner.invoke(app, arguments).exit_code == 2
