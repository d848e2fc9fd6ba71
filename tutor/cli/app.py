"""The commands by name, and what surrounds every one of them: signals, encodings, failures."""

from __future__ import annotations

import gc
import io
import os
import signal
import sys
from types import FrameType
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from tutor import __version__
from tutor.cli.bench import bench
from tutor.cli.correct import correct
from tutor.cli.eval import evaluate
from tutor.cli.grade import grade
from tutor.cli.selfcheck import selfcheck
from tutor.cli.serve import serve
from tutor.cli.tools import ToolGroup, list_tools
from tutor.cli.trace import print_schema, show_trace
from tutor.cli.trace_export import trace_export
from tutor.cli.trace_html import trace_html
from tutor.cli.trace_replay import trace_counterfactual, trace_diff, trace_replay
from tutor.cli.trace_stats import trace_stats
from tutor.cli.train import train

DEBUG = "TUTOR_DEBUG"
LIBRARIES = {"HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1", "TOKENIZERS_PARALLELISM": "false"}
"""Settings of the libraries beneath: nothing is fetched, and nothing but tutor writes to the terminal."""


class _Group(TyperGroup):
    """The commands, without the name of an exception before what Typer says of a wrong value."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = error.message.removeprefix("Value error, ")
            raise


app = typer.Typer(
    cls=_Group,
    help="A grammar tutor for English verbs: every change it makes is backed by what a tool returned.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
trace_app = typer.Typer(help="Look into the trace of a run.", no_args_is_help=True)
app.command()(correct)
app.command()(grade)
app.command("tools")(list_tools)
app.add_typer(typer.Typer(cls=ToolGroup, no_args_is_help=True), name="tool", help="Call one tool by hand.")
app.command()(selfcheck)
app.command()(bench)
app.command()(serve)
app.command("eval")(evaluate)
app.command()(train)
app.add_typer(trace_app, name="trace")
trace_app.command("show")(show_trace)
trace_app.command("schema")(print_schema)
trace_app.command("stats")(trace_stats)
trace_app.command("diff")(trace_diff)
trace_app.command("replay")(trace_replay)
trace_app.command("counterfactual")(trace_counterfactual)
trace_app.command("html")(trace_html)
trace_app.command("export")(trace_export)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tutor {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


def _end(number: int, _frame: FrameType | None) -> None:
    """End quietly on Ctrl-C or when the reader of a pipe is gone, with the shell's code for that signal."""
    if number != signal.SIGINT:  # nothing more can be written, not even at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise SystemExit(128 + number)


def main() -> None:
    """Run the command line; a failure is one line on stderr and exit code 1."""
    for name, value in LIBRARIES.items():
        os.environ.setdefault(name, value)
    signal.signal(signal.SIGINT, _end)
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, _end)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        app()
    except Exception as error:
        if os.environ.get(DEBUG):
            raise
        typer.echo(f"error: {_one_line(error)}", err=True)
        raise SystemExit(1) from None
    finally:
        gc.freeze()  # the process ends: walking models and lexicons once more would take 1.5 s


def _one_line(error: Exception) -> str:
    text = " ".join(str(error).split())
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.strerror}: {error.filename}"
    if isinstance(error, OSError | ValueError | RuntimeError) and text:
        return text
    return f"unexpected {type(error).__name__}: {text}; {DEBUG}=1 shows where"
