"""Closed classes of English words, and how often an open word is used as a verb, noun or adjective."""

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


@cache
def closed_class(name: str) -> frozenset[str]:
    """Return the words of a closed class of ``corpus/english/function_words.tsv``.

    Raises
    ------
    KeyError
        If there is no such class.
    """
    return _closed_classes()[name]


@cache
def function_words() -> frozenset[str]:
    """Return every word of the closed classes."""
    return frozenset().union(*_closed_classes().values())


@cache
def shares() -> Mapping[str, Share]:
    """Return the use of each listed form (``corpus/english/verb_share.tsv``); unlisted: a plain noun or verb."""
    rows = (line.split("\t") for line in _lines("verb_share.tsv"))
    return {form: Share(*(int(field) / 100 for field in fields)) for form, *fields in rows}


@cache
def _closed_classes() -> Mapping[str, frozenset[str]]:
    rows = (line.split("\t") for line in _lines("function_words.tsv"))
    return {name: frozenset(words.split()) for name, words in rows}


def _lines(file: str) -> list[str]:
    text = (corpus_dir() / "english" / file).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]
