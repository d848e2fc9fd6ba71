"""The English verb lexicon: which words are verbs, their one-word forms, and the way back to the lemma."""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from tutor.paths import corpus_dir

if TYPE_CHECKING:
    from spellchecker import SpellChecker

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

_CLOSED_CLASS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("be", "am", "is", "are", "was", "were", "been", "being", "'m", "'re"), ("be",)),
    **{"'s": ("be", "have"), "'d": ("will", "have"), "'ve": ("have",), "'ll": ("will",)},
    **{"can": ("can",), "could": ("can",), "may": ("may",), "might": ("may",), "must": ("must",)},
    **{"shall": ("shall",), "should": ("shall",), "will": ("will",), "would": ("will",), "ought": ("ought",)},
}
"""Forms whose lemma no table of main verbs gives."""

class UnknownVerb(ValueError):  # noqa: N818
    """The word is not the base form of an English verb."""

    def __init__(self, word: str) -> None:
        super().__init__(f"{word!r} is not an English verb that can be conjugated")
        self.word = word


@dataclass(frozen=True, slots=True)
class Paradigm:
    """The one-word forms of a verb, each with all its accepted variants, the most usual first."""

    base: str
    third: tuple[str, ...]
    past: tuple[str, ...]
    participle: tuple[str, ...]
    gerund: tuple[str, ...]

    def forms(self) -> Iterator[str]:
        """Yield every form, the base first; a form of two slots comes twice."""
        yield self.base
        for variants in (self.third, self.past, self.participle, self.gerund):
            yield from variants


def regular_paradigm(base: str) -> Paradigm:
    """Inflect a verb by the spelling rules of regular verbs, whatever its real forms are."""
    stem = base
    if re.search(r"(?:s|x|z|ch|sh|[^aeiou]o)$", base):
        third = base + "es"
    elif re.search(r"[^aeiou]y$", base):
        third = base[:-1] + "ies"
    else:
        third = base + "s"
    if re.fullmatch(r"(?:[^aeiou]*|qu)[aeiou][bdfgklmnprtvz]", base):
        stem = base + base[-1]
    past = stem + "d" if base.endswith("e") else stem + "ed"
    if re.search(r"[^aeiou]y$", base):
        past = base[:-1] + "ied"
    if base.endswith("ie"):
        gerund = base[:-2] + "ying"
    elif re.search(r"[^eoy]e$", base) and len(base) > 2:
        gerund = base[:-1] + "ing"
    else:
        gerund = stem + "ing"
    return Paradigm(base, (third,), (past,), (past,), (gerund,))


def _variants(cell: str) -> tuple[str, ...]:
    return tuple(form for form in cell.split("/") if form)


@cache
def _lexicon_verbs() -> dict[str, Paradigm]:
    """Read the verbs of lemminflect's table.

    The file is read as data: importing the package imports spaCy wherever that is installed (seconds).
    """
    spec = find_spec("lemminflect")
    if spec is None or spec.origin is None:
        raise RuntimeError("the package lemminflect is not installed")
    verbs: dict[str, Paradigm] = {}
    table = Path(spec.origin).parent / "resources" / "infl_lu.csv.gz"
    with gzip.open(table, "rt", encoding="utf-8") as lines:
        for line in lines:
            base, category, *cells = line.rstrip("\n").split(",")
            if category != "verb" or base in verbs or not base.islower():
                continue
            past, participle, gerund, third = (_variants(cell) for cell in (*cells, "", "", "", "")[:4])
            rule = regular_paradigm(base)
            past = past or rule.past
            verbs[base] = Paradigm(base, third or rule.third, past, participle or past, gerund or rule.gerund)
    return verbs


@cache
def _irregular_verbs() -> dict[str, Paradigm]:
    verbs: dict[str, Paradigm] = {}
    with (corpus_dir() / "irregular_verbs.tsv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            base, rule = row["base"], regular_paradigm(row["base"])
            third, gerund = _variants(row["third"] or ""), _variants(row["gerund"] or "")
            past, participle = _variants(row["past"]), _variants(row["participle"])
            verbs[base] = Paradigm(base, third or rule.third, past, participle, gerund or rule.gerund)
    return verbs


@cache
def _verbs() -> dict[str, Paradigm]:
    be = Paradigm("be", ("is",), ("was", "were"), ("been",), ("being",))
    verbs = {**_lexicon_verbs(), **_irregular_verbs(), "be": be}
    return {base: verb for base, verb in verbs.items() if base not in MODALS}


@cache
def _lemmas_by_form() -> dict[str, tuple[str, ...]]:
    index: dict[str, dict[str, None]] = {}
    for base, verb in _verbs().items():
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


def verb_forms() -> Iterable[str]:
    """Return every form of every verb, in lower case, modals left out."""
    return _lemmas_by_form()


def normalise(word: str) -> str:
    """Return a word in lower case with a straight apostrophe, as the lexicon spells it."""
    return word.strip().lower().replace("’", "'")


def is_known_word(word: str) -> bool:
    """Tell whether a word is English, in any letter case."""
    norm = normalise(word)
    return norm in _CLOSED_CLASS or norm in _lemmas_by_form() or norm in _spell_checker()


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
    verb = _verbs().get(normalise(lemma))
    if verb is None:
        raise UnknownVerb(lemma)
    return verb


def is_irregular(lemma: str) -> bool:
    """Tell whether a verb has an irregular form; modals have."""
    norm = normalise(lemma)
    return norm == "be" or norm in MODALS or norm in _irregular_verbs()


def irregular_lemmas() -> tuple[str, ...]:
    """Return every verb of the irregular table, be among them, in alphabetical order."""
    return tuple(sorted((*_irregular_verbs(), "be")))


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
    if norm.endswith("n't"):
        norm = {"ca": "can", "wo": "will", "sha": "shall"}.get(norm[:-3], norm[:-3])
    if norm in _CLOSED_CLASS:
        return _CLOSED_CLASS[norm]
    found = _lemmas_by_form().get(norm, ())
    if len(found) < 2:
        return found
    return tuple(sorted(found, key=lambda lemma: -_usage(lemma, norm)))


def _usage(lemma: str, but: str) -> int:
    """Count how often a verb is used, by its forms other than the one in question.

    The -ing form is the least ambiguous between verbs ("sawing", "seeing").
    """
    return sum(word_count(form) for form in set(paradigm(lemma).gerund) - {but})
