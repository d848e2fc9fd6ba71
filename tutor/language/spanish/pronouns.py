"""English pronouns as Spanish noun phrases."""

from __future__ import annotations

from collections.abc import Iterator

from tutor.language.morphology import Person
from tutor.language.spanish.phrases import NounPhrase, agree
from tutor.language.spanish.reader import Reader

# Stressed Spanish form, person, gender.
_SUBJECTS = {
    "i": ("yo", Person.first_sg, "m"), "you": ("tú", Person.second_sg, "m"),
    "he": ("él", Person.third_sg, "m"), "she": ("ella", Person.third_sg, "f"),
    "it": ("", Person.third_sg, "m"), "we": ("nosotros", Person.first_pl, "m"),
    "they": ("ellos", Person.third_pl, "m"),
}  # fmt: skip
_OBJECTS = {
    "me": ("mí", Person.first_sg, "m"), "you": ("ti", Person.second_sg, "m"),
    "him": ("él", Person.third_sg, "m"), "her": ("ella", Person.third_sg, "f"),
    "it": ("ello", Person.third_sg, "m"), "us": ("nosotros", Person.first_pl, "m"),
    "them": ("ellos", Person.third_pl, "m"),
}  # fmt: skip
_INDEFINITES = {
    "someone": ("alguien", "human"), "somebody": ("alguien", "human"), "something": ("algo", ""),
    "nothing": ("nada", "negative"), "nobody": ("nadie", "human negative"), "everything": ("todo", ""),
    "everyone": ("todos", "human plural"), "everybody": ("todos", "human plural"),
    "anything": ("nada", "polar"), "no one": ("nadie", "human negative"),
    "anyone": ("nadie", "human polar"), "anybody": ("nadie", "human polar"),
}  # fmt: skip
_POSSESSIVE_PRONOUNS = {
    "mine": "mío", "yours": "tuyo", "his": "suyo", "hers": "suyo", "ours": "nuestro", "theirs": "suyo",
}  # fmt: skip
_DEMONSTRATIVE_PRONOUNS = {
    "this": ("esto", False),
    "that": ("eso", False),
    "these": ("estos", True),
    "those": ("esos", True),
}


def possessive_pronoun(word: str, gender: str, is_plural: bool) -> str | None:
    """Return ``mío``, ``tuyas`` ... for ``mine``, ``yours``."""
    stem = _POSSESSIVE_PRONOUNS.get(word)
    return agree(stem, gender, is_plural) if stem else None


def pronouns(reader: Reader, i: int, role: str) -> Iterator[tuple[NounPhrase, int]]:
    """Yield the pronouns that start at a position; ``role`` is ``subject`` or ``object``."""
    word = reader.word(i)
    table = _SUBJECTS if role == "subject" else _OBJECTS
    if word in table:
        text, person, gender = table[word]
        is_plural = person in (Person.first_pl, Person.third_pl)
        human = word not in ("it", "they", "them")
        yield NounPhrase("", text, gender, is_plural, person, word, "pronoun", human), i + 1
    yield from _indefinites(reader, i)
    if word in _DEMONSTRATIVE_PRONOUNS:
        text, is_plural = _DEMONSTRATIVE_PRONOUNS[word]
        person = Person.third_pl if is_plural else Person.third_sg
        yield NounPhrase("", text, "m", is_plural, person, word, "demonstrative"), i + 1


def _indefinites(reader: Reader, i: int) -> Iterator[tuple[NounPhrase, int]]:
    j = i + 2 if reader.words(i, i + 2) == "no one" else i + 1
    word = reader.words(i, j)
    if word not in _INDEFINITES or reader.word(j) in ("else", "of"):
        return
    text, features = _INDEFINITES[word]
    is_plural = "plural" in features
    person = Person.third_pl if is_plural else Person.third_sg
    kind = "polar" if "polar" in features else "indefinite"
    human, negative = "human" in features, "negative" in features
    yield NounPhrase("", text, "m", is_plural, person, word, kind, human, negative, english_plural=False), j
