"""``tutor trace show``: look into the trace of a run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from pydantic import BaseModel

    from tutor.tracing.files import RunTrace

TraceFile = Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A file that --trace wrote.")]


def show_trace(
    file: TraceFile,
    tokens: Annotated[
        bool, typer.Option("--tokens", help="Show each token: blocked mass, rivals, refusals; the choices.")
    ] = False,
    step: Annotated[int | None, typer.Option(min=1, metavar="N", help="Show only step N.")] = None,
    path: Annotated[
        str | None, typer.Option(metavar="PATH", help="Show only the tokens at a path, '$.answer.corrected'.")
    ] = None,
    anomalies: Annotated[
        bool, typer.Option("--anomalies", help="List what stands out: refusals, ties, loops, caps.")
    ] = False,
    json_output: Annotated[bool, typer.Option("--json", help="Print one JSON object for each run.")] = False,
) -> None:
    """Print the steps of a trace: calls, observations, answer and, with --tokens, each decision."""
    from rich.console import Console

    from tutor.tracing.anomalies import anomalies as found_in
    from tutor.tracing.view import show_anomalies, show_run

    runs = read(file)
    if step is not None and all(step != part.number for run in runs for part in run.steps):
        raise typer.BadParameter(f"no run of this trace has a step {step}", param_hint="--step")
    if path is not None and not _has_path(runs, path):
        raise typer.BadParameter(f"no token of this trace stands at {path}", param_hint="--path")
    console = Console(highlight=False)
    for number, run in enumerate(runs):
        found = [each for each in found_in(run) if step in (None, each.step)] if anomalies else []
        if json_output:
            shown = _as_json(run, tokens=tokens or path is not None, step=step, path=path)
            shown |= {"anomalies": [asdict(each) for each in found]} if anomalies else {}
            typer.echo(json.dumps(shown, ensure_ascii=False))
            continue
        console.print("\n" * (number > 0), end="")
        if anomalies:
            show_anomalies(run, found, console)
        else:
            show_run(run, console, tokens=tokens or path is not None, step=step, path=path)


def print_schema() -> None:
    """Print the JSON Schema of a line of a trace file."""
    from tutor.tracing.lines import json_schema

    typer.echo(json.dumps(json_schema(), indent=2, ensure_ascii=False))


def read(file: Path) -> list[RunTrace]:
    """Return the runs of a trace file, at least one, as `stream` yields them."""
    return list(stream(file))


def stream(file: Path) -> Iterator[RunTrace]:
    """Yield the runs of a trace file, at least one; a line on stderr names each that breaks off."""
    from tutor.tracing.files import read_runs
    from tutor.tracing.view import printable

    run = None
    for run in read_runs(file):
        if run.final is None:
            where = f"{file}: the trace breaks off in run {run.header.sentence_id}"
            typer.echo(printable(f"{where}; what is there is shown"), err=True)
        yield run
    if run is None:
        raise ValueError(f"{file}: no run in this trace; it was cut off before its first header")


def _has_path(runs: Sequence[RunTrace], path: str) -> bool:
    from tutor.tracing.view import within

    return any(within(token.path, path) for run in runs for part in run.steps for token in part.tokens)


def _as_json(run: RunTrace, *, tokens: bool, step: int | None, path: str | None) -> dict[str, Any]:
    from tutor.inspection.results import with_results
    from tutor.tracing.view import within

    run, steps = with_results(run), []
    for part in run.steps:
        if step in (None, part.number):
            shown = {
                "number": part.number,
                "step": _plain(part.step),
                "observation": _plain(part.observation),
            }
            if tokens:
                shown["tokens"] = _plain([token for token in part.tokens if within(token.path, path)])
                shown["choices"] = _plain([choice for choice in part.choices if within(choice.path, path)])
            steps.append(shown)
    return {"header": _plain(run.header), "steps": steps, "final": _plain(run.final)}


def _plain(value: BaseModel | Sequence[BaseModel] | None) -> Any:
    if value is None:
        return None
    if isinstance(value, Sequence):
        return [_plain(each) for each in value]
    return value.model_dump(mode="json", exclude_none=True)
