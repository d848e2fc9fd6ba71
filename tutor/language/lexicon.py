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
    """Inflect a verb by the spelling rules of regular verbs, whatever its real forms are.

    Notes
    -----
    The last consonant is doubled in words of one syllable; which longer words stress their last syllable
    ("prefer", not "offer") no rule of spelling tells.
    """
    consonant_y = re.search(r"[^aeiou]y$", base) is not None
    doubles = re.fullmatch(r"y?[^aeiouy]*(?:(?<=q)u)?[aeiouy][bdfgklmnprtvz]", base) is not None
    stem = base + base[-1] if doubles else base
    if re.search(r"(?:s|x|z|ch|sh|[^aeiou]o)$", base):
        third = base + "es"
    else:
        third = base[:-1] + "ies" if consonant_y else base + "s"
    past = base + "d" if base.endswith("e") else base[:-1] + "ied" if consonant_y else stem + "ed"
    if base.endswith("ie"):
        gerund = base[:-2] + "ying"
    elif re.search(r"..(?<![eoy])e$", base):
        gerund = base[:-1] + "ing"
    else:
        gerund = stem + "ing"
    return Paradigm(base, (third,), (past,), (past,), (gerund,))


def _variants(cell: str | None) -> tuple[str, ...]:
    return tuple(form for form in (cell or "").split("/") if form)


@cache
def _lexicon_table() -> tuple[tuple[str, str, list[str]], ...]:
    """Read base, word class and cells of each row of lemminflect's table.

    The file is read as data: importing the package imports spaCy wherever that is installed (seconds).
    """
    spec = find_spec("lemminflect")
    if spec is None or spec.origin is None:
        raise RuntimeError("the package lemminflect is not installed")
    table = Path(spec.origin).parent / "resources" / "infl_lu.csv.gz"
    text = gzip.decompress(table.read_bytes()).decode("utf-8").lower()
    rows = (line.split(",") for line in text.splitlines())
    return tuple((base, word_class, cells) for base, word_class, *cells in rows)


@cache
def _lexicon_words() -> frozenset[str]:
    """Return the words of the table other than verbs, whose forms it does not always spell right."""
    rows = [(base, cells) for base, word_class, cells in _lexicon_table() if word_class != "verb"]
    words = {base for base, _ in rows}
    words.update(form for _, cells in rows for cell in cells for form in cell.split("/"))
    return frozenset(words)


@cache
def _lexicon_verbs() -> dict[str, Paradigm]:
    """Return the regular verbs of lemminflect's table.

    The table's participles lose the regular variant, and it mixes the spellings of sister verbs ("fulfil",
    "fulfill"). Since every irregular verb is in our own table, a past in -ed is the participle as well; only
    a hyphened spelling of an irregular verb ("re-write") keeps what the table says.
    """
    noise = frozenset((corpus_dir() / "english" / "not_verbs.txt").read_text(encoding="utf-8").split())
    verbs: dict[str, Paradigm] = {}
    for base, word_class, cells in _lexicon_table():
        if word_class == "verb" and base not in noise:
            verb = _lexicon_verb(base, cells)
            if verb is not None:
                verbs.setdefault(base, verb)
    return verbs


def _is_one_word(form: str) -> bool:
    return form.replace("-", "").isalpha()


def _lexicon_verb(base: str, cells: list[str]) -> Paradigm | None:
    hyphened = "-" in base
    past, participle, gerund, third = (
        tuple(form for form in _variants(cell) if _is_one_word(form) and ("-" in form) == hyphened)
        for cell in (*cells, "", "", "", "")[:4]
    )
    if not hyphened:
        past = participle = tuple(form for form in past if form.endswith("ed"))
    gerund = tuple(form for form in gerund if form.endswith("ing") and form != base)
    if not past or not gerund:  # a spelling of an irregular verb, or noise ("lightning")
        return None
    rule = regular_paradigm(base)
    third = third if third and rule.third[0] not in third else rule.third
    return Paradigm(base, third, past, participle or past, gerund)


def _read_verbs(path: Path) -> dict[str, Paradigm]:
    """Read a table of verbs: what a row leaves out follows the spelling rules, the participle the past."""
    verbs: dict[str, Paradigm] = {}
    with path.open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            rule = regular_paradigm(row["base"])
            past = _variants(row["past"]) or rule.past
            verbs[rule.base] = Paradigm(
                rule.base,
                _variants(row["third"]) or rule.third,
                past,
                _variants(row.get("participle")) or past,
                _variants(row["gerund"]) or rule.gerund,
            )
    return verbs


@cache
def _irregular_verbs() -> dict[str, Paradigm]:
    be = Paradigm("be", ("is",), ("was", "were"), ("been",), ("being",))
    return {"be": be, **_read_verbs(corpus_dir() / "irregular_verbs.tsv")}


@cache
def _verbs() -> dict[str, Paradigm]:
    ours = _read_verbs(corpus_dir() / "english" / "regular_verbs.tsv")
    verbs = {**_lexicon_verbs(), **ours, **_irregular_verbs()}
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
    if norm in _CLOSED_CLASS or norm in _lemmas_by_form() or norm in _lexicon_words():
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
    verb = _verbs().get(normalise(lemma))
    if verb is None:
        raise UnknownVerb(lemma)
    return verb


def is_irregular(lemma: str) -> bool:
    """Tell whether a verb has an irregular form; modals have."""
    norm = normalise(lemma)
    return norm in MODALS or norm in _irregular_verbs()


def irregular_lemmas() -> tuple[str, ...]:
    """Return every irregular verb, modals left out, in alphabetical order."""
    return tuple(sorted(_irregular_verbs()))


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
