"""``tutor correct``: sentences in, grounded corrections out, in order and as soon as each is there."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tutor.cli.sentences import STDIN, read_sentences

if TYPE_CHECKING:
    from tutor.agent.state import Correction

DEVICE = re.compile(r"auto|cpu|mps|cuda(:\d+)?")


def _device(name: str) -> str:
    if not DEVICE.fullmatch(name):
        raise typer.BadParameter(f"{name!r} is none of auto, cpu, mps, cuda, cuda:N")
    return name


Sentences = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SENTENCE",
        help="Sentences, each in quotes; - or a pipe reads one a line, blank lines skipped.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object for each sentence.")]
Language = Annotated[Literal["en", "es"], typer.Option(help="Language of reasons and messages.")]
Scope = Annotated[
    Literal["all", "beginner"], typer.Option(help="All of English, or only what a first course teaches.")
]
Confidence = Annotated[
    float | None, typer.Option(min=0, max=1, metavar="P", help="Drop edits that are less sure.")
]
Steps = Annotated[int, typer.Option(min=1, max=8, metavar="N", help="Steps before a run is stopped.")]
Sample = Annotated[bool, typer.Option("--sample", help="Sample the decisions instead of taking the best.")]
Seed = Annotated[int | None, typer.Option(metavar="N", help="Seed of --sample, 0 unless given.")]
Trace = Annotated[
    Path | None, typer.Option(dir_okay=False, metavar="FILE", help="Write a trace as JSON lines.")
]
TraceLevel = Annotated[
    Literal["steps", "decisions", "full"],
    typer.Option(
        help="What the trace holds: steps; every decision of the mask too; forced tokens weighed as well."
    ),
]
Model = Annotated[
    Path | None,
    typer.Option(
        exists=True, file_okay=False, metavar="DIR", help="Weights to use instead of the shipped ones."
    ),
]
Device = Annotated[
    str, typer.Option(callback=_device, metavar="NAME", help="auto, cpu, mps, cuda or cuda:N.")
]
Engine = Annotated[
    Literal["tutor", "outlines"], typer.Option(help="Who decodes under the mask: tutor itself, or Outlines.")
]


def correct(
    sentences: Sentences = None,
    json_output: Json = False,
    lang: Language = "en",
    scope: Scope = "all",
    min_confidence: Confidence = None,
    max_steps: Steps = 8,
    sample: Sample = False,
    seed: Seed = None,
    trace: Trace = None,
    trace_level: TraceLevel = "decisions",
    model: Model = None,
    device: Device = "auto",
    engine: Engine = "tutor",
) -> None:
    """Correct the verbs of English sentences and say why."""
    arguments = sentences or []
    if not arguments and _at_terminal():
        raise typer.BadParameter("give one in quotes, or - to type them a line each", param_hint="SENTENCE")
    if seed is not None and not sample:
        raise typer.BadParameter("only --sample uses a seed", param_hint="--seed")

    from tutor.agent.tutor import Options, Tutor
    from tutor.tracing.files import TraceWriter
    from tutor.tracing.records import Level

    options = Options(
        lang=lang,
        scope=scope,
        min_confidence=min_confidence,
        max_steps=max_steps,
        seed=(seed or 0) if sample else None,
    )
    show = _show_json if json_output else _human(lang)
    with TraceWriter(trace, Level(trace_level)) if trace else nullcontext() as writer:
        tutor = Tutor.load(model, device=device, engine=engine)
        for number, sentence in enumerate(_watched(arguments), start=1):
            show(tutor.correct(sentence, options, trace=writer, sentence_id=str(number)))


def _at_terminal() -> bool:
    return sys.stdin.isatty()


def _watched(arguments: list[str]) -> Iterator[str]:
    """Yield the sentences; with a progress bar on stderr where the answers do not go to the terminal."""
    sentences = read_sentences(arguments)
    total = None if not arguments or STDIN in arguments else len(arguments)
    if total == 1 or not sys.stderr.isatty() or sys.stdout.isatty():
        return sentences

    from rich.console import Console
    from rich.progress import track

    return iter(track(sentences, "Correcting", total=total, console=Console(stderr=True), transient=True))


def _show_json(correction: Correction) -> None:
    typer.echo(correction.model_dump_json())


def _human(lang: Literal["en", "es"]) -> Callable[[Correction], None]:
    from rich.console import Console

    from tutor.cli.render import show_correction

    console = Console(highlight=False)
    shown = 0

    def show(correction: Correction) -> None:
        nonlocal shown
        if shown:
            console.print()
        shown += 1
        show_correction(correction, console, lang)

    return show
