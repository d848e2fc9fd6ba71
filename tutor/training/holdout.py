"""Keep our evaluation sets out of training: the canonical set's patterns, the verbs and structures of `corpus/heldout`."""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache
from typing import Any

from tutor.language.morphology import learner_forms, lemmas, paradigm
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


@cache
def _heldout() -> dict[str, Any]:
    return tomllib.loads((corpus_dir() / "heldout" / "grammar.toml").read_text(encoding="utf-8"))


@cache
def held_out_verbs() -> frozenset[str]:
    """Return the verbs that training never sees."""
    return frozenset(entry.split()[0] for entry in _heldout()["verbs"]["A"])


@cache
def held_out_forms() -> frozenset[str]:
    """Return every form of the verbs that training never sees, those that learners make up as well."""
    found: set[str] = set()
    for verb in held_out_verbs():
        forms = paradigm(verb)
        found |= {
            forms.base,
            *forms.third,
            *forms.past,
            *forms.participle,
            *forms.gerund,
            *learner_forms(verb),
        }
    return frozenset(found)


@cache
def held_out_structures() -> re.Pattern[str]:
    """Return the expression that matches sentences of a structure that training never sees."""
    return re.compile(
        "|".join(f"(?:{each['structure']})" for each in _heldout()["structures"]), re.IGNORECASE
    )


def is_held_out(sentence: str) -> bool:
    """Tell whether training may not see a sentence.

    That is one of the canonical set, or one of them with other persons or forms; one with a held-out verb, as a noun too; or
    one of a held-out structure.
    """
    if held_out_structures().search(sentence):
        return True
    words = {token.norm for token in tokenize(sentence) if token.is_word}
    return not words.isdisjoint(held_out_forms()) or pattern(sentence) in canonical_patterns()
