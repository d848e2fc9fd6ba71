"""Word lists of ``corpus/english``: closed classes, nouns by number, and how often a form is a verb."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from tutor.paths import corpus_dir


@dataclass(frozen=True, slots=True)
class Share:
    """How a form is used in running text: the share of each class, from 0 to 1."""

    verb: float
    noun: float
    adjective: float
    adverb: float


def rows(file: str) -> list[list[str]]:
    """Return the tab-separated rows of a file of ``corpus/english``, comments left out."""
    text = (corpus_dir() / "english" / file).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]


@cache
def word_lists(file: str) -> Mapping[str, frozenset[str]]:
    """Return the classes of a file whose rows hold a class and its words."""
    return {name: frozenset(words.split()) for name, words in rows(file)}


def closed_class(name: str) -> frozenset[str]:
    """Return the words of a closed class, one of ``function_words.tsv``."""
    return word_lists("function_words.tsv")[name]


def noun_class(name: str) -> frozenset[str]:
    """Return the nouns of a class of ``nouns.tsv``."""
    return word_lists("nouns.tsv")[name]


@cache
def function_words() -> frozenset[str]:
    """Return every word of the closed classes."""
    return frozenset().union(*word_lists("function_words.tsv").values())


@cache
def shares() -> Mapping[str, Share]:
    """Return how each form of ``verb_share.tsv`` is used; unlisted: always as one class, or rarely seen."""
    return {form: Share(*(int(field) / 100 for field in fields)) for form, *fields in rows("verb_share.tsv")}
