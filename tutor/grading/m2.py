"""Results in the M2 format, for the scorers of grammatical error correction."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import IO, Any

from tutor.language.tokens import tokenize

Span = tuple[int, int]
_LIFETIME = 2_000
_NONE = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0"


class M2Sink:
    """Writes a block for each row: the tokens, and the edits that were made.

    Parameters
    ----------
    stream : binary file
        Where they go.
    tokenized : bool
        Whether tokens are what stands between spaces, as in an input that was M2. Otherwise they are those of spaCy's English,
        as ERRANT has them, or our own where spaCy is not installed.
    """

    def __init__(self, stream: IO[bytes], *, tokenized: bool) -> None:
        self.stream = stream
        self._spans = _words if tokenized else tokenizer()

    def add(self, row: dict[str, Any]) -> None:
        """Take a row of the results."""
        sentence = row["sentence"]
        spans = self._spans(sentence)
        edits = [_edit(sentence, spans, edit, self._spans) for edit in row["edits"]]
        source = " ".join(sentence[start:end] for start, end in spans)
        self.stream.write("\n".join([f"S {source}", *(edits or [_NONE]), "", ""]).encode())


def _edit(
    sentence: str, spans: Sequence[Span], edit: dict[str, Any], spans_of: Callable[[str], list[Span]]
) -> str:
    """Return the line of an edit: whole tokens, without those that stay as they are at either end."""
    first = next((at for at, (_, end) in enumerate(spans) if end > edit["start"]), len(spans))
    last = next((at for at, (start, _) in enumerate(spans) if start >= edit["end"]), len(spans))
    last = max(first, last)
    begin = min(edit["start"], spans[first][0]) if first < last else edit["start"]
    finish = max(edit["end"], spans[last - 1][1]) if first < last else edit["end"]
    text = sentence[begin : edit["start"]] + edit["replacement"] + sentence[edit["end"] : finish]
    before = [sentence[start:end] for start, end in spans[first:last]]
    after = [text[start:end] for start, end in spans_of(text)]
    while before and after and before[-1] == after[-1]:
        before, after, last = before[:-1], after[:-1], last - 1
    while before and after and before[0] == after[0]:
        before, after, first = before[1:], after[1:], first + 1
    return f"A {first} {last}|||{edit['type']}|||{' '.join(after)}|||REQUIRED|||-NONE-|||0"


def tokenizer() -> Callable[[str], list[Span]]:
    """Return what splits a sentence into tokens; white space is none."""
    if find_spec("spacy"):
        return _SpacyTokens()
    return lambda text: [(token.start, token.end) for token in tokenize(text)]


class _SpacyTokens:
    """The tokens of spaCy's English, which remembers each word that it ever saw: now and then it is made anew."""

    def __init__(self) -> None:
        self._left = 0

    def __call__(self, text: str) -> list[Span]:
        if not self._left:
            import spacy

            self._split, self._left = spacy.blank("en").tokenizer, _LIFETIME
        self._left -= 1
        return [(token.idx, token.idx + len(token)) for token in self._split(text) if not token.is_space]


def _words(text: str) -> list[Span]:
    return [match.span() for match in re.finditer(r"\S+", text)]
