import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tutor.cli.app import app
from tutor.training.settings import shipped

runner = CliRunner()


def test_the_shipped_settings_can_be_printed_and_used_as_a_file(tmp_path: Path) -> None:
    result = runner.invoke(app, ["train", "--print-config"])
    assert result.exit_code == 0
    assert tomllib.loads(result.stdout) == tomllib.loads(shipped())


def test_a_training_without_sentences_is_a_failure_that_says_what_to_do(tmp_path: Path) -> None:
    result = runner.invoke(app, ["train", "--out", str(tmp_path / "out")])
    assert isinstance(result.exception, ValueError)
    assert "[data]" in str(result.exception)


@pytest.mark.parametrize("arguments", [["--config", "/no/such/file"], ["--device", "toaster"]])
def test_bad_usage_is_2(arguments: list[str]) -> None:
    assert runner.invoke(app, ["train", *arguments]).exit_code == 2
