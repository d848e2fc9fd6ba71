"""``tutor trace html`` and ``tutor trace export``."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.sample_trace import sample_run
from tutor.cli.app import app
from tutor.tracing.files import TraceWriter

runner = CliRunner()
EXPORTS = ("otlp", "openinference", "perfetto")


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    path = tmp_path / "t.jsonl"
    with TraceWriter(path) as writer:
        for record in [*sample_run("1"), *sample_run("2")]:
            writer.write(record)
    return path


def test_html_writes_one_page_named_for_its_trace(trace: Path) -> None:
    page = trace.with_suffix(".html")
    assert runner.invoke(app, ["trace", "html", str(trace), "--out", str(page)]).exit_code == 0
    text = page.read_text()
    assert "<title>t.jsonl</title>" in text
    assert text.count('class="run">') == 2


@pytest.mark.parametrize("name", EXPORTS)
def test_export_writes_a_file_or_a_pipe(trace: Path, name: str) -> None:
    out = trace.with_suffix(".json")
    to_file = ["trace", "export", str(trace), "--format", name, "--out", str(out)]
    assert runner.invoke(app, to_file).exit_code == 0
    piped = runner.invoke(app, [*to_file[:-1], "-"])
    assert piped.stdout == out.read_text()
    values = (
        [json.loads(piped.stdout)]
        if name == "perfetto"
        else [json.loads(line) for line in piped.stdout.split("\n")[:-1]]
    )
    assert len(values) == (1 if name == "perfetto" else 2)


@pytest.mark.parametrize(
    "command", [["html"], *(["export", "--format", name] for name in EXPORTS), ["stats"]]
)
def test_a_trace_that_breaks_off_is_shown_and_said(trace: Path, command: list[str]) -> None:
    out = [] if command == ["stats"] else ["--out", str(trace.with_suffix(".out"))]
    arguments = ["trace", *command, str(trace), *out]
    assert runner.invoke(app, arguments).stderr == ""
    trace.write_bytes(trace.read_bytes()[:-40])
    cut = runner.invoke(app, arguments)
    assert cut.exit_code == 0
    assert cut.stderr == f"{trace}: the trace breaks off in run 2; what is there is shown\n"


@pytest.mark.parametrize("command", [["html"], ["export", "--format", "otlp"]])
def test_a_failure_leaves_what_was_there(trace: Path, command: list[str]) -> None:
    out = trace.with_suffix(".out")
    out.write_text("before")
    arguments = ["trace", *command, str(trace), "--out", str(out)]
    lines = trace.read_bytes().splitlines(keepends=True)
    trace.write_bytes(b"".join([*lines, b"no record\n"]))
    assert runner.invoke(app, arguments).exit_code == 1
    assert out.read_text() == "before"
    trace.write_bytes(b"")
    failed = runner.invoke(app, arguments)
    assert failed.exit_code == 1
    assert "no run in this trace" in str(failed.exception)
    assert out.read_text() == "before"


@pytest.mark.parametrize("arguments", [["html"], ["export", "--format", "csv"]])
def test_bad_usage_is_2(trace: Path, arguments: list[str]) -> None:
    assert runner.invoke(app, ["trace", *arguments, str(trace)]).exit_code == 2
    assert runner.invoke(app, ["trace", *arguments, str(trace) + "x", "--out", "y"]).exit_code == 2


def test_a_wrong_format_is_told_without_the_name_of_an_exception(trace: Path) -> None:
    told = runner.invoke(app, ["trace", "export", str(trace), "--format", "csv", "--out", "y"]).stderr
    assert "'csv' is not one of 'otlp'" in told
    assert "Value error" not in told


def test_pages_and_exports_load_no_model(trace: Path) -> None:
    script = (
        "import sys\nfrom tutor.cli import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
        "print(sorted({'torch', 'transformers', 'numpy', 'llguidance'} & set(sys.modules)))\n"
    )
    for command in (["html"], *(["export", "--format", name] for name in EXPORTS)):
        arguments = ["trace", *command, str(trace), "--out", str(trace.with_suffix(".out"))]
        done = subprocess.run(
            [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == "[]"
