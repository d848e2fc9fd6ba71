"""Decode a run again from its trace, and verify it to the token."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

from tutor.agent.tutor import Options, Tutor, model_info
from tutor.decoding.model import TransformersModel
from tutor.inspection.results import check_own
from tutor.planner.choice import ChoiceWeights
from tutor.planner.planner import PlannerOptions
from tutor.tracing.diff import Diff, diff
from tutor.tracing.files import RunTrace, TraceWriter, read_runs
from tutor.tracing.records import HeaderRecord, Level


class ReplayError(ValueError):
    """A run that cannot be replayed as it was."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A run and its replay.

    Attributes
    ----------
    run, again : RunTrace
        The run as recorded and as decoded again.
    diff : Diff
        How they compare.
    """

    run: RunTrace
    again: RunTrace
    diff: Diff

    @property
    def exact(self) -> bool:
        """Whether every token, observation and end is the same."""
        return self.diff.divergence is None

    @property
    def drift(self) -> float:
        """The largest change of the probability of a decision, 0 to 1."""
        return max((abs(pair.difference or 0.0) for pair in self.diff.decisions), default=0.0)


def replay(
    runs: Iterable[RunTrace], folder: Path, device: str = "auto", *, another_model: bool = False
) -> Iterator[Replay]:
    """Decode runs again and compare.

    Runs that were decoded together are decoded together again, as a batch is part of the arithmetic: give all of them.

    Parameters
    ----------
    runs : iterable of RunTrace
        The runs, in their order.
    folder : Path
        Model folder.
    device : str
        Device to decode on.
    another_model : bool
        Whether to go on when the weights or the tokenizer are not those of the trace.

    Raises
    ------
    ReplayError
        When they are not and `another_model` is false, or a run was cut short.
    ValueError
        When a run is of another generator.
    """
    model = TransformersModel(folder, device)
    for _, batch in groupby(
        runs, key=lambda run: (run.header.level, json.dumps(run.header.config, sort_keys=True))
    ):
        first = next(batch)
        check_own(first.header)
        tutor = _tutor(first.header, model, folder)
        width = first.header.config.get("width", 1)
        for part in _parts(first, batch, alone=width == 1):
            for run in part:
                _check(run, folder, another_model=another_model)
            yield from _again(part, tutor, width)


def _parts(first: RunTrace, rest: Iterable[RunTrace], *, alone: bool) -> Iterator[list[RunTrace]]:
    if not alone:
        yield [first, *rest]
        return
    yield [first]
    yield from ([run] for run in rest)


def _check(run: RunTrace, folder: Path, *, another_model: bool) -> None:
    name, recorded, loaded = run.header.sentence_id, run.header.model, model_info(folder)
    if run.final is None:
        raise ReplayError(f"run {name} was cut short: there is no end to compare with")
    if another_model:
        return
    for what, theirs, ours in (
        ("weights", recorded.sha256, loaded.sha256),
        ("tokenizer", recorded.tokenizer_sha256, loaded.tokenizer_sha256),
    ):
        if theirs != ours:
            raise ReplayError(
                f"run {name} was decoded by {recorded.name} with {what} {theirs[:12]}, but {folder} has {ours[:12]}: "
                "give that model to --model, or --another-model to compare the two"
            )


def _tutor(header: HeaderRecord, model: TransformersModel, folder: Path) -> Tutor:
    config = header.config
    options = PlannerOptions(
        tools=tuple(config["tools"]), whole_alternatives=config["whole_alternatives"], engine=config["engine"]
    )
    return Tutor(model, ChoiceWeights.load(folder), options, folder)


def _again(runs: list[RunTrace], tutor: Tutor, width: int) -> Iterator[Replay]:
    header = runs[0].header
    options = Options(**{field.name: header.config[field.name] for field in fields(Options)})
    with TemporaryDirectory() as folder:
        path = Path(folder, "trace.jsonl")
        with TraceWriter(path, header.level or Level.decisions) as trace:
            if width == 1:
                tutor.correct(header.sentence, options, trace, header.sentence_id)
            else:
                sentences, ids = (
                    [run.header.sentence for run in runs],
                    [run.header.sentence_id for run in runs],
                )
                list(tutor.correct_many(sentences, options, ids=ids, trace=trace, width=width))
        for run, again in zip(runs, read_runs(path), strict=True):
            yield Replay(run, again, diff(run, again))
