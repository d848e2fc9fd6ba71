"""Number of a noun by its form: plurals, nouns that only look plural, nouns that take either number."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from lemminflect import getLemma

from tutor.language.word_classes import noun_class

Number = Literal["singular", "plural", "either"]


@lru_cache(maxsize=4096)
def is_noun(norm: str) -> bool:
    """Return whether the lexicon lists a word as a form of a noun."""
    return bool(getLemma(norm, "NOUN", lemmatize_oov=False))


@lru_cache(maxsize=4096)
def is_noun_or_adjective(norm: str) -> bool:
    """Return whether the lexicon lists a word as a noun or an adjective."""
    return is_noun(norm) or bool(getLemma(norm, "ADJ", lemmatize_oov=False))


@lru_cache(maxsize=4096)
def noun_number(word: str) -> Number:
    """Return the number of a noun; ``either`` where its form or English usage leaves it open.

    Parameters
    ----------
    word : str
        A noun as written. A learner's plural counts: "childrens" is plural, "informations" either.
    """
    norm = word.lower()
    if norm in noun_class("either_number") | noun_class("collective"):
        return "either"
    if norm in noun_class("plural_only") | noun_class("plural"):
        return "plural"
    if norm in noun_class("singular_in_s") | noun_class("uncountable"):
        return "singular"
    singular = norm[:-1] if norm.endswith("s") else ""
    if singular in noun_class("uncountable"):
        return "either"
    if singular in noun_class("plural") | noun_class("plural_only"):
        return "plural"
    known = getLemma(norm, "NOUN", lemmatize_oov=False)
    if known:  # "games" is listed as a noun of its own and as the plural of "game"
        return "singular" if norm in known and (len(known) == 1 or not singular) else "plural"
    return _unknown_number(word)


def _unknown_number(word: str) -> Number:
    if not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return "singular"
    return "either" if word[0].isupper() else "plural"  # "Jones", "Americans"
