"""Scores for human eyes: tables of 80 columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from rich.console import Console
from rich.table import Table

from tutor.evaluation.intervals import Interval
from tutor.evaluation.scores import KINDS, Scores
from tutor.evaluation.summary import Summary
from tutor.tracing.view import printable

NONE = "-"
Cells = Callable[[Summary], Iterable[str]]


def show_scores(found: Mapping[str, Summary], console: Console) -> None:
    """Print what was measured, a row for each set."""
    _show(console, found, "Verb edits by ERRANT, percent (95% bootstrap)", _EDITS, _edits)
    _show(console, found, "F0.5 by type (edits due)", _TYPES, _types)
    _show(console, found, "Runs", _RUNS, _runs)
    traced = {name: summary for name, summary in found.items() if summary.calls}
    if traced:
        _show(console, traced, "Calls against the oracle's, percent (95% bootstrap)", _CALLS, _calls)


def _show(
    console: Console, found: Mapping[str, Summary], title: str, columns: tuple[str, ...], cells: Cells
) -> None:
    table = Table(box=None, padding=(0, 1), pad_edge=False)
    table.add_column("", overflow="fold")
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    for name, summary in found.items():
        table.add_row(printable(name), *cells(summary))
    console.print(f"[bold]{title}[/bold]")
    console.print(table)
    console.print()


_EDITS = ("n", "P", "R", "F0.5", "exact", "alarms")


def _edits(summary: Summary) -> Iterable[str]:
    edits = summary.edits
    due = _due(edits.all)
    yield str(edits.sentences)
    yield _percent(edits.all.precision) if edits.all.counts.tp + edits.all.counts.fp else NONE
    yield _percent(edits.all.recall) if due else NONE
    yield str(edits.all.f05) if due else NONE
    yield _percent(edits.exact)
    yield _percent(edits.false_alarms) if edits.false_alarms else NONE


_TYPES = (*KINDS, "not tense")


def _types(summary: Summary) -> Iterable[str]:
    for scores in (*(summary.edits.by_kind[kind] for kind in KINDS), summary.edits.other):
        yield f"{_percent(scores.f05)} ({_due(scores)})" if _due(scores) else NONE


_RUNS = ("steps", "answered", "cap", "loop", "error", "ECE", "edits")


def _runs(summary: Summary) -> Iterable[str]:
    runs = summary.runs
    yield f"{runs.steps.value:.1f}"
    for reason in ("final_answer", "step_cap", "duplicate_action", "error"):
        yield _percent(runs.stopped_by[reason]) if reason in runs.stopped_by else "0.0"
    yield f"{summary.confidence.error.value:.3f}" if summary.confidence else NONE
    yield str(summary.confidence.edits) if summary.confidence else "0"


_CALLS = ("states", "tool", "arguments")


def _calls(summary: Summary) -> Iterable[str]:
    if summary.calls:
        score = summary.calls.all
        yield from (str(score.states), str(score.tool), str(score.arguments))


def _due(scores: Scores) -> int:
    return scores.counts.tp + scores.counts.fn


def _percent(rate: Interval) -> str:
    return f"{100 * rate.value:.1f}"
