"""A language model that wants to write given steps; the mask decides what it may."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from tutor.decoding.forest import Forest
from tutor.decoding.model import Context
from tutor.decoding.tokenizer import Tokenizer


class ScriptedModel:
    """Predicts the next token of a script, one text for each step."""

    def __init__(self, tokenizer: Tokenizer, script: Sequence[str]) -> None:
        self.tokenizer, self.script = tokenizer, tuple(script)

    def context(self) -> Context:
        return _ScriptedContext(self)

    def fluency(self, forest: Forest) -> torch.Tensor:
        return torch.zeros(len(forest))

    def decisions(self, forest: Forest) -> torch.Tensor:
        return torch.zeros(len(forest))


class _ScriptedContext:
    def __init__(self, model: ScriptedModel) -> None:
        self._model = model
        self._ids: list[int] = []

    def append(self, ids: Sequence[int]) -> None:
        self._ids.extend(ids)

    def __len__(self) -> int:
        return len(self._ids)

    @property
    def cached(self) -> int:
        return 0

    def logits(self) -> torch.Tensor:
        tokenizer = self._model.tokenizer
        *lines, written = tokenizer.decode_bytes(self._ids).decode("utf-8", "ignore").split("\n")
        step = sum(line.startswith("{") for line in lines)
        logits = torch.zeros(tokenizer.size)
        if step < len(self._model.script):
            wanted = self._model.script[step].removeprefix(written)
            for end in range(
                1, len(wanted) + 1
            ):  # any token that goes on as the script does, the longer the better
                ids = tokenizer.encode(wanted[:end])
                if len(ids) == 1:
                    logits[ids[0]] = float(end)
        return logits
