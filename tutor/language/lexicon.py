"""The English lexicon: known words, and the way from a surface form back to its verb."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from tutor.language.verb_tables import Paradigm, irregular_verbs, other_words, verbs

if TYPE_CHECKING:
    from spellchecker import SpellChecker

__all__ = [
    "AUXILIARY_LEMMAS",
    "MODALS",
    "Paradigm",
    "UnknownVerb",
    "is_irregular",
    "is_known_word",
    "is_used_as_verb",
    "lemmas",
    "nearest_words",
    "normalise",
    "paradigm",
    "word_count",
]

MODALS: Mapping[str, tuple[str, str | None]] = {
    "can": ("can", "could"),
    "could": ("could", "could"),
    "may": ("may", "might"),
    "might": ("might", "might"),
    "must": ("must", None),
    "ought": ("ought", None),
    "shall": ("shall", "should"),
    "should": ("should", "should"),
    "will": ("will", "would"),
    "would": ("would", "would"),
}
"""Present and past form of each modal, by the word that names it."""

AUXILIARY_LEMMAS = frozenset({"be", "do", "have", "can", "will", "shall", "may", "must", "ought"})

_AUXILIARY_FORMS = {
    "be": "be am is are was were been being 'm 're isn't aren't wasn't weren't",
    "do": "don't doesn't didn't",
    "have": "'ve haven't hasn't hadn't",
    "can": "can could can't cannot couldn't",
    "will": "will would 'll won't wouldn't",
    "shall": "shall should shan't shouldn't",
    "may": "may might mightn't",
    "must": "must mustn't",
    "ought": "ought oughtn't",
    "need": "needn't",
}
"""The forms that lead to a lemma although no table of main verbs has them."""

_LEMMAS_OF_AUXILIARIES: Mapping[str, tuple[str, ...]] = {
    **{form: (lemma,) for lemma, forms in _AUXILIARY_FORMS.items() for form in forms.split()},
    **{"'s": ("be", "have"), "'d": ("will", "have"), "ain't": ("be", "have")},
}


class UnknownVerb(ValueError):  # noqa: N818
    """The word is not the base form of an English verb."""

    def __init__(self, word: str) -> None:
        bases = " or ".join(map(repr, lemmas(word)))
        super().__init__(
            f"{word!r} is not the base form of its verb, {bases}"
            if bases
            else f"{word!r} is not an English verb that can be conjugated"
        )


@cache
def _lemmas_by_form() -> dict[str, tuple[str, ...]]:
    index: dict[str, dict[str, None]] = {}
    for base, verb in verbs().items():
        for form in verb.forms():
            index.setdefault(form, {})[base] = None
    return {form: tuple(bases) for form, bases in index.items()}


@cache
def _spell_checker() -> SpellChecker:
    from spellchecker import SpellChecker

    return SpellChecker(distance=1)


def word_count(word: str) -> int:
    """Return how often a word in lower case occurs in the spelling dictionary's corpus; 0 if unknown."""
    return _spell_checker()[word]


def nearest_words(word: str) -> tuple[str, ...]:
    """Return the known words one edit away from a word in lower case, the most frequent first."""
    candidates = _spell_checker().candidates(word) or set()
    return tuple(sorted(candidates, key=lambda candidate: (-word_count(candidate), candidate)))


def normalise(word: str) -> str:
    """Return a word in lower case with a straight apostrophe, as the lexicon spells it."""
    return word.strip().lower().replace("’", "'")


def is_known_word(word: str) -> bool:
    """Tell whether a word is English, in any letter case."""
    norm = normalise(word)
    if norm in _LEMMAS_OF_AUXILIARIES or norm in _lemmas_by_form() or norm in other_words():
        return True
    return norm in _spell_checker()


def paradigm(lemma: str) -> Paradigm:
    """Return the one-word forms of a verb.

    Parameters
    ----------
    lemma : str
        The base form, in any letter case. Modals have no paradigm.

    Raises
    ------
    UnknownVerb
        If the word is not the base form of a verb.
    """
    verb = verbs().get(normalise(lemma))
    if verb is None:
        raise UnknownVerb(lemma)
    return verb


def is_irregular(lemma: str) -> bool:
    """Tell whether a verb has an irregular form; modals have."""
    norm = normalise(lemma)
    return norm in MODALS or norm in irregular_verbs()


@lru_cache(maxsize=65536)
def lemmas(word: str) -> tuple[str, ...]:
    """Return the verbs that a surface form may belong to, the likeliest first.

    Parameters
    ----------
    word : str
        One token, in any letter case; clitics with their apostrophe (``"'m"``).

    Returns
    -------
    tuple of str
        Lemmas; empty if no verb has this form. A noun that is also a verb ("table") counts.
    """
    norm = normalise(word)
    if norm in _LEMMAS_OF_AUXILIARIES:
        return _LEMMAS_OF_AUXILIARIES[norm]
    found = _lemmas_by_form().get(norm, ())
    if len(found) < 2:
        return found
    return tuple(sorted(found, key=lambda lemma: _usage(lemma, norm), reverse=True))


def _usage(lemma: str, but: str) -> tuple[int, int]:
    """Count how often a verb is used, by its -ing forms and by all its forms, the one in question left out.

    The -ing form is the least ambiguous between verbs ("sawing", "seeing").
    """
    verb = paradigm(lemma)
    gerunds, forms = set(verb.gerund) - {but}, set(verb.forms()) - {but}
    return sum(map(word_count, gerunds)), sum(map(word_count, forms))


def is_used_as_verb(form: str) -> bool:
    """Tell whether a verb form is not just the form of a noun that may be a verb too ("table", "people").

    A base or third person counts if the verb's past and -ing forms reach 1.5% of the base in frequency.
    """
    for lemma in lemmas(form):
        if lemma in AUXILIARY_LEMMAS:
            return True
        verb = paradigm(lemma)
        if form != verb.base and form not in verb.third:
            return True
        verbal = {*verb.past, *verb.participle, *verb.gerund} - {verb.base}
        if sum(map(word_count, verbal)) >= 0.015 * word_count(verb.base):
            return True
    return False
