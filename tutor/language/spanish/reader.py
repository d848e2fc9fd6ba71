"""A view of English tokens that the gloss grammar reads from left to right."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tutor.language.spanish import lexicon
from tutor.language.tokens import Token, tokenize


class NoGlossError(Exception):
    """The grammar does not cover this reading, so it is dropped."""


@dataclass(frozen=True)
class Reader:
    """The tokens of a sentence, asked by position; a position past the end reads as an empty word.

    Attributes
    ----------
    tokens : tuple of Token
        The sentence.
    memo : dict
        Parses already made, by rule and position.
    """

    tokens: tuple[Token, ...]
    memo: dict[Any, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, sentence: str) -> Reader:
        """Read a sentence without its closing punctuation."""
        tokens = tokenize(sentence)
        while tokens and tokens[-1].text in {".", "!", "?", "…", "..."}:
            tokens = tokens[:-1]
        return cls(tokens)

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self.tokens)

    def word(self, i: int) -> str:
        """Return the normalised word at a position."""
        return self.tokens[i].norm if 0 <= i < len(self.tokens) else ""

    def text(self, i: int) -> str:
        """Return the word as written."""
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ""

    def words(self, i: int, j: int) -> str:
        """Return the normalised words of a span, joined by spaces."""
        return " ".join(token.norm for token in self.tokens[i:j])

    def skip(self, i: int, *words: str) -> int | None:
        """Return the position after these words, or ``None`` where they do not stand."""
        for word in words:
            if self.word(i) != word:
                return None
            i += 1
        return i

    def is_name(self, i: int) -> bool:
        """Say whether a capitalised word is a proper name that the lexicon need not know."""
        word = self.word(i)
        if not self.text(i)[:1].isupper() or not self.tokens[i].is_word or word == "i":
            return False
        if word in lexicon.word_class("masculine_name") or word in lexicon.word_class("feminine_name"):
            return True
        return i > 0 and not lexicon.entries(word) and not lexicon.singulars(word)
