"""Split a sentence into tokens that know where they stand in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

_APOSTROPHES = "'’ʼ‘`´"
_APOSTROPHE = f"[{_APOSTROPHES}]"
_LETTER = r"[^\W\d_]"
_MARKS = r"[\u0300-\u036f]*"
# Order matters: a number before a word, a word before a symbol.
_PIECE = re.compile(
    rf"\d+(?:[.,:/]\d+)*(?:{_LETTER}+)?"
    rf"|{_LETTER}{_MARKS}(?:[\w\u0300-\u036f]|{_APOSTROPHE}(?={_LETTER}))*"
    rf"|{_APOSTROPHE}(?:s|d|m|re|ve|ll)\b"
    r"|\.{2,}"
    r"|\S",
    re.IGNORECASE,
)
_CONTRACTION = re.compile(rf"^(.+?)(n{_APOSTROPHE}t|{_APOSTROPHE}(?:s|d|m|re|ve|ll))$", re.IGNORECASE)
_NORMS = {"n't": "not", "'ll": "will", "'ve": "have", "'re": "are", "'m": "am"}
_CLIPPED_BEFORE_NOT = {"ca": "can", "wo": "will", "sha": "shall"}
_MODALS = frozenset({"can", "could", "may", "might", "must", "shall", "should", "will", "would"})
_PARTICIPLE = re.compile(
    r"been|had|done|gone|made|come|seen|known|got|kept|left|told|thought|\w+[aeo]wn|\w+e[dn]|\w+ought"
)
_STRAIGHT = str.maketrans(dict.fromkeys(_APOSTROPHES, "'"))


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a clitic, a number or a punctuation mark of a sentence.

    Attributes
    ----------
    text : str
        The characters as written.
    start, end : int
        Character offsets: ``sentence[start:end] == text``.
    norm : str
        Lower case, straight apostrophes, clitics expanded where they have one reading
        (``n't`` is ``not``, ``ca`` before it is ``can``; ``'s`` and ``'d`` stay); ``of`` for ``have`` is ``have``.
    is_word : bool
        Whether it holds a letter.
    """

    text: str
    start: int
    end: int
    norm: str
    is_word: bool


@lru_cache(maxsize=1024)
def tokenize(sentence: str) -> tuple[Token, ...]:
    """Return the tokens of a sentence; contractions are split (``do|n't``, ``she|'s``, ``can|not``).

    Parameters
    ----------
    sentence : str
        Any text. White space separates tokens and belongs to none.

    Returns
    -------
    tuple of Token
        In order, not overlapping.
    """
    tokens: list[Token] = []
    for match in _PIECE.finditer(sentence):
        tokens.extend(_split(match.group(), match.start()))
    return tuple(_with_of_for_have(tokens))


def _with_of_for_have(tokens: list[Token]) -> Iterator[Token]:
    """Read the "of" of "should of gone", "couldn't of known" as "have"."""
    for place, token in enumerate(tokens):
        if (
            token.norm == "of"
            and 0 < place < len(tokens) - 1
            and _PARTICIPLE.fullmatch(tokens[place + 1].norm)
        ):
            modal = place - 1 - (tokens[place - 1].norm == "not")
            if modal >= 0 and tokens[modal].norm in _MODALS:
                token = replace(token, norm="have")
        yield token


def _split(text: str, start: int) -> list[Token]:
    if text.casefold() == "cannot":
        return [_token(text[:3], start), _token(text[3:], start + 3)]
    contraction = _CONTRACTION.match(text)
    if contraction is None:
        return [_token(text, start)]
    host, clitic = contraction.groups()
    tail = _token(clitic, start + len(host))
    head = _token(host, start)
    if tail.norm == "not" and head.norm in _CLIPPED_BEFORE_NOT:
        head = Token(host, start, head.end, _CLIPPED_BEFORE_NOT[head.norm], True)
    elif tail.norm != "not" and (inner := _CONTRACTION.match(host)):  # "wouldn't've", "she'd've"
        return [*_split(inner.group(), start), tail]
    return [head, tail]


def _token(text: str, start: int) -> Token:
    norm = text.translate(_STRAIGHT).lower()
    return Token(text, start, start + len(text), _NORMS.get(norm, norm), any(c.isalpha() for c in text))
