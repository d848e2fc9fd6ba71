"""A step of training: batches, the loss under the mask, the learning rate, the change of the weights."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

import torch
from torch import nn
from torch.nn.functional import linear

from tutor.training.examples import Example

AnyExample = TypeVar("AnyExample", bound=Example)


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
    allowed: Any = torch.tensor(
        [[*d.allowed, *[d.allowed[0]] * (width - len(d.allowed))] for _, d in decisions]
    )
    padding = torch.tensor([[i >= len(d.allowed) for i in range(width)] for _, d in decisions])
    gold = torch.tensor([decision.gold for _, decision in decisions])
    device = hidden.device
    states = hidden[rows.to(device), positions.to(device)].float()
    # Each token's row of the head once: a row for each decision that allows it would take gigabytes.
    tokens, columns = allowed.to(device).unique(return_inverse=True)
    logits = linear(states, head[tokens].float()).gather(1, columns)
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

    Attributes
    ----------
    decode : callable
        The decoder, in the head's number format.
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
        # Small changes of a weight vanish in bfloat16: those that are trained are float32, and rounded where they multiply.
        self.decode: Any = torch.autocast(head.device.type, head.dtype, head.dtype != torch.float32)(decoder)
        self._head, self._parameters = head, parameters
        self._config, self._loss = config, loss

    def descend(self, batch: Sequence[Example]) -> dict[str, float]:
        """Make one step, and return its figures."""
        started = time.perf_counter()
        for group in self.optimizer.param_groups:
            group["lr"] = self._config.learning_rate * schedule(self.step, self._config)
        ids, seen = padded(batch, self._head.device)
        hidden = self.decode(ids, seen, use_cache=False).last_hidden_state
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


def schedule(step: int, config: Config) -> float:
    """Return the learning rate's factor at a step, 0 to 1."""
    if step < config.warmup:
        return (step + 1) / config.warmup
    progress = (step - config.warmup) / max(1, config.steps - config.warmup)
    return 0.1 + 0.45 * (1 + math.cos(math.pi * min(1.0, progress)))
