"""What each choice of the training buys: variants of it, trained alike on sentence pairs and judged on held-out ones.

``python -m tutor.training.ablation --pairs FILE --out DIR`` measures what DIR lacks; ``ablation.json`` and ``.md`` tell all.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import cross_entropy, linear
from torch.nn.utils import parameters_to_vector, vector_to_parameters

from tutor.agent.tutor import MODEL
from tutor.decoding.model import TransformersModel
from tutor.decoding.tokenizer import Tokenizer
from tutor.evaluation.intervals import draws, interval, share
from tutor.paths import models_dir
from tutor.planner.prompt import rewrite_prompt
from tutor.training.descent import Config, Descent, Loss, batches, decision_logits, loss_under_mask, padded
from tutor.training.examples import Example
from tutor.training.finetune import add_lora
from tutor.training.stream import HELD_OUT, example, rows
from tutor.training.tables import Json, ablation_table

REFERENCE = Config(first_layer=15, learning_rate=6e-4, warmup=7, steps=100, seed=5)
_EIGHTHS, _CURVE = 8, (1, 2, 4, 8)  # checkpoints of a run, and at which of them the reference is judged
_AVERAGED, _JUDGED = 3, 400  # checkpoints at its end whose weights are averaged; held-out examples


@dataclass(frozen=True, slots=True)
class Sample(Example):
    """The example of a sentence pair: where its corrected sentence begins, and whether the learner's has an error."""

    start: int
    broken: bool


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to train: its settings, its loss, LoRA or the weights of the layers themselves, the last step or a curve."""

    name: str
    config: Config
    loss: Loss = loss_under_mask
    lora: bool = True
    curve: bool = False


def variants(config: Config) -> list[Variant]:
    """Return the variants of a training under settings, the reference first."""
    rate = config.learning_rate
    return [
        Variant("LoRA, upper layers, loss under the mask", config, curve=True),
        Variant("plain loss", config, loss=plain_loss),
        Variant("full fine-tuning", replace(config, learning_rate=5e-5), lora=False),
        Variant("LoRA, all layers", replace(config, first_layer=0)),
        Variant("full fine-tuning, four times the rate", replace(config, learning_rate=2e-4), lora=False),
        *(
            Variant(
                f"LoRA, all layers, {n} times the rate",
                replace(config, first_layer=0, learning_rate=n * rate),
            )
            for n in (2.5, 5)
        ),
    ]


def scaled(config: Config, steps: int) -> Config:
    """Return settings for another number of steps, with a warm-up as long in proportion."""
    return replace(config, steps=steps, warmup=max(1, round(config.warmup * steps / config.steps)))


def plain_loss(
    hidden: torch.Tensor, head: torch.Tensor, batch: Sequence[Sample]
) -> tuple[torch.Tensor, int, int]:
    """Return the cross-entropy over the whole vocabulary at each token of the corrected sentences, as `Loss` says."""
    states = [hidden[row, sample.start - 1 : len(sample.ids) - 1] for row, sample in enumerate(batch)]
    gold = torch.tensor([token for sample in batch for token in sample.ids[sample.start :]]).to(hidden.device)
    logits = linear(torch.cat(states), head).float()
    loss = cross_entropy(logits, gold, reduction="sum")
    return loss, int((logits.argmax(1) == gold).sum()), len(gold)


def samples(model: Path, pairs: Iterable[Json]) -> Iterator[Sample]:
    """Yield the examples of sentence pairs, leaving out those that have nothing to learn from or are too long."""
    tokenizer = Tokenizer(model)
    for pair in pairs:
        if found := example((model, pair)):
            start = len(tokenizer.encode(rewrite_prompt(pair["source"])))
            yield Sample(found.ids, found.decisions, start, pair["source"] != pair["target"])


class Learner:
    """The base model made ready for a variant of the training."""

    def __init__(self, model: Path, variant: Variant) -> None:
        loaded = TransformersModel(model, adapter=False)
        lm = loaded.causal_lm.requires_grad_(False)
        self._head, self._batch = lm.lm_head.weight, variant.config.batch
        if variant.lora:
            torch.manual_seed(variant.config.seed)
            add_lora(lm, variant.config)
        else:
            lm.model.layers[variant.config.first_layer :].float().requires_grad_(True)
        self.parameters = [parameter for parameter in lm.parameters() if parameter.requires_grad]
        self.descent = Descent(lm.model, self._head, self.parameters, variant.config, variant.loss)

    @torch.no_grad()
    def decide(self, found: Example) -> list[bool]:
        """Return of each decision of an example whether the model makes it right."""
        hidden = self.descent.decode(*padded([found], self._head.device), use_cache=False).last_hidden_state
        logits, gold = decision_logits(hidden, self._head, [found])
        right: list[bool] = (logits.argmax(1) == gold).tolist()
        return right

    @torch.no_grad()
    def judge(self, judged: Sequence[Sample]) -> list[list[float]]:
        """Return of each sentence its log-loss under the mask, right decisions, decisions, and whether it has an error."""
        found: list[list[float]] = []
        for start in range(0, len(judged), self._batch):
            batch = judged[start : start + self._batch]
            hidden = self.descent.decode(*padded(batch, self._head.device), use_cache=False).last_hidden_state
            logits, gold = decision_logits(hidden, self._head, batch)
            rates = torch.stack([cross_entropy(logits, gold, reduction="none"), logits.argmax(1) == gold], 1)
            counts = [len(sample.decisions) for sample in batch]
            for each, sample in zip(torch.split(rates, counts), batch, strict=True):
                found.append([*each.sum(0).tolist(), len(each), sample.broken])
        return found


class Ablation:
    """Variants trained on the same examples in the same order, and judged on held-out pairs.

    Parameters
    ----------
    model, pairs : Path
        The base model's folder, and a file of sentence pairs, whose head is held out.
    out : Path
        Folder of the results, a file for each variant; those that are there are not measured again.
    config, say : Config, callable
        Settings of the reference; what shows the progress.
    """

    def __init__(
        self, model: Path, pairs: Path, out: Path, config: Config, say: Callable[[str], None]
    ) -> None:
        self.model, self.pairs, self.out, self.config, self._say = model, pairs, out, config, say
        with pairs.open(encoding="utf-8") as lines:
            self._held_out = [json.loads(line) for line in islice(lines, HELD_OUT)]
        judged = islice(samples(model, self._held_out), _JUDGED)
        self._judged = sorted(judged, key=lambda sample: len(sample.ids))

    @cached_property
    def batches(self) -> list[list[Sample]]:
        """The batches that every variant trains on; a pair with the correction of a held-out one is not in them."""
        known = {pair["target"] for pair in self._held_out}
        new = (pair for pair in rows(self.pairs) if pair["target"] not in known)
        found = islice(samples(self.model, new), self.config.steps * self.config.batch)
        return list(batches(found, self.config.batch, random.Random(self.config.seed)))

    def run(self) -> str:
        """Measure what is left, write the results after each variant, and return their table."""
        self.out.mkdir(parents=True, exist_ok=True)
        found: list[Json] = []
        for number, variant in enumerate(variants(self.config)):
            path = self.out / f"variant-{number}.json"
            settings = asdict(variant.config) | {"pairs": str(self.pairs), "judged": len(self._judged)}
            if not path.is_file():
                path.write_text(json.dumps({"settings": settings, **self._measure(variant)}), "utf-8")
            found.append(json.loads(path.read_text("utf-8")))
            if found[-1]["settings"] != settings:
                raise ValueError(f"{self.out} holds an ablation with other settings; choose another folder")
            results = summary(found)
            (self.out / "ablation.json").write_text(json.dumps(results, indent=2) + "\n", "utf-8")
            (self.out / "ablation.md").write_text(ablation_table(results) + "\n", "utf-8")
        return ablation_table(results)

    def _measure(self, variant: Variant) -> Json:
        learner = Learner(self.model, variant)
        checkpoints = {variant.config.steps * eighth // _EIGHTHS: eighth for eighth in range(1, _EIGHTHS + 1)}
        points: list[Json] = []
        seconds: list[float] = []
        last: deque[torch.Tensor] = deque(maxlen=_AVERAGED)

        def judge(name: str, step: int) -> None:
            points.append({"name": name, "step": step, "sentences": learner.judge(self._judged)})
            loss, _, decisions, _ = map(sum, zip(*points[-1]["sentences"], strict=True))
            self._say(f"{name}: {loss / decisions:.4f} on held-out pairs after {step} steps")

        if variant.curve:
            judge("before training", 0)
        for figures in map(learner.descent.descend, self.batches):
            step = int(figures["step"])
            seconds.append(figures["seconds"])
            self._say(f"{variant.name}: step {step}  loss {figures['loss']:.4f}  {seconds[-1]:.1f} s")
            if eighth := checkpoints.get(step):
                last.append(parameters_to_vector(learner.parameters).detach())
                if eighth == _EIGHTHS or (eighth in _CURVE and variant.curve):
                    judge(variant.name, step)
        if variant.curve:
            vector_to_parameters(torch.stack([*last]).mean(0), learner.parameters)
            judge(f"{variant.name}, last {len(last)} of {_EIGHTHS} checkpoints averaged", step)
        return {"parameters": last[-1].numel(), "seconds": median(seconds), "points": points}


def summary(measured: Sequence[Json]) -> list[Json]:
    """Return the figures of each point at which a variant was judged, with intervals: losses, shares that are right."""
    points = [(variant, point) for variant in measured for point in variant["points"]]
    reference = next(np.array(p["sentences"]) for v, p in points if p["step"] == v["settings"]["steps"])
    found = []
    for variant, point in points:
        sentences = np.array(point["sentences"])
        row = {"name": point["name"], "step": point["step"]}
        row |= {"parameters": variant["parameters"], "seconds": variant["seconds"]}
        row["against"] = _rate(sentences[:, 0] - reference[:, 0], reference[:, 2])
        for name, broken in {"with an error": 1, "without": 0}.items():
            loss, right, decisions, _ = sentences[sentences[:, 3] == broken].T
            rates = {"loss": _rate(loss, decisions), "decisions": _rate(right, decisions)}
            row[name] = {"n": len(loss), **rates, "sentences": _rate(right == decisions, np.ones(len(loss)))}
        found.append(row)
    return found


def _rate(part: NDArray[Any], whole: NDArray[Any]) -> Json:
    return asdict(interval(np.column_stack([part, whole]), share, draws(len(part))))


def main() -> None:
    """Measure the variants from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=Path, required=True, help="sentence pairs, from tutor.training.pairs")
    parser.add_argument("--out", type=Path, required=True, help="folder of the results")
    parser.add_argument("--steps", type=int, default=100, help="of each variant")
    parser.add_argument("--model", type=Path, default=models_dir() / MODEL, help="the base model's folder")
    args = parser.parse_args()
    config = scaled(REFERENCE, args.steps)
    print(Ablation(args.model, args.pairs, args.out, config, partial(print, flush=True)).run())


if __name__ == "__main__":
    main()
