"""Fine-tuning under the mask: a LoRA adapter on the upper layers, trained where decoding has a choice and nowhere else.

``python -m tutor.training.finetune --pairs FILE --traces FILE --out DIR`` trains, or goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import torch
from safetensors.torch import load_file, save_file
from torch import nn

from tutor.agent.tutor import MODEL
from tutor.decoding.model import TransformersModel
from tutor.paths import models_dir
from tutor.training.examples import Example
from tutor.training.stream import examples

AnyExample = TypeVar("AnyExample", bound=Example)

MATRICES = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")


@dataclass(frozen=True, slots=True)
class Config:
    """Settings of a training run.

    Attributes
    ----------
    rank, alpha : int
        LoRA's rank and scale.
    first_layer : int
        Layers below it stay as they are.
    batch : int
        Examples a step.
    learning_rate : float
        Peak; warmed up linearly, then decayed along a cosine to a tenth.
    warmup : int
        Steps of the warm-up.
    steps : int
        Steps in all.
    save_every : int
        Steps between checkpoints.
    pairs_per_trace : int
        Sentence pairs between two whole runs.
    seed : int
        Seed of initialisation and order.
    """

    rank: int = 16
    alpha: int = 32
    first_layer: int = 10
    batch: int = 32
    learning_rate: float = 5e-4
    warmup: int = 100
    steps: int = 3000
    save_every: int = 250
    pairs_per_trace: int = 3
    seed: int = 1


Loss = Callable[[torch.Tensor, torch.Tensor, Sequence[Any]], tuple[torch.Tensor, int, int]]
"""From last hidden states, head and batch: the summed loss, how many predictions were right, and of how many."""


def decision_logits(
    hidden: torch.Tensor, head: torch.Tensor, examples: Sequence[Example]
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the logits of what may compete in each decision of a batch, padded with -inf, and the right ones' places.

    Parameters
    ----------
    hidden : tensor, shape (examples, tokens, width)
        Last hidden states.
    head : tensor, shape (vocabulary, width)
        The output head; only the rows of allowed tokens are used.
    examples : sequence of Example
        The batch, in the order of `hidden`.
    """
    decisions = [(row, decision) for row, example in enumerate(examples) for decision in example.decisions]
    width = max(len(decision.allowed) for _, decision in decisions)
    rows = torch.tensor([row for row, _ in decisions])
    positions = torch.tensor([decision.position for _, decision in decisions])
    allowed = torch.tensor([[*d.allowed, *[d.allowed[0]] * (width - len(d.allowed))] for _, d in decisions])
    padding = torch.tensor([[i >= len(d.allowed) for i in range(width)] for _, d in decisions])
    gold = torch.tensor([decision.gold for _, decision in decisions])
    device = hidden.device
    states = hidden[rows.to(device), positions.to(device)].float()
    logits = torch.einsum("dw,dkw->dk", states, head[allowed.to(device)].float())
    logits = logits.masked_fill(padding.to(device), -math.inf)
    return logits, gold.to(device)


def loss_under_mask(
    hidden: torch.Tensor, head: torch.Tensor, examples: Sequence[Example]
) -> tuple[torch.Tensor, int, int]:
    """Return the cross-entropy of a batch in which only allowed tokens compete, as `Loss` says."""
    logits, gold = decision_logits(hidden, head, examples)
    loss = nn.functional.cross_entropy(logits, gold, reduction="sum")
    return loss, int((logits.argmax(1) == gold).sum()), len(gold)


def batches(examples: Iterable[AnyExample], size: int, rng: random.Random) -> Iterator[list[AnyExample]]:
    """Yield batches of examples of like length, in random order within a window of 64 batches."""
    stream = iter(examples)
    while window := list(islice(stream, 64 * size)):
        window.sort(key=lambda example: len(example.ids))
        chunks = [window[start : start + size] for start in range(0, len(window), size)]
        rng.shuffle(chunks)
        yield from chunks


def padded(batch: Sequence[Example], device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the tokens of a batch, filled up to one length, and which of them are no filling."""
    longest = max(len(example.ids) for example in batch)
    ids = torch.tensor([[*example.ids, *[0] * (longest - len(example.ids))] for example in batch])
    seen = torch.tensor([[i < len(example.ids) for i in range(longest)] for example in batch])
    return ids.to(device), seen.to(device)


def add_lora(lm: Any, config: Config) -> Any:
    """Put a LoRA adapter into the upper layers of a causal language model, and return PEFT's model around it."""
    from peft import LoraConfig, get_peft_model

    settings = LoraConfig(
        r=config.rank,
        lora_alpha=config.alpha,
        target_modules=list(MATRICES),
        layers_to_transform=list(range(config.first_layer, lm.config.num_hidden_layers)),
    )
    return get_peft_model(lm, settings)


class Descent:
    """AdamW on some parameters of a model; the learning rate is warmed up and decays, gradients are clipped.

    Parameters
    ----------
    decoder : callable
        From tokens and their padding to the decoder's output.
    head : tensor
        The output head.
    parameters : sequence of Parameter
        What is trained.
    config : Config
        Settings.
    loss : Loss
        What is lowered.
    """

    def __init__(
        self,
        decoder: Callable[..., Any],
        head: torch.Tensor,
        parameters: Sequence[nn.Parameter],
        config: Config,
        loss: Loss = loss_under_mask,
    ) -> None:
        self.step = 0
        self.optimizer = torch.optim.AdamW(parameters, lr=config.learning_rate, weight_decay=0.01)
        self._decoder, self._head, self._parameters = decoder, head, parameters
        self._config, self._loss = config, loss

    def descend(self, batch: Sequence[Example]) -> dict[str, float]:
        """Make one step, and return its figures."""
        started = time.perf_counter()
        for group in self.optimizer.param_groups:
            group["lr"] = self._config.learning_rate * schedule(self.step, self._config)
        ids, seen = padded(batch, self._head.device)
        hidden = self._decoder(ids, seen, use_cache=False).last_hidden_state
        loss, right, count = self._loss(hidden, self._head, batch)
        torch.autograd.backward(loss / count)
        nn.utils.clip_grad_norm_(self._parameters, 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.step += 1
        return {
            "step": self.step, "loss": loss.item() / count, "accuracy": right / count,
            "tokens": float(seen.sum()), "seconds": time.perf_counter() - started,
        }  # fmt: skip


class Trainer:
    """Trains an adapter and keeps what is needed to resume in one folder.

    Parameters
    ----------
    model_dir : Path
        The base model's folder.
    out : Path
        Folder of checkpoints; one that is there is resumed.
    config : Config
        Settings.
    device : str
        As for `TransformersModel`.
    adapter : Path or None
        Adapter in PEFT's layout, of the same rank and layers, from which to start a new run; None starts from the base model.
    """

    def __init__(
        self, model_dir: Path, out: Path, config: Config, device: str = "auto", adapter: Path | None = None
    ) -> None:
        torch.manual_seed(config.seed)
        self.config, self.out = config, out
        self.lm = add_lora(TransformersModel(model_dir, device, adapter=False).causal_lm, config)
        self.parameters = {name: p for name, p in self.lm.named_parameters() if p.requires_grad}
        lm = self.lm.base_model.model
        self._descent = Descent(lm.model, lm.lm_head.weight.detach(), [*self.parameters.values()], config)
        if (out / "state.json").is_file():
            self._resume()
        elif adapter is not None:
            self._load(adapter)

    @property
    def step(self) -> int:
        """Steps made, those before a resumption too."""
        return self._descent.step

    def train(self, examples: Iterable[Example]) -> Iterator[dict[str, float]]:
        """Train on a stream of examples and yield figures after every step.

        Parameters
        ----------
        examples : iterable of Example
            Without end or long enough; those that a resumed run has seen are not in it.
        """
        config = self.config
        stream = batches(examples, config.batch, random.Random(config.seed + self.step))
        for batch in islice(stream, config.steps - self.step):
            figures = self._descent.descend(batch)
            if self.step % config.save_every == 0 or self.step == config.steps:
                self.save()
            yield figures

    def save(self) -> None:
        """Write adapter and optimiser state, each file whole or not at all."""
        self.out.mkdir(parents=True, exist_ok=True)
        self.lm.save_pretrained(self.out / "adapter", save_embedding_layers=False)  # "auto" would ask a hub
        state = self._descent.optimizer.state_dict()["state"]
        tensors = {
            f"{index}.{key}": value.contiguous()
            for index, item in state.items()
            for key, value in item.items()
        }
        save_file(tensors, self.out / "optimizer.partial")
        (self.out / "optimizer.partial").replace(self.out / "optimizer.safetensors")
        partial = self.out / "state.partial"
        partial.write_text(json.dumps({"step": self.step, "config": asdict(self.config)}), "utf-8")
        partial.replace(self.out / "state.json")

    def _load(self, adapter: Path) -> None:
        weights = load_file(adapter / "adapter_model.safetensors")
        names = {name: name.replace(".default.", ".") for name in self.parameters}
        if set(names.values()) != set(weights):
            raise ValueError(
                f"{adapter} has other layers or matrices than this run; set --first-layer to match"
            )
        with torch.no_grad():
            for name, parameter in self.parameters.items():
                parameter.copy_(weights[names[name]])

    def _resume(self) -> None:
        saved = json.loads((self.out / "state.json").read_text("utf-8"))
        if saved["config"] != asdict(self.config):
            raise ValueError(
                f"{self.out} holds a run with other settings; choose another folder or remove it"
            )
        self._load(self.out / "adapter")
        state: dict[int, dict[str, torch.Tensor]] = {}
        for key, value in load_file(self.out / "optimizer.safetensors").items():
            index, _, field = key.partition(".")
            state.setdefault(int(index), {})[field] = value
        current = self._descent.optimizer.state_dict()
        self._descent.optimizer.load_state_dict({"state": state, "param_groups": current["param_groups"]})
        self._descent.step = saved["step"]


def schedule(step: int, config: Config) -> float:
    """Return the learning rate's factor at a step, 0 to 1."""
    if step < config.warmup:
        return (step + 1) / config.warmup
    progress = (step - config.warmup) / max(1, config.steps - config.warmup)
    return 0.1 + 0.45 * (1 + math.cos(math.pi * min(1.0, progress)))


def main() -> None:
    """Train an adapter on pairs and traces."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=Path, required=True, help="sentence pairs, from tutor.training.pairs")
    parser.add_argument(
        "--traces", type=Path, required=True, help="oracle traces, from tutor.training.oracle"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder of checkpoints")
    parser.add_argument("--model", type=Path, default=models_dir() / MODEL, help="the base model's folder")
    parser.add_argument("--adapter", type=Path, help="adapter to start from")
    parser.add_argument("--device", default="auto")
    for name, default in asdict(Config()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(default), default=default)
    args = parser.parse_args()
    config = Config(**{name: getattr(args, name) for name in asdict(Config())})
    trainer = Trainer(args.model, args.out, config, args.device, args.adapter)
    began = time.perf_counter()
    seen = trainer.step * config.batch
    stream = examples(args.model, args.pairs, args.traces, pairs_per_trace=config.pairs_per_trace, skip=seen)
    for figures in trainer.train(stream):
        print(
            f"step {figures['step']:5.0f}  loss {figures['loss']:.4f}  right {figures['accuracy']:.3f}  "
            f"{figures['tokens'] / figures['seconds']:.0f} tokens/s  {time.perf_counter() - began:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
