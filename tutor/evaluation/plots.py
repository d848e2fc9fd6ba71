"""Plots of an evaluation: the reliability diagram, and F0.5 by type of edit."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from matplotlib.figure import Figure

from tutor.evaluation.calibration import Reliability
from tutor.evaluation.scores import KINDS, Scores
from tutor.evaluation.summary import Summary

_DPI = 150


def plot_reliability(found: Reliability, path: Path, title: str = "Edits made") -> None:
    """Draw the share of right edits over their confidence, with the number of edits in each bin.

    Parameters
    ----------
    found : Reliability
        The diagram.
    path : Path
        PNG file to write.
    title : str
        What the edits are.
    """
    figure = Figure(figsize=(5, 4.5), layout="constrained")
    axes = figure.add_subplot()
    axes.plot([0, 1], [0, 1], color="0.7", linestyle="--", label="calibrated")
    axes.plot([b.confidence for b in found.bins], [b.right for b in found.bins], "o-", color="C0")
    for b in found.bins:
        axes.annotate(
            str(b.edits), (b.confidence, b.right), textcoords="offset points", xytext=(6, 4), fontsize=8
        )
    axes.set(xlim=(0, 1.03), ylim=(-0.02, 1.05), xlabel="confidence", ylabel="share right")
    axes.set_title(f"{title}: {found.edits}, expected calibration error {found.error.value:.3f}", fontsize=10)
    axes.legend(loc="upper left")
    figure.savefig(path, dpi=_DPI)


def plot_f05_by_type(summaries: Mapping[str, Summary], path: Path) -> None:
    """Draw F0.5 of each type of verb edit with its interval, a bar for each set that has an edit due.

    Parameters
    ----------
    summaries : mapping of str to Summary
        By name of the set.
    path : Path
        PNG file to write.
    """
    shown = {name: summary for name, summary in summaries.items() if _due(summary.edits.all)}
    figure = Figure(figsize=(9, 4), layout="constrained")
    axes = figure.add_subplot()
    width = 0.8 / max(1, len(shown))
    for i, (name, summary) in enumerate(shown.items()):
        scores = {k: summary.edits.by_kind[kind] for k, kind in enumerate(KINDS)}
        scores = {k: found for k, found in scores.items() if _due(found)}
        rates = [found.f05 for found in scores.values()]
        errors = [[max(0, r.value - r.low) for r in rates], [max(0, r.high - r.value) for r in rates]]
        places = [k + (i - (len(shown) - 1) / 2) * width for k in scores]
        bars = axes.bar(places, [r.value for r in rates], width, yerr=errors, error_kw={"linewidth": 0.8})
        bars.set_label(name)
    axes.set_xticks(range(len(KINDS)), KINDS)
    axes.set(ylim=(0, 1.03), ylabel="F0.5, with its 95% bootstrap interval")
    if shown:
        figure.legend(fontsize=8, loc="outside right upper")
    figure.savefig(path, dpi=_DPI)


def _due(scores: Scores) -> int:
    return scores.counts.tp + scores.counts.fn
