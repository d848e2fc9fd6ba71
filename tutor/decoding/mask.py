"""The mask: which tokens a JSON schema allows next, by llguidance."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from llguidance import LLMatcher

from tutor.decoding.tokenizer import Tokenizer

Schema = dict[str, Any]
"""A JSON schema."""


class MaskError(RuntimeError):
    """A schema that does not compile, a token that the mask refuses, or a mask that is not applied."""


class Mask:
    """The state of one constrained decoding: a schema and the tokens consumed so far.

    Parameters
    ----------
    tokenizer : Tokenizer
        The model's tokenizer.
    schema : Schema
        JSON schema of the whole text.
    """

    def __init__(self, tokenizer: Tokenizer, schema: Schema) -> None:
        grammar = LLMatcher.grammar_from_json_schema(json.dumps(schema, ensure_ascii=False))
        self._matcher = LLMatcher(tokenizer.guidance, grammar, log_level=0)
        self._eos = tokenizer.eos
        self._check()

    def _check(self) -> None:
        _raise_error(self._matcher)

    @property
    def finished(self) -> bool:
        """Whether the text is complete and nothing may follow it."""
        return bool(self._matcher.is_stopped())

    def forced(self) -> list[int]:
        """Return the tokens, in canonical tokenisation, that the schema leaves no choice about."""
        tokens: list[int] = self._matcher.compute_ff_tokens()
        self._check()
        return tokens

    def forced_bytes(self) -> bytes:
        """Return the bytes that must come next; more than `forced` where tokens could part them in several ways."""
        data: bytes = self._matcher.compute_ff_bytes()
        self._check()
        return data

    def forced_after(self, tokens: Sequence[int]) -> bytes:
        """Return the bytes that must follow some tokens, which are not consumed.

        Raises
        ------
        MaskError
            When the schema does not allow one of them.
        """
        ahead = self._matcher.deep_copy()
        _consume(ahead, tokens)
        data: bytes = ahead.compute_ff_bytes()
        return data

    def allowed(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Return the ids of the tokens that may come next, ascending; the end token only when the text is complete."""
        bits = np.frombuffer(self._matcher.compute_bitmask(), dtype=np.uint8)
        self._check()
        return np.flatnonzero(np.unpackbits(bits, bitorder="little"))

    def consume(self, tokens: Sequence[int]) -> None:
        """Advance over tokens.

        Raises
        ------
        MaskError
            When the schema does not allow one of them.
        """
        _consume(self._matcher, tokens)


def _consume(matcher: LLMatcher, tokens: Sequence[int]) -> None:
    accepted = matcher.try_consume_tokens(list(tokens))
    _raise_error(matcher)
    if accepted != len(tokens):
        raise MaskError(f"token {tokens[accepted]} is not allowed here")


def _raise_error(matcher: LLMatcher) -> None:
    # LLMatcher never raises: an error left unread would decode unmasked.
    if error := matcher.get_error():
        raise MaskError(error)


def canary(tokenizer: Tokenizer) -> None:
    """Refuse to run when masks do not constrain: a one-word schema must allow that word alone.

    Raises
    ------
    MaskError
        When the mask lets another token through, or does not end.
    """
    mask = Mask(tokenizer, {"enum": ["canary", "cant"]})
    opening = tokenizer.encode('"can')
    mask.consume(opening)
    texts = {tokenizer.decode_bytes([int(token)]) for token in mask.allowed()}
    if not texts or any(not (b'ary"'.startswith(text) or b't"'.startswith(text)) for text in texts):
        raise MaskError("the mask is not applied: refusing to decode unmasked")
    mask.consume(tokenizer.encode('t"'))
    if not mask.finished:
        raise MaskError("the mask does not end: refusing to decode")
