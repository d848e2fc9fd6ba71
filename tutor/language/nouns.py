"""Number of a noun by its form: plurals, nouns that only look plural, nouns that take either number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from typing import Literal

from tutor.language.verb_tables import _lexicon_rows as lexicon_rows
from tutor.language.word_classes import noun_class

Number = Literal["singular", "plural", "either"]


@cache
def _plurals() -> Mapping[str, tuple[str, ...]]:
    """Return the plurals of each noun of lemminflect's table, which may list the singular among them."""
    rows = (row.split(",") for row in lexicon_rows() if ",noun" in row)
    return {base: tuple("/".join(cells).split("/")) for base, word_class, *cells in rows}


@cache
def _singulars() -> Mapping[str, set[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for base, plurals in _plurals().items():
        for form in (base, *plurals):
            found[form].add(base)
    return dict(found)


@cache
def _adjectives() -> frozenset[str]:
    return frozenset(row.split(",")[0] for row in lexicon_rows() if ",adj" in row)


def is_noun(norm: str) -> bool:
    """Return whether the lexicon lists a word as a form of a noun."""
    return norm in _singulars()


def is_noun_or_adjective(norm: str) -> bool:
    """Return whether the lexicon lists a word as a noun or an adjective."""
    return is_noun(norm) or norm in _adjectives()


def plural_of(noun: str) -> str | None:
    """Return the plural of a singular noun; None if the lexicon knows none."""
    return next((form for form in _plurals().get(noun, ()) if form != noun), None)


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
    known = _singulars().get(norm)
    if known:  # "games" is listed as a noun of its own and as the plural of "game"
        return "singular" if norm in known and (len(known) == 1 or not singular) else "plural"
    return _unknown_number(word)


def _unknown_number(word: str) -> Number:
    if not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return "singular"
    return "either" if word[0].isupper() else "plural"  # "Jones", "Americans"
