"""Clean sentences to train on: read from files, filtered, varied to look like learners' own text."""

from __future__ import annotations

import csv
import gzip
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import IO, cast

from tutor.language.morphology import is_known_word
from tutor.training.words import phrases, words

MIN_WORDS, MAX_WORDS = 4, 28
MAX_JOINED = 36
_ODD = re.compile(r"[^A-Za-z0-9 ,.;:?!'\"()%$€£\-–’é]")
_INNER_END = re.compile(r"[.?!][\"')]*\s+\S")
_ABBREVIATION = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|vs|etc)\.(?=\s)|\b[ap]\.m\.(?=\s+[a-z])|\b[A-Z]\.(?=\s)")
_CONTRACTED = re.compile(r"\w+'\w+")
_WORD = re.compile(r"[A-Za-z]+")

_LOWER_FIRST = words("lower_first")


def read_sentences(path: Path) -> Iterator[str]:
    """Yield the raw English sentences of a file, one a line.

    Parameters
    ----------
    path : Path
        Plain text, or tab-separated with a header that has a column ``english``; either may be gzipped.

    Raises
    ------
    ValueError
        If a tab-separated file has no such column.
    """
    opener = gzip.open if path.suffix == ".gz" else open
    with cast(IO[str], opener(path, "rt", encoding="utf-8")) as lines:
        if ".tsv" not in path.suffixes:
            yield from (line.strip() for line in lines)
            return
        rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        header = next(rows, [])
        if "english" not in header:
            raise ValueError(f"{path}: no column named 'english' in the first line")
        column = header.index("english")
        yield from (row[column].strip() for row in rows if len(row) > column)


def is_clean(sentence: str) -> bool:
    """Tell whether a text is one sentence of 4 to 28 known words and plain characters."""
    length = len(sentence.split())
    if not MIN_WORDS <= length <= MAX_WORDS or sentence[-1] not in ".?!" or _ODD.search(sentence):
        return False
    if not (sentence[0].isupper() or sentence[0] in "\"'") or sentence.count('"') % 2 or "--" in sentence:
        return False
    if _INNER_END.search(_ABBREVIATION.sub("", sentence)) or " '" in sentence or " ," in sentence:
        return False
    lower = [word for word in _WORD.findall(_CONTRACTED.sub("", sentence)) if word.islower()]
    unknown = sum(len(word) > 3 and not is_known_word(word) for word in lower)
    return unknown <= (len(lower) >= 12)


def clean_sentences(paths: Iterable[Path], *, per_opening: int = 400) -> list[str]:
    """Return the distinct clean sentences of several files.

    Parameters
    ----------
    paths : iterable of Path
        Files that `read_sentences` can read.
    per_opening : int
        How many sentences may share their first three words, so that no opening fills the training set.
    """
    seen: set[str] = set()
    openings: Counter[str] = Counter()
    kept: list[str] = []
    for path in paths:
        for raw in read_sentences(path):
            sentence = " ".join(raw.replace("’", "'").split())
            key = sentence.lower().rstrip(".?!")
            if key in seen or not is_clean(sentence):
                continue
            opening = " ".join(key.split()[:3])
            openings[opening] += 1
            if openings[opening] <= per_opening:
                seen.add(key)
                kept.append(sentence)
    return kept


def rename(sentence: str, rng: Random) -> str:
    """Put other names, or a phrase or pronoun of the same person, in the place of Tom and Mary.

    Tatoeba speaks of Tom in every fifth sentence.
    """
    for name, others, subjects in (("Tom", "male_names", "he"), ("Mary", "female_names", "she")):
        if not re.search(rf"\b{name}\b", sentence) or rng.random() < 0.1:
            continue
        as_subject = re.match(rf"{name} [a-z]", sentence) and not re.match(rf"{name} and ", sentence)
        if as_subject and rng.random() < 0.6:
            sentence = rng.choice(phrases(subjects)) + sentence[len(name) :]
        sentence = re.sub(rf"\b{name}\b", rng.choice(phrases(others)), sentence)
    return sentence


def lower_first(sentence: str) -> str:
    """Return the sentence as it reads inside another one: "The dog" becomes "the dog", "I" stays."""
    first = re.split(r"[\s']", sentence, maxsplit=1)[0]
    return sentence[0].lower() + sentence[1:] if first.lower() in _LOWER_FIRST else sentence


def _is_statement(sentence: str) -> bool:
    first = re.split(r"[\s']", sentence, maxsplit=1)[0]
    joinable = first.lower() in _LOWER_FIRST - words("never_joined") or first == "I"
    return joinable and sentence[-1] == "." and '"' not in sentence


def compose(sentence: str, other: str, rng: Random) -> str:
    """Open a statement as essays do, or join it to another one, since learners' sentences are long."""
    if not _is_statement(sentence):
        return sentence
    draw = rng.random()
    if draw < 0.5 and _is_statement(other) and len((sentence + other).split()) <= MAX_JOINED:
        sentence = sentence[:-1] + rng.choice(phrases("joints")) + lower_first(other)
    if draw < 0.1 or draw > 0.9:
        return f"{rng.choice(phrases('openings'))} {lower_first(sentence)}"
    return sentence


def varied(sentences: list[str], rng: Random) -> Iterator[str]:
    """Yield the sentences in random order, renamed and composed."""
    order = list(sentences)
    rng.shuffle(order)
    for sentence in order:
        composed = compose(rename(sentence, rng), rename(rng.choice(order), rng), rng)
        yield compose(composed, rename(rng.choice(order), rng), rng) if rng.random() < 0.25 else composed
