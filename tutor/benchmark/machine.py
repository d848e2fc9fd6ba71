"""What the machine could do: its measured matmul rate and memory bandwidth, and the time that no engine can beat."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import torch
from torch.nn.functional import linear

from tutor.benchmark.counting import Forward

_ROWS = (128, 512, 2048)
_REPEATS = 3


@dataclass(frozen=True, slots=True)
class Shapes:
    """The matrices of a Llama-like decoder, as (outputs, inputs).

    Attributes
    ----------
    layer : tuple of (int, int)
        Those of one layer.
    layers : int
        Number of layers.
    head : (int, int)
        The output head.
    """

    layer: tuple[tuple[int, int], ...]
    layers: int
    head: tuple[int, int]

    @classmethod
    def read(cls, folder: Path) -> Shapes:
        """Read them off ``config.json`` of a model folder."""
        config = json.loads((folder / "config.json").read_text("utf-8"))
        width, inner = config["hidden_size"], config["intermediate_size"]
        size = config.get("head_dim") or width // config["num_attention_heads"]
        queries, keys = (config[f"num_{kind}_heads"] * size for kind in ("attention", "key_value"))
        attention = ((queries, width), (keys, width), (keys, width), (width, queries))
        feed_forward = ((inner, width), (inner, width), (width, inner))
        return cls(attention + feed_forward, config["num_hidden_layers"], (config["vocab_size"], width))

    @property
    def token_flops(self) -> int:
        """Floating-point operations of one token in the layers' matrices; attention itself is left out."""
        return 2 * self.layers * sum(out * into for out, into in self.layer)

    @property
    def head_flops(self) -> int:
        """Floating-point operations of one row of logits over the whole vocabulary."""
        return 2 * self.head[0] * self.head[1]


@dataclass(frozen=True, slots=True)
class Machine:
    """Measured rates.

    Attributes
    ----------
    flops : float
        Floating-point operations a second in matrix products of the model's shapes and number format.
    bandwidth : float
        Bytes a second in reading weights.
    element_size : int
        Bytes of one weight.
    """

    flops: float
    bandwidth: float
    element_size: int

    def floor(self, shapes: Shapes, forwards: Iterable[Forward], *, streaming: bool) -> float:
        """Return the seconds that forward passes take at the measured rates.

        Parameters
        ----------
        shapes : Shapes
            The model.
        forwards : iterable of Forward
            What was run.
        streaming : bool
            Take for each pass the longer of computing and of reading the layers' weights once, as with few tokens; otherwise
            computing alone.
        """
        read = shapes.token_flops / 2 * self.element_size / self.bandwidth if streaming else 0.0
        return sum(
            max(read, (each.tokens * shapes.token_flops + each.head_rows * shapes.head_flops) / self.flops)
            for each in forwards
        )


def measure(shapes: Shapes, device: torch.device, dtype: torch.dtype) -> Machine:
    """Measure the machine as it is now; the best of several tries counts, so that the floor is a strict one."""
    with torch.inference_mode():
        flops = max(_matmul_rate(shapes, rows, device, dtype) for rows in _ROWS)
        bandwidth = _bandwidth(shapes, device, dtype)
    return Machine(flops, bandwidth, dtype.itemsize)


def _matmul_rate(shapes: Shapes, rows: int, device: torch.device, dtype: torch.dtype) -> float:
    weights = [torch.randn(out, into, device=device, dtype=dtype) for out, into in shapes.layer]
    inputs = {into: torch.randn(rows, into, device=device, dtype=dtype) for _, into in shapes.layer}

    def layer() -> None:
        for weight in weights:
            linear(inputs[weight.shape[1]], weight)

    return rows * shapes.token_flops / shapes.layers / _seconds(layer, device)


def _bandwidth(shapes: Shapes, device: torch.device, dtype: torch.dtype) -> float:
    width = shapes.head[1]
    weights = torch.ones(shapes.token_flops // 2 // width, width, device=device, dtype=dtype)
    vector = torch.ones(width, device=device, dtype=dtype)
    best = min(_seconds(read, device) for read in (lambda: torch.mv(weights, vector), weights.sum))
    return weights.numel() * dtype.itemsize / best


def _seconds(work: Callable[[], object], device: torch.device) -> float:
    """Return the shortest time of several runs after a first one."""
    times = []
    for _ in range(1 + _REPEATS):
        started = time.perf_counter()
        work()
        if device.type == "cuda":
            torch.cuda.synchronize(device)
        times.append(time.perf_counter() - started)
    return min(times[1:])
