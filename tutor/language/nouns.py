"""Number of a noun by its form: plurals, nouns that only look plural, nouns that take either number."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Literal

from lemminflect import getLemma

from tutor.paths import corpus_dir

Number = Literal["singular", "plural", "either"]


@cache
def noun_class(name: str) -> frozenset[str]:
    """Return the nouns of a class of ``corpus/english/nouns.tsv``."""
    return _noun_classes()[name]


@cache
def _noun_classes() -> Mapping[str, frozenset[str]]:
    text = (corpus_dir() / "english" / "nouns.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return {name: frozenset(words.lower().split()) for name, words in rows}


@lru_cache(maxsize=4096)
def is_noun_or_adjective(norm: str) -> bool:
    """Return whether the lexicon lists a word as a noun or an adjective."""
    return is_noun(norm) or bool(getLemma(norm, "ADJ", lemmatize_oov=False))


@lru_cache(maxsize=4096)
def is_noun(norm: str) -> bool:
    """Return whether the lexicon lists a word as a form of a noun."""
    return bool(getLemma(norm, "NOUN", lemmatize_oov=False))


@lru_cache(maxsize=4096)
def noun_number(word: str) -> Number:
    """Return the number of a noun; ``either`` where its form or English usage leaves it open.

    Parameters
    ----------
    word : str
        A noun in any case. A learner's plural ("childrens", "informations") counts as plural or ``either``.
    """
    norm = word.lower()
    if norm in noun_class("either_number") | noun_class("collective"):
        return "either"
    if norm in noun_class("plural_only") | noun_class("plural"):
        return "plural"
    if norm in noun_class("singular_in_s") | noun_class("uncountable"):
        return "singular"
    if norm.endswith("s") and norm[:-1] in noun_class("uncountable"):
        return "either"
    if norm.endswith("s") and norm[:-1] in noun_class("plural") | noun_class("plural_only"):
        return "plural"
    known = getLemma(norm, "NOUN", lemmatize_oov=False)
    if known:
        return "singular" if norm in known and (len(known) == 1 or not norm.endswith("s")) else "plural"
    return _unknown_number(word)


def _unknown_number(word: str) -> Number:
    if not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return "singular"
    return "either" if word[0].isupper() else "plural"  # "Jones", "Americans"
