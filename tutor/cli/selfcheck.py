"""``tutor selfcheck``: is this installation sound, and does the mask hold against random logits."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from tutor.selfcheck import CheckedStep


def selfcheck(
    random_steps: Annotated[
        int, typer.Option(min=0, metavar="N", help="Decode N steps with random logits and check each.")
    ] = 0,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the random steps.")] = 0,
    model: Annotated[
        Path | None,
        typer.Option(
            exists=True, file_okay=False, metavar="DIR", help="Model folder, the shipped one by default."
        ),
    ] = None,
) -> None:
    """Check that the mask is applied and the weights are intact, then hunt for ungrounded steps."""
    from tutor.agent.tutor import MODEL
    from tutor.decoding.mask import canary
    from tutor.decoding.tokenizer import Tokenizer
    from tutor.decoding.weights import check_manifest
    from tutor.paths import models_dir

    folder = model or models_dir() / MODEL
    tokenizer = Tokenizer(folder)
    canary(tokenizer)
    typer.echo("canary: the mask is applied")
    typer.echo(f"checksums: {check_manifest(folder)} files as in {folder / 'SHA256SUMS'}")
    if random_steps:
        from tutor.selfcheck import random_steps as decoded

        _hunt(islice(decoded(tokenizer, seed), random_steps), random_steps)


def _hunt(steps: Iterable[CheckedStep], total: int) -> None:
    from rich.console import Console
    from rich.progress import track

    counts: Counter[str] = Counter()
    watched = track(
        steps,
        "Random steps",
        total=total,
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    for number, step in enumerate(watched, start=1):
        if step.violations:
            _show_violation(number, step)
            raise typer.Exit(1)
        counts[_kind(step.text)] += 1
    for kind, count in counts.most_common():
        typer.echo(f"{count:>8}  {kind}")
    typer.echo(f"{total:>8}  random steps, no violation of G1 to G6")


def _kind(text: str) -> str:
    step = json.loads(text)
    if step["next"] == "tool_call":
        return f"calls of {step['tool']}"
    answer = step["answer"]
    if answer["corrected"] is not None:
        return "answers with a correction"
    return "answers without a change" if answer["in_scope"] else "answers out of scope"


def _show_violation(number: int, step: CheckedStep) -> None:
    typer.echo(f"step {number} is not grounded", err=True)
    typer.echo(f"sentence: {json.dumps(step.sentence)}", err=True)
    typer.echo(f"step:     {json.dumps(step.text)}", err=True)
    for violation in step.violations:
        typer.echo(f"{violation.guarantee}: {violation.message}", err=True)
