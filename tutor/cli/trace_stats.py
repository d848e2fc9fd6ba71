"""``tutor trace stats``: what the masks of many runs did."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tutor.cli.trace import read

if TYPE_CHECKING:
    from tutor.tracing.files import RunTrace

TraceFiles = Annotated[
    list[Path],
    typer.Argument(metavar="FILE...", exists=True, dir_okay=False, help="Files that --trace wrote."),
]
Reference = Annotated[
    Path | None,
    typer.Option(
        exists=True,
        dir_okay=False,
        metavar="FILE",
        help="Sentences with accepted corrections (.tsv, .m2, .jsonl): tells right answers from wrong ones.",
    ),
]


def trace_stats(
    files: TraceFiles,
    reference: Reference = None,
    json_output: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    parquet: Annotated[
        Path | None,
        typer.Option(dir_okay=False, metavar="FILE", help="Write every token as a row of a table."),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(dir_okay=False, metavar="FILE", help="Draw the figures: .png, .svg or .pdf."),
    ] = None,
) -> None:
    """Sum up where masks intervened, by path, tool and cause, how sure choices were, and where the time went."""
    from tutor.tracing.interventions import rows
    from tutor.tracing.stats import stats
    from tutor.tracing.stats_view import show_stats

    runs, right = [run for file in files for run in read(file)], judge(reference)
    found = stats(runs, right)
    if parquet is not None:
        _need("pyarrow", "grade")
        from tutor.tracing.parquet import write_parquet

        write_parquet((row for run in runs for row in rows(run, right)), parquet)
    if plot is not None:
        _need("matplotlib", "eval")
        from tutor.tracing.stats_plot import plot_stats

        plot_stats(found, plot)
    if json_output:
        typer.echo(json.dumps(asdict(found), ensure_ascii=False))
        return
    from rich.console import Console

    show_stats(found, Console(highlight=False))


def references(file: Path | None) -> dict[str, tuple[str, ...]]:
    """Return the accepted corrections of each sentence of a file; none without a file."""
    if file is None:
        return {}
    from tutor.evaluation.readers import read as read_items

    try:
        return {item.source: item.references for item in read_items(file)}
    except ValueError as error:
        raise ValueError(f"--reference {error}") from error


def judge(file: Path | None) -> Callable[[RunTrace], bool | None]:
    """Return what tells whether a run's answer is one that a file of references accepts; None for sentences not in it."""
    accepted = references(file)

    def right(run: RunTrace) -> bool | None:
        known = accepted.get(run.header.sentence)
        if known is None or run.final is None:
            return None
        return (run.final.correction.get("corrected") or run.header.sentence) in known

    return right


def _need(package: str, extra: str) -> None:
    from importlib.util import find_spec

    if find_spec(package) is None:
        raise RuntimeError(f"{package} is not installed: pip install 'tutor[{extra}]'")
