"""Keep the canonical set out of training, with any other subject or form of its verbs as well."""

from __future__ import annotations

import json
from functools import cache

from tutor.language.morphology import lemmas
from tutor.language.tokens import tokenize
from tutor.paths import corpus_dir

_SUBJECTS = frozenset(["i", "you", "he", "she", "it", "we", "they", "me", "him", "her", "us", "them"])


def pattern(sentence: str) -> tuple[str, ...]:
    """Return a sentence without its persons and inflections, so that it equals those built on the same verbs.

    ``He went to school.`` and ``I go to school`` have the same pattern.
    """
    return tuple(_abstract(token.norm) for token in tokenize(sentence) if token.is_word)


@cache
def _abstract(word: str) -> str:
    if word in _SUBJECTS:
        return "_"
    found = lemmas(word)
    return found[0] if found else word


@cache
def canonical_patterns() -> frozenset[tuple[str, ...]]:
    """Return the patterns of the canonical sentences and of their corrections."""
    found: set[tuple[str, ...]] = set()
    for line in (corpus_dir() / "canonical.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        expected = row["expected"]
        found |= {
            pattern(text) for text in (row["sentence"], expected["corrected"], *expected["accepted"]) if text
        }
    return frozenset(found)


def is_held_out(sentence: str) -> bool:
    """Tell whether a sentence is one of the canonical set, or one of them with other persons or forms."""
    return pattern(sentence) in canonical_patterns()
