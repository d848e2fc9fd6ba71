"""``tutor train``: from clean sentences to a model folder with its card."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tutor.cli.correct import Device
from tutor.cli.eval import watch

Config = Annotated[
    Path | None,
    typer.Option(
        exists=True,
        dir_okay=False,
        metavar="FILE.toml",
        help="Settings that differ from the shipped ones; at least [data] sentences.",
    ),
]
Out = Annotated[
    Path,
    typer.Option(
        file_okay=False, metavar="DIR", help="Folder of all results; an interrupted training goes on."
    ),
]


def _print_config(wanted: bool) -> None:
    if wanted:
        from tutor.training.settings import shipped

        typer.echo(shipped(), nl=False)
        raise typer.Exit


PrintConfig = Annotated[
    bool,
    typer.Option("--print-config", callback=_print_config, is_eager=True, help="Print the shipped settings."),
]


def train(
    config: Config = None,
    out: Out = Path("training"),
    device: Device = "auto",
    print_config: PrintConfig = False,
) -> None:
    """Train a model: data, oracle traces, fine-tuning under the mask, calibration, a model folder and its card."""
    from tutor.training.pipeline import Training
    from tutor.training.settings import load

    for message in Training(load(config), out, device, watch).run():
        typer.echo(message)
