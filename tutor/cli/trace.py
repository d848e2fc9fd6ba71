"""``tutor trace``: look into the trace of a run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from pydantic import BaseModel

    from tutor.tracing.files import RunTrace


def show_trace(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A file that --trace wrote.")],
    tokens: Annotated[bool, typer.Option("--tokens", help="Show every decision of the mask.")] = False,
    step: Annotated[int | None, typer.Option(min=1, metavar="N", help="Show only step N.")] = None,
    json_output: Annotated[bool, typer.Option("--json", help="Print one JSON object for each run.")] = False,
) -> None:
    """Print the steps of a trace: calls, observations, answer and, with --tokens, each decision."""
    from rich.console import Console

    from tutor.tracing.files import read_runs
    from tutor.tracing.view import show_run

    runs = list(read_runs(file))
    if not runs:
        raise ValueError(f"{file}: no run in this trace; it was cut off before its first header")
    if step is not None and all(step != part.number for run in runs for part in run.steps):
        raise typer.BadParameter(f"no run of this trace has a step {step}", param_hint="--step")
    console = Console(highlight=False)
    for number, run in enumerate(runs):
        if json_output:
            typer.echo(json.dumps(_as_json(run, tokens=tokens, step=step), ensure_ascii=False))
        else:
            console.print("\n" * (number > 0), end="")
            show_run(run, console, tokens=tokens, step=step)


def print_schema() -> None:
    """Print the JSON Schema of a line of a trace file."""
    from tutor.tracing.records import json_schema

    typer.echo(json.dumps(json_schema(), indent=2, ensure_ascii=False))


def _as_json(run: RunTrace, *, tokens: bool, step: int | None) -> dict[str, Any]:
    shown = [part for part in run.steps if step in (None, part.number)]
    return {
        "header": _plain(run.header),
        "steps": [
            {"number": part.number, "step": _plain(part.step), "observation": _plain(part.observation)}
            | ({"tokens": _plain(part.tokens), "choices": _plain(part.choices)} if tokens else {})
            for part in shown
        ],
        "final": _plain(run.final),
    }


def _plain(value: BaseModel | Sequence[BaseModel] | None) -> Any:
    if value is None:
        return None
    if isinstance(value, Sequence):
        return [_plain(each) for each in value]
    return value.model_dump(mode="json", exclude_none=True)
