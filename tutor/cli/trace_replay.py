"""``tutor trace diff``, ``replay``, ``counterfactual``: runs against others, against themselves, and without their mask."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tutor.cli.correct import Device, Model
from tutor.cli.trace import TraceFile, read
from tutor.cli.trace_stats import Reference, references

if TYPE_CHECKING:
    from tutor.inspection.counterfactual import Counterfactual
    from tutor.inspection.replay import Replay
    from tutor.tracing.diff import Diff
    from tutor.tracing.files import RunTrace

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object for each run.")]


def trace_diff(
    first: TraceFile,
    second: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="Another such file.")],
    json_output: Json = False,
) -> None:
    """Compare runs of the same sentences: where they part, and how the probabilities of their decisions differ."""
    from rich.console import Console

    from tutor.tracing.diff import diff
    from tutor.tracing.stats_view import show_diff
    from tutor.tracing.view import counted, printable

    runs, others = read(first), read(second)
    by_sentence = {run.header.sentence: run for run in others}
    pairs = [(run, by_sentence[run.header.sentence]) for run in runs if run.header.sentence in by_sentence]
    if not pairs:
        raise ValueError(f"{first} and {second} have no sentence in common")
    console = Console(highlight=False)
    for number, (run, other) in enumerate(pairs):
        found = diff(run, other)
        if json_output:
            typer.echo(json.dumps(_diff_json(run, found), ensure_ascii=False))
        else:
            console.print("\n" * (number > 0), end="")
            show_diff(run, found, console)
    alone = [_not_among(runs, (run for run, _ in pairs)), _not_among(others, (other for _, other in pairs))]
    if any(alone) and json_output:
        typer.echo(json.dumps({"without_counterpart": alone}, ensure_ascii=False))
    elif any(alone):
        numbers = f"{counted(len(alone[0]), 'run')} of {first}, {len(alone[1])} of {second}"
        typer.echo(f"\n{printable(f'without a counterpart: {numbers}')}")


def _not_among(runs: Iterable[RunTrace], compared: Iterable[RunTrace]) -> list[str]:
    """Return the ids of the runs that were not compared."""
    known = set(map(id, compared))
    return [run.header.sentence_id for run in runs if id(run) not in known]


def trace_replay(
    file: TraceFile,
    model: Model = None,
    device: Device = "auto",
    another_model: Annotated[
        bool, typer.Option("--another-model", help="Go on though the weights are not those of the trace.")
    ] = False,
    json_output: Json = False,
) -> None:
    """Decode every run again and verify it to the token; the exit code is 1 when one differs."""
    from rich.console import Console

    from tutor.inspection.replay import replay
    from tutor.tracing.stats_view import show_diff
    from tutor.tracing.view import counted

    console, exact, total, drift = Console(highlight=False), 0, 0, 0.0
    for found in replay(read(file), _folder(model), device, another_model=another_model):
        total, exact, drift = total + 1, exact + found.exact, max(drift, found.drift)
        if json_output:
            typer.echo(json.dumps(_replay_json(found), ensure_ascii=False))
        elif not found.exact:
            show_diff(found.run, found.diff, console)
    if not json_output:
        typer.echo(
            f"the same to the token: {exact} of {counted(total, 'run')}; probabilities moved by {drift:.1e} at most"
        )
    if exact < total:
        raise typer.Exit(1)


def trace_counterfactual(
    source: Annotated[
        str, typer.Argument(metavar="FILE|SENTENCE", help="A trace, or a sentence to run first.")
    ],
    reference: Reference = None,
    model: Model = None,
    device: Device = "auto",
    json_output: Json = False,
) -> None:
    """Tell what the model would have said at each step with no mask, with the form alone, and with the grounded mask."""
    from rich.console import Console

    from tutor.decoding.model import TransformersModel
    from tutor.inspection.counterfactual import counterfactuals
    from tutor.inspection.view import show_counterfactual
    from tutor.tracing.view import show_title

    accepted, console, folder = references(reference), Console(highlight=False), _folder(model)
    weights = TransformersModel(folder, device)
    with _runs(source, weights, folder) as runs:
        for run in runs:
            found = counterfactuals(run, weights, accepted.get(run.header.sentence, ()))
            if json_output:
                typer.echo(json.dumps(_counterfactual_json(run, found), ensure_ascii=False))
                continue
            show_title(run, console)
            for each in found:
                show_counterfactual(each, console)


def _folder(model: Path | None) -> Path:
    from tutor.agent.tutor import MODEL
    from tutor.paths import models_dir

    return model or models_dir() / MODEL


@contextmanager
def _runs(source: str, model: Any, folder: Path) -> Iterator[list[RunTrace]]:
    """Give the runs of a trace file, or the run of a sentence that is corrected now."""
    if Path(source).is_file():
        yield read(Path(source))
        return
    from tutor.agent.tutor import Tutor
    from tutor.planner.choice import ChoiceWeights
    from tutor.tracing.files import TraceWriter

    with TemporaryDirectory() as scratch:
        path = Path(scratch, "trace.jsonl")
        with TraceWriter(path) as trace:
            Tutor(model, ChoiceWeights.load(folder), folder=folder).correct(source, trace=trace)
        yield read(path)


def _diff_json(run: RunTrace, found: Diff) -> dict[str, Any]:
    return {
        "sentence_id": run.header.sentence_id,
        "settings": found.settings,
        "divergence": found.divergence and asdict(found.divergence),
        "decisions": [
            {
                "step": pair.step, "token": pair.token, "path": pair.path, "texts": [pair.one.text, pair.other.text],
                "logprob_after": [pair.one.logprob_after, pair.other.logprob_after],
                "blocked_mass": [pair.one.blocked_mass, pair.other.blocked_mass], "difference": pair.difference,
            }
            for pair in found.decisions
        ],
        "alternatives": [asdict(row) for row in found.alternatives],
    }  # fmt: skip


def _replay_json(found: Replay) -> dict[str, Any]:
    divergence = found.diff.divergence
    return {
        "sentence_id": found.run.header.sentence_id, "exact": found.exact, "drift": found.drift,
        "divergence": divergence and asdict(divergence), "settings": found.diff.settings,
    }  # fmt: skip


def _counterfactual_json(run: RunTrace, found: Iterator[Counterfactual]) -> dict[str, Any]:
    steps = [
        {
            "step": each.step,
            "sayings": [asdict(saying) | {"grounded": saying.grounded} for saying in each.sayings],
        }
        for each in found
    ]
    return {"sentence_id": run.header.sentence_id, "sentence": run.header.sentence, "steps": steps}
