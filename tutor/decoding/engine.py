"""The decode loop: one JSON text under a mask, token by token, forced runs at once."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import torch

from tutor.decoding.distribution import distribution
from tutor.decoding.mask import Mask, Schema
from tutor.decoding.queries import Context, LanguageModel, Predict, TokenIds, Work
from tutor.decoding.tokenizer import Tokenizer
from tutor.tracing.json_path import JsonPath
from tutor.tracing.records import Level, Origin, TokenRecord

Pick = Callable[[torch.Tensor], int]
"""Choose an index among the logits of the allowed tokens."""


_CONTINUATION = bytes(range(0x80, 0xC0))  # what a character of several bytes goes on with


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
    level : Level
        What the records hold; at `full` the distributions at forced tokens too.
    """

    context: Context
    tokenizer: Tokenizer
    schema: Schema
    pick: Pick = greedy
    propose: Callable[[str], Work[str | None]] = field(default=lambda text: _nothing())
    narrow: Callable[[str], Schema | None] = field(default=lambda text: None)
    record: Callable[[TokenRecord], None] | None = None
    step: int = 1
    level: Level = Level.decisions
    ids: list[int] = field(default_factory=list)
    data: bytes = b""
    decided: int = 0
    _path: JsonPath = field(default_factory=JsonPath)
    _unscored: list[tuple[TokenRecord, TokenIds]] = field(default_factory=list)
    """At level `full`: tokens since the last forward pass, each with what was allowed in its place."""

    def run(self) -> Work[str]:
        """Decode to the end of the text and return it."""
        mask = Mask(self.tokenizer, self.schema)
        while not mask.finished:
            if (schema := self._narrower(mask)) is not None:
                mask = Mask(self.tokenizer, schema)
                mask.consume(self.ids)
            yield from self._advance(mask)
        # With what ends the text. Kept, this pass would change which passes follow, and how bfloat16 rounds in them.
        if self._unscored:
            yield from self._predict(np.array([self.tokenizer.eos]), keep=False)
        return self.data.decode("utf-8")

    def _narrower(self, mask: Mask) -> Schema | None:
        # Asked before what is forced is appended: that may run on into what the schema narrows.
        return self.narrow((self.data + mask.forced_bytes()).decode("utf-8", "ignore"))

    def _advance(self, mask: Mask) -> Work[None]:
        if forced := mask.forced():
            self._append(mask, forced)
            return
        coming = mask.forced_bytes()
        written = (self.data + coming).decode("utf-8", "ignore")
        proposal = yield from self.propose(written)
        if proposal is not None:
            rest = (written + proposal).encode()[len(self.data) :]
            self._append(mask, self._canonical(mask, rest), len(coming))
            return
        started = time.perf_counter()
        allowed = mask.allowed()
        masked = time.perf_counter()
        logits, forward = yield from self._predict(allowed)
        open_logits = logits[torch.from_numpy(allowed)] if self.record else logits
        token = int(allowed[self.pick(open_logits)])
        self.decided += 1
        mask.consume([token])
        piece = self.tokenizer.decode_bytes([token])
        if self.record:
            self.record(self._token(
                token, piece, "decided", **distribution(self.tokenizer, logits, allowed, token, self.level.top), **forward,
                mask_us=1e6 * (masked - started),
            ))  # fmt: skip
        self._take(token, piece)

    def _predict(self, allowed: TokenIds, *, keep: bool = True) -> Work[tuple[torch.Tensor, dict[str, Any]]]:
        """Return the logits of the next token, and what they cost; records the tokens that are still unscored."""
        waiting, self._unscored = self._unscored, []
        new, started = len(self.context) - self.context.cached, time.perf_counter()
        logits = yield Predict(self.context, allowed, self.record is not None, len(waiting), keep)
        elapsed = 1e6 * (time.perf_counter() - started) / (1 + len(waiting))
        forward = {"forward_us": elapsed, "forward_tokens": new}
        # Without earlier positions the answer is one row, and to iterate over it makes a tensor of each logit: 160 ms.
        for (token, open_), row in zip(waiting, logits if waiting else (), strict=False):
            scored = distribution(self.tokenizer, row, open_, token.token_id, self.level.top)
            assert self.record
            self.record(token.model_copy(update=scored | forward))
        return (logits[-1] if waiting else logits), forward

    def _canonical(self, mask: Mask, rest: bytes) -> list[int]:
        """Return the tokens of what is to come; the last one may reach into what is forced after it ('."' + ',')."""
        tokens = self._spelled(rest)
        tokens = self._spelled(rest + mask.forced_after(tokens))
        while len(self.tokenizer.decode_bytes(tokens[:-1])) >= len(rest):
            tokens.pop()
        return tokens

    def _spelled(self, data: bytes) -> list[int]:
        """Return the tokens of some bytes, which may begin within a character; one that they end within is left out."""
        text = data.lstrip(_CONTINUATION)
        begun = data[: len(data) - len(text)]
        within = self.tokenizer.guidance.tokenize_bytes(begun) if begun else []
        return [*within, *self.tokenizer.encode(text.decode("utf-8", "ignore"))]

    def _append(self, mask: Mask, tokens: list[int], forced: int | None = None) -> None:
        """Append tokens that the model is not asked about.

        Parameters
        ----------
        mask : Mask
            The mask.
        tokens : list of int
            Forced by the grammar, or spelling what was chosen as a whole.
        forced : int, optional
            Of what was chosen, the number of bytes at its beginning that were forced.
        """
        end = 0
        for token in tokens:
            piece = self.tokenizer.decode_bytes([token])
            end += len(piece)
            origin: Origin = "forced_grammar"
            if forced is not None:
                origin = "forced_canonical" if end <= forced else "decided"
            if self.record is None:
                mask.consume([token])
            elif self.level is Level.full:
                allowed = mask.allowed()
                mask.consume([token])
                self._unscored.append((self._token(token, piece, origin), allowed))
            else:
                mask.consume([token])
                self.record(self._token(token, piece, origin))
            self._take(token, piece)

    def _token(self, token: int, piece: bytes, origin: Origin, **detail: Any) -> TokenRecord:
        text = piece.decode("utf-8", "replace")
        joint = True if origin == "decided" and not detail else None
        return TokenRecord(
            step=self.step, token_id=token, text=text, raw=None if text.encode() == piece else piece.hex(),
            path=str(self._path), origin=origin, joint=joint, **detail,
        )  # fmt: skip

    def _take(self, token: int, piece: bytes) -> None:
        self.context.append([token])
        self.ids.append(token)
        self.data += piece
        if self.record:
            self._path.feed(piece.decode("utf-8", "replace"))


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
        level: Level = Level.decisions,
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
        level: Level = Level.decisions,
    ) -> Decoding:
        """Return a decoding after a context of this engine; the arguments are those of `Decoding`."""
        return Decoding(
            context, self._model.tokenizer, schema, pick=pick, record=record, step=step, level=level
        )
