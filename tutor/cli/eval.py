"""``tutor eval``: how well a model corrects, measured against references."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from tutor.cli.correct import Confidence, Device, Model

T = TypeVar("T")

Files = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE...",
        exists=True,
        dir_okay=False,
        help="Sentences with their corrections: .tsv with columns source and target, .m2 or .jsonl.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print all scores as one JSON object.")]
Out = Annotated[
    Path | None,
    typer.Option(
        file_okay=False,
        metavar="DIR",
        help="Keep predictions, scores and plots here; an interrupted evaluation goes on.",
    ),
]
Limit = Annotated[int | None, typer.Option(min=1, metavar="N", help="Draw N sentences of each file.")]
Seed = Annotated[int, typer.Option(metavar="N", help="Seed of the draw.")]
Together = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=A,B,...",
        help="Score files together, given without folder and suffix. May be repeated.",
    ),
]
Targets = Annotated[
    bool, typer.Option("--targets", help="Run the corrections too: they must be left as they are.")
]


def evaluate(
    files: Files,
    json_output: Json = False,
    out: Out = None,
    limit: Limit = None,
    seed: Seed = 0,
    together: Together = None,
    targets: Targets = False,
    min_confidence: Confidence = None,
    model: Model = None,
    device: Device = "auto",
) -> None:
    """Measure corrections against references: edits by type, false alarms, calibration, tool calls."""
    from tutor.agent.tutor import MODEL, Options
    from tutor.evaluation.evaluate import Evaluation, as_json, require_extra
    from tutor.evaluation.ledger import named_items
    from tutor.paths import models_dir

    require_extra()
    items = named_items(files, limit, seed, with_targets=targets)
    if not items:
        raise typer.BadParameter("there is no sentence in them", param_hint="FILE")
    groups = _groups(together or [], {name for name, _ in items})
    evaluation = Evaluation(
        model or models_dir() / MODEL, out, Options(min_confidence=min_confidence), device
    )
    found = evaluation.run(items, watch, groups)
    if json_output:
        typer.echo(json.dumps(as_json(found, evaluation.settings), indent=2))
    else:
        from rich.console import Console

        from tutor.cli.scores import show_scores

        show_scores(found, Console(highlight=False))


def watch(work: Iterable[T], title: str, total: int) -> Iterable[T]:
    """Show a progress bar on stderr, if that is a terminal."""
    from rich.console import Console
    from rich.progress import track

    shown = sys.stderr.isatty()
    return track(work, title, total=total, console=Console(stderr=True), transient=True, disable=not shown)


def _groups(together: list[str], names: set[str]) -> dict[str, list[str]]:
    groups = {}
    for text in together:
        name, equals, joined = text.partition("=")
        sets = joined.split(",")
        if not (name and equals) or name in names:
            raise typer.BadParameter(f"{text!r} is not NAME=A,B with a new NAME", param_hint="--together")
        if unknown := [each for each in sets if each not in names]:
            known = ", ".join(sorted(names))
            raise typer.BadParameter(f"{unknown[0]!r} is none of {known}", param_hint="--together")
        groups[name] = sets
    return groups
