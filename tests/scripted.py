"""A language model that wants to write given steps; the mask decides what it may."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from tutor.decoding.queries import Context, Predict, Query
from tutor.decoding.tokenizer import Tokenizer


class ScriptedModel:
    """Predicts the next token of a script, one text for each step."""

    def __init__(self, tokenizer: Tokenizer, script: Sequence[str]) -> None:
        self.tokenizer, self.script = tokenizer, tuple(script)

    def context(self) -> Context:
        return _ScriptedContext(self)

    def answer(self, queries: Sequence[Query]) -> list[torch.Tensor]:
        return [self._answer(query) for query in queries]

    def _answer(self, query: Query) -> torch.Tensor:
        if not isinstance(query, Predict):
            return torch.zeros(len(query.forest))
        assert isinstance(query.context, _ScriptedContext)
        logits = query.context.logits()
        if query.before:
            size = len(query.context)
            earlier = [query.context.logits(size - back) for back in range(query.before, 0, -1)]
            return torch.stack([*earlier, logits])
        return logits if query.whole else logits[torch.from_numpy(query.allowed)]


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

    def logits(self, size: int | None = None) -> torch.Tensor:
        tokenizer = self._model.tokenizer
        *lines, written = tokenizer.decode_bytes(self._ids[:size]).decode("utf-8", "ignore").split("\n")
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
