"""A plot of the statistics of traces: where the mask intervenes, and how sure choices were right."""

from __future__ import annotations

from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tutor.tracing.stats import Group, Stats

_DPI = 150
_ROWS = 12


def plot_stats(found: Stats, path: Path) -> None:
    """Draw the statistics.

    Parameters
    ----------
    found : Stats
        The statistics.
    path : Path
        File to write; its suffix is the format.
    """
    panels = 3 if found.calibration else 2
    figure = Figure(figsize=(4.5 * panels, 4), layout="constrained")
    axes = figure.subplots(1, panels)
    _bars(axes[0], [group for group in found.by_path if group.blocked_mass is not None][:_ROWS])
    axes[0].set(xlabel="mean blocked mass", xlim=(0, 1), title="By path")
    causes = found.by_cause
    axes[1].barh([group.name for group in causes], [group.tokens for group in causes], color="C1")
    axes[1].invert_yaxis()
    axes[1].set(xlabel="tokens", title="Likeliest token refused, by cause")
    if found.calibration:
        _reliability(axes[2], found)
    figure.savefig(path, dpi=_DPI)


def _bars(axes: Axes, groups: list[Group]) -> None:
    names = [group.name.replace("$", r"\$") for group in groups]
    axes.barh(names, [group.blocked_mass or 0.0 for group in groups], color="C0")
    axes.invert_yaxis()
    axes.tick_params(axis="y", labelsize=7)


def _reliability(axes: Axes, found: Stats) -> None:
    axes.plot([0, 1], [0, 1], color="0.7", linestyle="--")
    axes.plot(
        [each.probability for each in found.calibration], [each.right for each in found.calibration], "o-"
    )
    for each in found.calibration:
        axes.annotate(
            str(each.runs), (each.probability, each.right), textcoords="offset points", xytext=(6, -9)
        )
    axes.set(xlim=(0, 1), ylim=(0, 1.03), xlabel="probability of the choice", ylabel="share right")
    axes.set_title(f"Calibration error {found.calibration_error:.3f}")
