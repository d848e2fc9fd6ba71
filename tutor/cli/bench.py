"""``tutor bench``: how fast this installation is on this machine."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tutor.cli.correct import Device, Model

if TYPE_CHECKING:
    from rich.table import Table


def _widths(text: str) -> str:
    parts = text.split(",") if text else []
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise typer.BadParameter(f"{text!r} is no list of sizes such as 8,32")
    return text


Sentences = Annotated[int, typer.Option(min=1, metavar="N", help="Sentences of each batch run.")]
Alone = Annotated[int, typer.Option(min=1, metavar="N", help="Of these, how many also run one at a time.")]
Baseline = Annotated[
    int, typer.Option(min=0, metavar="N", help="How many the baselines run one at a time; 0 leaves them out.")
]
Widths = Annotated[
    str, typer.Option("--batch", callback=_widths, metavar="N,N", help="Sentences under way at a time.")
]
BaselineWidths = Annotated[
    str,
    typer.Option("--baseline-batch", callback=_widths, metavar="N,N", help="Batch sizes of the baselines."),
]
ColdStarts = Annotated[int, typer.Option(min=0, metavar="N", help="Fresh processes to time.")]
File = Annotated[
    Path | None,
    typer.Option(
        exists=True, dir_okay=False, metavar="FILE", help="Sentences instead of our own, one a line."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print every figure as one JSON object.")]
Quick = Annotated[
    bool, typer.Option("--quick", help="A few sentences and no fresh process: does it run at all.")
]


def bench(
    sentences: Sentences = 200,
    alone: Alone = 50,
    baseline: Baseline = 6,
    batch: Widths = "8,32,128",
    baseline_batch: BaselineWidths = "8,16,32",
    cold_starts: ColdStarts = 3,
    file: File = None,
    model: Model = None,
    device: Device = "auto",
    json_output: Json = False,
    quick: Quick = False,
) -> None:
    """Measure latency and throughput, against outlines with transformers.generate and against what the machine can do."""
    from tutor.benchmark.run import Plan, run

    plan = Plan(
        sentences=sentences,
        alone=min(alone, sentences),
        baseline=min(baseline, alone, sentences),
        widths=_sizes(batch, sentences),
        baseline_widths=_sizes(baseline_batch, sentences),
        cold_starts=cold_starts,
        device=device,
        model=model,
        file=file,
    )
    if quick:
        plan = Plan(6, 4, 2, (4,), (2,), 0, device, model, file)
    figures = _watched(plan, run)
    if json_output:
        typer.echo(json.dumps(figures, ensure_ascii=False, indent=2))
    else:
        _show(figures)


def _sizes(text: str, sentences: int) -> tuple[int, ...]:
    """Return the batch sizes that some sentences fill, or the smallest."""
    sizes = sorted(int(part) for part in text.split(",") if part)
    return tuple(size for size in sizes if size <= sentences) or tuple(sizes[:1])


def _watched(plan: Any, run: Any) -> dict[str, Any]:
    """Run with a line on stderr that says what is being measured, if that is a terminal."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        return run(plan)  # type: ignore[no-any-return]
    with console.status("") as status:
        return run(plan, status.update)  # type: ignore[no-any-return]


def _show(figures: dict[str, Any]) -> None:
    from rich.console import Console

    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
    setting, machine = figures["setting"], figures["machine"]
    console.print(
        f"{setting['model']}, {setting['device']}, {setting['dtype']}, {setting['threads']} threads: "
        f"{machine['gemm_flops_per_s'] / 1e9:.0f} GFLOP/s in matrix products, "
        f"{machine['bandwidth_bytes_per_s'] / 1e9:.1f} GB/s, peak memory {figures['memory']['peak_bytes'] / 2**20:.0f} MiB"
    )
    console.print(_speeds(figures))
    console.print(_parts(figures))
    console.print(_ratios(figures))
    _show_agreement(figures, console)


def _speeds(figures: dict[str, Any]) -> Table:
    table = _table(
        "run", "n", "seconds", "sentences/s", "p50 s", "p95 s", "of floor", "tokens run", "cached", "decided"
    )
    if cold := figures["cold_start"]:
        table.add_row("cold start, a process", str(cold["n"]), f"{cold['wall_s']:.2f}")
    latency = figures["latency"]
    rows = [("one at a time", latency), *((f"{each['width']} at a time", each) for each in figures["batch"])]
    for name, entry in rows:
        tokens = entry["tokens"]
        table.add_row(
            name, str(entry["n"]), f"{entry['seconds']:.1f}", f"{entry['n'] / entry['seconds']:.2f}",
            _number(entry.get("p50_s")), _number(entry.get("p95_s")), f"{entry['floor_s'] / entry['seconds']:.0%}",
            *(str(tokens[key]) for key in ("processed", "cached", "decided")),
        )  # fmt: skip
    for name, key in (("outlines", "outlines_generate"), ("plain generate", "plain_generate")):
        for entry in _baseline_rows(figures, key):
            width = entry.get("width")
            table.add_row(
                f"{name}, {f'{width} together' if width else 'one at a time'}", str(entry.get("n", width)), "",
                f"{entry['sentences_per_s']:.2f}", _number(entry.get("p50_s")),
            )  # fmt: skip
    return table


def _baseline_rows(figures: dict[str, Any], key: str) -> list[dict[str, Any]]:
    found = figures["baselines"]
    return [found[key]["alone"], *found[key]["batches"]] if found else []


def _parts(figures: dict[str, Any]) -> Table:
    names = list(figures["latency"]["parts"])
    table = _table("share of time", *names)
    rows = [
        ("one at a time", figures["latency"]),
        *((f"{each['width']} at a time", each) for each in figures["batch"]),
    ]
    for name, entry in rows:
        table.add_row(name, *(f"{entry['parts'][part]:.1%}" for part in names))
    return table


def _ratios(figures: dict[str, Any]) -> Table:
    table = _table("ratio", "")
    for name, value in figures["ratios"].items():
        table.add_row(name, _number(value))
    return table


def _show_agreement(figures: dict[str, Any], console: Any) -> None:
    from tutor.tracing.view import printable

    if found := figures["agreement"]:
        console.print(
            f"{found['identical']:.1%} of {found['n']} answers are the same in a batch and one at a time, "
            f"{found['correction']:.1%} of the corrections"
        )
        for each in found["differences"]:
            console.print(f"  {printable(each['sentence'])}", markup=False)
            for key in ("alone", "together"):
                console.print(f"    {key}: {printable(each[key] or 'unchanged')}", markup=False)
            console.print(f"    margin: {each['margin']:.3f}")


def _table(first: str, *others: str) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(first)
    for name in others:
        table.add_column(name, justify="right")
    return table


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
