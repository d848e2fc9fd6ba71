"""The decode loop: one JSON text under a mask, token by token, forced runs at once."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch

from tutor.decoding.mask import Mask, Schema
from tutor.decoding.queries import Context, LanguageModel, Predict, Work
from tutor.decoding.tokenizer import Tokenizer
from tutor.tracing.json_path import JsonPath
from tutor.tracing.records import Origin, TokenProbability, TokenRecord

TOP = 5

Pick = Callable[[torch.Tensor], int]
"""Choose an index among the logits of the allowed tokens."""


def greedy(logits: torch.Tensor) -> int:
    """Return the index of the largest logit."""
    return int(logits.argmax())


def sampler(seed: int) -> Pick:
    """Return a `Pick` that samples at temperature 1 from its own seeded generator."""
    generator = torch.Generator().manual_seed(seed)
    return lambda logits: int(torch.multinomial(logits.softmax(0), 1, generator=generator))


def _nothing() -> Work[None]:
    yield from ()


@dataclass(slots=True)
class Decoding:
    """One text as it grows.

    Attributes
    ----------
    context : Context
        The model's context; the prompt is in it.
    tokenizer : Tokenizer
        The model's tokenizer.
    schema : Schema
        JSON schema of the text.
    pick : Pick
        How to choose among the allowed tokens.
    propose : callable
        Given the text so far, with what is forced next, a computation of a text to go on with that was chosen as a whole, or of
        None. The mask still checks each of its tokens.
    narrow : callable
        Given the text so far, with what is forced next, a schema to go on under, or None. The text so far must be a
        beginning of its texts.
    record : callable or None
        Receives a record of each token.
    step : int
        Number of the step, for the records.
    """

    context: Context
    tokenizer: Tokenizer
    schema: Schema
    pick: Pick = greedy
    propose: Callable[[str], Work[str | None]] = field(default=lambda text: _nothing())
    narrow: Callable[[str], Schema | None] = field(default=lambda text: None)
    record: Callable[[TokenRecord], None] | None = None
    step: int = 1
    ids: list[int] = field(default_factory=list)
    data: bytes = b""
    decided: int = 0
    _path: JsonPath = field(default_factory=JsonPath)

    def run(self) -> Work[str]:
        """Decode to the end of the text and return it."""
        mask = Mask(self.tokenizer, self.schema)
        while not mask.finished:
            if (schema := self._narrower(mask)) is not None:
                mask = Mask(self.tokenizer, schema)
                mask.consume(self.ids)
            yield from self._advance(mask)
        return self.data.decode("utf-8")

    def _narrower(self, mask: Mask) -> Schema | None:
        # Asked before what is forced is appended: that may run on into what the schema narrows.
        return self.narrow((self.data + mask.forced_bytes()).decode("utf-8", "ignore"))

    def _advance(self, mask: Mask) -> Work[None]:
        if forced := mask.forced():
            self._append(mask, forced, "forced_grammar")
            return
        coming = mask.forced_bytes()
        proposal = yield from self.propose((self.data + coming).decode("utf-8", "ignore"))
        if proposal is not None:
            self._append(mask, self._canonical(mask, coming.decode("utf-8", "ignore") + proposal), "decided")
            return
        started = time.perf_counter()
        allowed = mask.allowed()
        masked = time.perf_counter()
        logits = yield Predict(self.context, allowed, whole=self.record is not None)
        ended = time.perf_counter()
        open_logits = logits[torch.from_numpy(allowed)] if self.record else logits
        token = int(allowed[self.pick(open_logits)])
        self.decided += 1
        detail = {}
        if self.record:
            detail = self._distribution(logits, allowed, token)
            detail |= {"mask_us": 1e6 * (masked - started), "forward_us": 1e6 * (ended - masked)}
        self._append(mask, [token], "decided", detail)

    def _canonical(self, mask: Mask, text: str) -> list[int]:
        """Return the tokens of a text to come; the last one may reach into what is forced after it ('."' + ',')."""
        after = mask.forced_after(self.tokenizer.encode(text))
        tokens = self.tokenizer.encode(text + after.decode("utf-8", "ignore"))
        while len(self.tokenizer.decode_bytes(tokens[:-1])) >= len(text.encode()):
            tokens.pop()
        return tokens

    def _append(
        self, mask: Mask, tokens: list[int], origin: Origin, detail: dict[str, Any] | None = None
    ) -> None:
        mask.consume(tokens)
        self.context.append(tokens)
        for token in tokens:
            piece = self.tokenizer.decode_bytes([token])
            if self.record:
                text = piece.decode("utf-8", "replace")
                raw = None if text.encode() == piece else piece.hex()
                self.record(TokenRecord(
                    step=self.step, token_id=token, text=text, raw=raw, path=str(self._path), origin=origin,
                    **(detail or {}),
                ))  # fmt: skip
                self._path.feed(text)
            self.ids.append(token)
            self.data += piece

    def _distribution(self, logits: torch.Tensor, allowed: Any, token: int) -> dict[str, Any]:
        """Return what the mask did to the distribution at this position, for the trace."""
        before = logits.log_softmax(0)
        open_ = torch.zeros(len(logits), dtype=torch.bool)
        open_[torch.from_numpy(allowed)] = True
        after = before[open_].logsumexp(0)
        blocked = before.masked_fill(open_, -torch.inf)
        best = int(blocked.argmax())
        top = before.topk(min(TOP, len(before))).indices.tolist()
        return {
            "allowed": len(allowed),
            "logprob_before": float(before[token]),
            "logprob_after": float(before[token] - after),
            "blocked_mass": max(0.0, 1.0 - float(after.exp())),
            "best_blocked": None if bool(open_.all()) else self._probability(best, before, open_),
            "top": tuple(self._probability(index, before, open_) for index in top),
        }

    def _probability(self, index: int, before: torch.Tensor, open_: torch.Tensor) -> TokenProbability:
        text = self.tokenizer.decode_bytes([index]).decode("utf-8", "replace")
        return TokenProbability(
            token_id=index, text=text, probability=float(before[index].exp()), allowed=bool(open_[index])
        )


class Engine(Protocol):
    """Makes contexts and decodes after them."""

    def context(self) -> Context:
        """Start an empty context."""

    def decoding(
        self,
        context: Context,
        schema: Schema,
        pick: Pick = greedy,
        record: Callable[[TokenRecord], None] | None = None,
        step: int = 1,
    ) -> Decoding:
        """Return a decoding after a context of this engine; the arguments are those of `Decoding`."""


class CachedEngine:
    """The fast engine: contexts keep their keys and values, forced tokens run together.

    Parameters
    ----------
    model : LanguageModel
        The model.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    def context(self) -> Context:
        """Start an empty context."""
        return self._model.context()

    def decoding(
        self,
        context: Context,
        schema: Schema,
        pick: Pick = greedy,
        record: Callable[[TokenRecord], None] | None = None,
        step: int = 1,
    ) -> Decoding:
        """Return a decoding after a context of this engine; the arguments are those of `Decoding`."""
        return Decoding(context, self._model.tokenizer, schema, pick=pick, record=record, step=step)
