"""The terminal view of statistics and differences of traces."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tutor.tracing.diff import AlternativePair, Diff, Divergence, Pair
from tutor.tracing.files import RunTrace
from tutor.tracing.stats import Bin, Group, Stats
from tutor.tracing.view import counted, printable, show_title


def show_stats(found: Stats, console: Console) -> None:
    """Print statistics of traces as tables."""
    console.print(
        f"{counted(found.runs, 'run')}, {counted(found.steps, 'step')}, {counted(found.tokens, 'token')}, "
        f"{found.forced:.1%} of them forced",
        style="bold",
    )
    for title, groups in (("path", found.by_path), ("tool", found.by_tool)):
        console.print()
        console.print(_groups(title, groups))
    refused = sum(group.tokens for group in found.by_cause)
    console.print(f"\nlikeliest token refused in {counted(refused, 'place')}")
    if refused:
        console.print(_causes(found.by_cause))
    if found.outcome is not None:
        outcome = found.outcome
        console.print(
            f"\nblocked mass at decided tokens: {_percent(outcome.mean_right)} in "
            f"{counted(outcome.right, 'right run')}, "
            f"{_percent(outcome.mean_wrong)} in {counted(outcome.wrong, 'wrong one')}"
            + ("" if outcome.auc is None else f"; tells wrong from right with AUC {outcome.auc:.2f}")
        )
    if found.calibration:
        console.print(
            f"\nprobability of the chosen correction, calibration error {found.calibration_error:.3f}"
        )
        console.print(_bins(found.calibration))
    console.print()
    console.print(_seconds(found))


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for number, name in enumerate(columns):
        table.add_column(name, justify="right" if number else "left", overflow="fold")
    return table


def _groups(title: str, groups: Sequence[Group]) -> Table:
    table = _table(title, "tokens", "decided", "forced", "blocked", "refused")
    for group in groups:
        table.add_row(
            printable(group.name), str(group.tokens), str(group.decided), f"{group.forced:.1%}",
            _percent(group.blocked_mass), str(group.refused or ""),
        )  # fmt: skip
    return table


def _causes(groups: Sequence[Group]) -> Table:
    table = _table("cause", "refused", "blocked")
    for group in groups:
        table.add_row(group.name, str(group.tokens), _percent(group.blocked_mass))
    return table


def _bins(bins: Sequence[Bin]) -> Table:
    table = _table("probability", "runs", "mean", "right")
    for each in bins:
        table.add_row(
            f"{each.low:.1f} to {each.high:.1f}",
            str(each.runs),
            f"{each.probability:.1%}",
            f"{each.right:.1%}",
        )
    return table


def _seconds(found: Stats) -> Table:
    table, total = _table("time", "seconds", "share", "a run"), sum(found.seconds.values())
    for part, seconds in found.seconds.items():
        share = f"{seconds / total:.1%}" if total else ""
        table.add_row(part, f"{seconds:.2f}", share, f"{1000 * seconds / found.runs:.1f} ms")
    return table


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"


def show_diff(one: RunTrace, found: Diff, console: Console) -> None:
    """Print how two runs of a sentence compare.

    Parameters
    ----------
    one : RunTrace
        The first of them.
    found : Diff
        The comparison.
    console : Console
        Where to print.
    """
    show_title(one, console)
    for setting, (first, second) in found.settings.items():
        console.print(Text(printable(f"  {setting}: {_short(first)} | {_short(second)}"), "dim"))
    console.print(divergence_text(found.divergence))
    if found.decisions:
        console.print(_decisions(found.decisions))
    moved = [row for row in found.alternatives if row.one != row.other]
    if moved:
        console.print(_alternatives(moved))


def divergence_text(found: Divergence | None) -> Text:
    """Return the first difference of two runs in a few lines."""
    if found is None:
        return Text("  no difference to the end", "green")
    where = f"  step {found.step}"
    where += "" if found.token is None else f", token {found.token} at {printable(found.path or '$')}"
    lines = [(f"{where}: the {found.what} differs\n", "red")]
    if found.common:
        lines.append((f"    after  {printable(found.common)}\n", "dim"))
    first, second = ("(nothing)" if text is None else printable(text) for text in (found.one, found.other))
    return Text.assemble(*lines, f"    first  {first}\n    second {second}")


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _decisions(pairs: Sequence[Pair]) -> Table:
    table = _table("  step path", "token", "first", "second", "change", "blocked")
    for pair in pairs:
        one, other = pair.one, pair.other
        texts = list(dict.fromkeys((one.text, other.text)))
        change = pair.difference
        table.add_row(
            f"  {pair.step} {printable(pair.path)}",
            Text(printable(" | ".join(texts)), "red" if len(texts) > 1 else ""),
            *(_probability(token.logprob_after) for token in (one, other)),
            "" if change is None else f"{100 * change:+.1f}",
            f"{_percent(one.blocked_mass)} {_percent(other.blocked_mass)}",
        )
    return table


def _probability(logprob: float | None) -> str:
    return "" if logprob is None else f"{math.exp(logprob):.1%}"


def _alternatives(rows: Sequence[AlternativePair]) -> Table:
    table = _table("  step alternative", "first", "second")
    for row in rows:
        table.add_row(f"  {row.step} {printable(row.text)}", _percent(row.one), _percent(row.other))
    return table
