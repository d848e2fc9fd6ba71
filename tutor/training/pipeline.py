"""The whole training, stage by stage; each keeps its result in one folder, and one that is there is not made again."""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from tutor.decoding.model import TransformersModel
from tutor.decoding.weights import write_manifest
from tutor.evaluation.evaluate import Evaluation, require_extra
from tutor.evaluation.ledger import Ledger, NamedItem, named_items
from tutor.paths import corpus_dir
from tutor.planner.choice import ChoiceWeights
from tutor.planner.planner import Planner, PlannerOptions
from tutor.training.calibrate import calibrate, write
from tutor.training.card import write_card
from tutor.training.finetune import Trainer
from tutor.training.oracle import read_pairs, traces
from tutor.training.pairs import generate, write_rows
from tutor.training.publish import publish
from tutor.training.settings import Sets, Settings
from tutor.training.stream import examples
from tutor.training.weighed import WeighedSentence, read_weighed, weigh_all

Watch = Callable[[Iterable[Any], str, int], Iterable[Any]]
"""Show the progress of work: what comes in, what it is called, how many there will be."""

_STRICT = ("seed", "base", "adapter", "data", "finetune")


class Training:
    """A training in a folder.

    Parameters
    ----------
    settings : Settings
        What to do.
    out : Path
        The folder: ``pairs.jsonl``, ``traces.jsonl``, ``finetune/``, ``weighed.jsonl``, ``calibration/``, ``evaluation/``,
        and ``model/``, the model folder that comes out.
    device : str
        As for `Tutor.load`.
    watch : callable
        Shows the progress.

    Raises
    ------
    ValueError
        If the settings name no sentences, or the folder holds a training with other data or another fine-tuning.
    """

    def __init__(self, settings: Settings, out: Path, device: str, watch: Watch) -> None:
        if not settings.data.sentences:
            raise ValueError(
                "no sentences to train on: name files of clean sentences in [data] of the configuration"
            )
        self.settings, self.out, self.device, self._watch = settings, out, device, watch
        self.pairs, self.traces = out / "pairs.jsonl", out / "traces.jsonl"
        self.weighed, self.model = out / "weighed.jsonl", out / "model"
        out.mkdir(parents=True, exist_ok=True)
        self._claim()

    def _claim(self) -> None:
        """Keep the settings in the folder; those of the stages behind the fine-tuning may change from run to run."""
        path = self.out / "settings.json"
        wanted = self.settings.model_dump(mode="json")
        if path.is_file():
            kept = json.loads(path.read_text("utf-8"))
            if other := [name for name in _STRICT if kept.get(name) != wanted[name]]:
                raise ValueError(
                    f"{self.out} holds a training with another {other[0]!r}; choose another folder"
                )
        path.write_text(json.dumps(wanted, indent=2) + "\n", "utf-8")

    def run(self) -> Iterator[str]:
        """Run the stages that are left, and say after each one what there is now."""
        require_extra()
        yield self._make_pairs()
        yield self._make_traces()
        yield self._finetune()
        self._assemble()
        if self.settings.weigh.sets:
            yield self._weigh()
            yield self._calibrate()
        yield self._evaluate()

    def _make_pairs(self) -> str:
        data = self.settings.data
        if not self.pairs.is_file():
            found = generate(data.sentences, data.pairs, self.settings.seed)
            rows = (dataclasses.asdict(pair) for pair in found)
            write_rows(self._watch(rows, "Sentence pairs", data.pairs), self.pairs)
        return f"sentence pairs: {self.pairs}"

    def _make_traces(self) -> str:
        if not self.traces.is_file():
            n = self.settings.data.traces
            rows = traces(islice(read_pairs(self.pairs), n))
            write_rows(self._watch(rows, "Oracle traces", n), self.traces)
        return f"oracle traces: {self.traces}"

    def _finetune(self) -> str:
        folder, config = self.out / "finetune", self.settings.finetune
        trainer = Trainer(self.settings.base, folder, config, self.device, self.settings.adapter)
        if left := config.steps - trainer.step:
            stream = examples(
                self.settings.base, self.pairs, self.traces,
                pairs_per_trace=config.pairs_per_trace, skip=trainer.step * config.batch,
            )  # fmt: skip
            with (self.out / "finetune.jsonl").open("a", encoding="utf-8") as log:
                for figures in self._watch(trainer.train(stream), "Fine-tuning", left):
                    log.write(json.dumps(figures) + "\n")
                    log.flush()
        return f"adapter after {trainer.step} steps: {folder / 'adapter'}"

    def _assemble(self) -> None:
        """Lay the adapter beside the base weights, with the choice of the base folder until it is fitted anew."""
        skipped = shutil.ignore_patterns("adapter", "README.md", "SHA256SUMS", "choice.json", "*.png")
        shutil.copytree(self.settings.base, self.model, ignore=skipped, dirs_exist_ok=True)
        choice = next(
            (p for p in (self.out / "calibration", self.settings.base) if (p / "choice.json").is_file()), None
        )
        publish(self.out / "finetune", self.model, choice and choice / "choice.json")

    def _weigh(self) -> str:
        items = _items(self.settings.weigh, self.settings.seed)
        ledger = Ledger(self.weighed, WeighedSentence)
        if missing := ledger.missing(items):
            model = TransformersModel(self.model, self.device)
            planner = Planner(model, ChoiceWeights.load(self.model), PlannerOptions())
            for _ in self._watch(
                ledger.fill(items, lambda todo: weigh_all(planner, todo)), "Weighing", missing
            ):
                pass
        return f"weighed candidates of {len(items)} sentences: {self.weighed}"

    def _calibrate(self) -> str:
        wanted = {(name, item.source) for name, item in _items(self.settings.weigh, self.settings.seed)}
        sentences = [row for row in read_weighed(self.weighed) if (row.set, row.source) in wanted]
        found = calibrate(sentences, self.settings.calibrate.without)
        write(found, self.out / "calibration")
        publish(self.out / "finetune", self.model, self.out / "calibration" / "choice.json")
        error = (
            f", expected calibration error {found.reliability.error.value:.3f}" if found.reliability else ""
        )
        return f"choice fitted: edits from a confidence of {found.shipped.min_confidence} on{error}"

    def _evaluate(self) -> str:
        settings = self.settings.evaluate
        own = sorted((corpus_dir() / "heldout").glob("*.jsonl"))
        items = _items(settings.model_copy(update={"sets": [*own, *settings.sets]}), self.settings.seed)
        folder = self.out / "evaluation"
        evaluation = Evaluation(self.model, folder, device=self.device)
        evaluation.run(items, self._watch, settings.together)
        calibration = self.out / "calibration" / "calibration.json"
        write_card(
            self.model, folder / "scores.json", calibration if calibration.is_file() else None, self.settings
        )
        write_manifest(self.model)
        return f"model with its card: {self.model}; scores: {folder / 'scores.json'}"


def _items(sets: Sets, seed: int) -> list[NamedItem]:
    return named_items(sets.sets, sets.limit or None, seed, with_targets=sets.targets)
