"""The English-Spanish lexicon: ranked translations by headword and part of speech."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from tutor.paths import corpus_dir

_LEXICONS = ("verbs.tsv", "function_words.tsv", "words_a_m.tsv", "words_n_z.tsv")
_TRANSLATION = re.compile(
    r"^(?P<text>.*?)(?: \((?P<gender>m|f|mf|mp|fp)\))?(?: \[(?P<preposition>[^\]]+)\])?$"
)
_IRREGULAR_PLURALS = {
    "men": "man", "women": "woman", "children": "child", "people": "person", "feet": "foot",
    "teeth": "tooth", "mice": "mouse", "geese": "goose", "oxen": "ox", "lives": "life", "wives": "wife",
    "knives": "knife", "leaves": "leaf", "wolves": "wolf", "halves": "half", "shelves": "shelf",
    "thieves": "thief", "loaves": "loaf", "selves": "self", "calves": "calf", "scarves": "scarf",
    "policemen": "policeman", "firemen": "fireman", "fishermen": "fisherman", "businessmen": "businessman",
    "gentlemen": "gentleman", "grandchildren": "grandchild", "sheep": "sheep", "fish": "fish",
    "deer": "deer", "heroes": "hero", "potatoes": "potato", "tomatoes": "tomato", "crises": "crisis",
    "analyses": "analysis",
}  # fmt: skip
_IRREGULAR_DEGREES = {
    "better": ("good", "er"), "best": ("good", "est"), "worse": ("bad", "er"), "worst": ("bad", "est"),
    "elder": ("old", "er"), "eldest": ("old", "est"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Translation:
    """One Spanish equivalent.

    Attributes
    ----------
    text : str
        The citation form: infinitive, singular noun, masculine adjective.
    gender : str
        ``m``, ``f``, ``mf`` (person of either sex), ``mp``, ``fp`` (plural only), or empty.
    preposition : str
        The one that a verb governs, or empty.
    """

    text: str
    gender: str = ""
    preposition: str = ""


@dataclass(frozen=True, slots=True)
class LexicalEntry:
    """A headword with one part of speech and its translations, best first."""

    lemma: str
    pos: str
    translations: tuple[Translation, ...]


@cache
def _cells() -> Mapping[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for name in _LEXICONS:
        for lemma, pos, translations in read_table(name):
            found.setdefault(lemma, {}).setdefault(pos, translations)
    return found


def read_table(name: str) -> Iterator[list[str]]:
    """Yield the rows of a table of ``corpus/spanish``, without its header; none if it is absent."""
    path = corpus_dir() / "spanish" / name
    if not path.exists():
        return
    lines = path.read_text(encoding="utf-8").splitlines()
    width = lines[0].count("\t") + 1
    for line in lines[1:]:
        if line and not line.startswith("#"):
            yield [cell.strip() for cell in line.split("\t")][:width]


def _parse(cell: str) -> tuple[Translation, ...]:
    parsed = []
    for text in cell.split(";"):
        match = _TRANSLATION.match(text.strip())
        if match and match["text"]:
            parsed.append(Translation(match["text"], match["gender"] or "", match["preposition"] or ""))
    return tuple(parsed)


@cache
def entries(lemma: str) -> tuple[LexicalEntry, ...]:
    """Return the entries of a headword in lower case, or ``()``."""
    return tuple(LexicalEntry(lemma, pos, _parse(cell)) for pos, cell in _cells().get(lemma, {}).items())


def headwords(pos: str) -> tuple[str, ...]:
    """Return every headword with an entry as this part of speech."""
    return tuple(lemma for lemma, by_pos in _cells().items() if pos in by_pos)


def entry(lemma: str, pos: str) -> LexicalEntry | None:
    """Return the entry of a headword as one part of speech."""
    return next((found for found in entries(lemma) if found.pos == pos), None)


def read_pairs(name: str) -> Iterator[tuple[str, str]]:
    """Yield the first two cells of the rows of a table."""
    for first, second, *_ in read_table(name):
        yield first, second


@cache
def word_class(name: str) -> frozenset[str]:
    """Return the English words of a class of ``word_classes.tsv``: ``human``, ``instrument``, ``month``."""
    return _word_classes().get(name, frozenset())


@cache
def _word_classes() -> Mapping[str, frozenset[str]]:
    return {name: frozenset(words.split("; ")) for name, words in read_table("word_classes.tsv")}


@cache
def phrases() -> Mapping[str, str]:
    """Return fixed English phrases, in lower case, with their Spanish."""
    return {row[0].lower(): row[1].split(";")[0].strip() for row in read_table("phrases.tsv")}


def singulars(word: str) -> tuple[str, ...]:
    """Return the headwords that a word may be the plural of: ``cities`` -> ``city``."""
    if word in _IRREGULAR_PLURALS:
        return (_IRREGULAR_PLURALS[word],)
    candidates = []
    if word.endswith("ies") and len(word) > 4:
        candidates.append(word[:-3] + "y")
    if word.endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
        candidates.append(word[:-2])
    if word.endswith("s") and not word.endswith("ss"):
        candidates.append(word[:-1])
    return tuple(candidate for candidate in candidates if entry(candidate, "noun"))


def nouns(word: str) -> tuple[tuple[LexicalEntry, bool], ...]:
    """Return the noun entries of a form, each with whether the form is plural."""
    if word in ("people", "children") and not entry(word, "noun"):
        return tuple((found, True) for lemma in singulars(word) if (found := entry(lemma, "noun")))
    own = entry(word, "noun")
    if own and word == "people":
        return ((own, True),)
    plurals = tuple(
        (found, True) for lemma in singulars(word) if lemma != word and (found := entry(lemma, "noun"))
    )
    return (((own, False),) if own else ()) + plurals


def degrees(word: str) -> tuple[tuple[str, str], ...]:
    """Return the adjectives that a form in -er or -est compares: ``bigger`` -> ``big, er``."""
    if word in _IRREGULAR_DEGREES:
        return (_IRREGULAR_DEGREES[word],)
    for ending in ("er", "est"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            stem = word[: -len(ending)]
            options = [stem, stem + "e"]
            if stem.endswith("i"):
                options.append(stem[:-1] + "y")
            if stem[-1] == stem[-2]:
                options.append(stem[:-1])
            found = tuple((option, ending) for option in options if entry(option, "adjective"))
            if found:
                return found
    return ()
