"""The verb tables: which words are verbs, and their one-word forms with all accepted variants.

Three sources, the later over the earlier: lemminflect's table (regular verbs), our own regular verbs and
spellings, our own irregular verbs.
"""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from tutor.paths import corpus_dir


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
    sibilant = re.search(r"(?:s|x|z|ch|sh|[^aeiou]o)$", base) is not None
    third = stem + "es" if sibilant else base[:-1] + "ies" if consonant_y else base + "s"
    past = base + "d" if base.endswith("e") else base[:-1] + "ied" if consonant_y else stem + "ed"
    if base.endswith("ie"):
        gerund = base[:-2] + "ying"
    elif re.search(r"..(?<![eoy])e$", base):
        gerund = base[:-1] + "ing"
    else:
        gerund = stem + "ing"
    return Paradigm(base, (third,), (past,), (past,), (gerund,))


def _variants(cell: str | None) -> tuple[str, ...]:
    return tuple(filter(None, (cell or "").split("/")))


@cache
def _lexicon_rows() -> tuple[str, ...]:
    """Read the rows of lemminflect's table: base, word class and cells, separated by commas.

    The file is read as data: importing the package imports spaCy wherever that is installed (seconds).
    """
    spec = find_spec("lemminflect")
    if spec is None or spec.origin is None:
        raise RuntimeError("the package lemminflect is not installed")
    table = Path(spec.origin).parent / "resources" / "infl_lu.csv.gz"
    return tuple(gzip.decompress(table.read_bytes()).decode("utf-8").lower().splitlines())


@cache
def verbs_without_passive() -> frozenset[str]:
    """Return the bases of verbs that are never passive ("happen"), be among them."""
    return frozenset(_word_list("no_passive.txt") | {"be"})


def _word_list(name: str) -> set[str]:
    return set((corpus_dir() / "english" / name).read_text(encoding="utf-8").split())


@cache
def other_words() -> frozenset[str]:
    """Return the words of lemminflect's table that are no verbs, and those of our own list.

    Its verb forms are left out: it spells some wrong ("occured").
    """
    words = _word_list("words.txt")
    for row in _lexicon_rows():
        base, word_class, *cells = row.split(",")
        if word_class != "verb":
            words.update((base, *_variants("/".join(cells))))
    return frozenset(words)


@cache
def _lexicon_verbs() -> dict[str, Paradigm]:
    """Return the regular verbs of lemminflect's table.

    The table's participles lose the regular variant, and it mixes the spellings of sister verbs ("fulfil",
    "fulfill"). Since every irregular verb is in our own table, a past in -ed is the participle as well; only
    a hyphened spelling of an irregular verb ("re-write") keeps what the table says.
    """
    noise = _word_list("not_verbs.txt")
    verbs: dict[str, Paradigm] = {}
    for row in _lexicon_rows():
        if ",verb," in row:
            base, _, *cells = row.split(",")
            verb = _lexicon_verb(base, cells)
            if verb is not None and base not in noise:
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
def irregular_verbs() -> Mapping[str, Paradigm]:
    """Return every irregular verb by its base, be among them, modals left out."""
    be = Paradigm("be", ("is",), ("was", "were"), ("been",), ("being",))
    return {"be": be, **_read_verbs(corpus_dir() / "irregular_verbs.tsv")}


@cache
def verbs() -> Mapping[str, Paradigm]:
    """Return every verb by its base, modals left out."""
    ours = _read_verbs(corpus_dir() / "english" / "regular_verbs.tsv")
    return {**_lexicon_verbs(), **ours, **irregular_verbs()}
