"""Clean sentences to train on: read from files, filtered, varied so that they look like learners' own text."""

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

MIN_WORDS, MAX_WORDS = 4, 28
_ODD = re.compile(r"[^A-Za-z0-9 ,.;:?!'\"()%$€£\-–’é]")
_INNER_END = re.compile(r"[.?!][\"')]*\s+\S")
_ABBREVIATION = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|vs|etc)\.(?=\s)|\b[ap]\.m\.(?=\s+[a-z])|\b[A-Z]\.(?=\s)")
_WORD = re.compile(r"[A-Za-z]+")

# Tatoeba speaks of Tom in every fifth sentence. Names agree alike, so that others may take the place.
_MALE = """Carlos David Luis Daniel Pablo Jorge Miguel Peter John James Ahmed Marco Diego Andrew Paul Antonio
Javier George Robert Kevin Martin Sergio Manuel Alex Ben Sam Ken Hugo Oscar Victor""".split()
_FEMALE = """Maria Ana Laura Sofia Elena Carmen Lucia Sarah Emma Julia Anna Clara Marta Isabel Kate Susan Rosa
Paula Nadia Alice Emily Claire Sandra Monica Yuki Teresa Eva Helen""".split()
_HE = ["He", "My brother", "My father", "My friend", "The teacher", "My boss", "Our neighbour", "The student"]
_SHE = ["She", "My sister", "My mother", "My aunt", "The doctor", "My grandmother", "Our teacher"]

# What may open a statement of a letter or an essay; it changes nothing in the grammar of the rest.
_OPENINGS = """In my opinion,|First of all,|For example,|On the other hand,|As you know,|However,|In fact,|
Moreover,|To be honest,|In conclusion,|Also,|Besides,|For this reason,|I think that|I believe that|Sometimes I feel
that|Everybody says that|It is true that|You know that|My friend told me that|I am sure that|It seems that|Finally,|
Secondly,|In general,|Unfortunately,|Of course|Well,|Therefore,|As a result,|In my case,""".replace("\n", " ").split("|")
_NEUTRAL_OPENINGS = [o.strip() for o in _OPENINGS if "told" not in o]
_JOINTS = [", and ", ", but ", " and ", " but ", ", so ", "; ", " because ", ", and also ", ", "]
_LOWER_FIRST = frozenset(
    """the a an he she it we they you this that these those my your his her our their there here what who
    when where why how all some many most people every each one two three no both in on at from for with if""".split()
)


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
    """Tell whether a sentence is fit for training: one sentence, 4 to 28 words, known words, plain characters."""
    words = sentence.split()
    if not MIN_WORDS <= len(words) <= MAX_WORDS or sentence[-1] not in ".?!" or _ODD.search(sentence):
        return False
    if not (sentence[0].isupper() or sentence[0] in "\"'") or sentence.count('"') % 2 or "--" in sentence:
        return False
    if _INNER_END.search(_ABBREVIATION.sub("", sentence)) or " '" in sentence or " ," in sentence:
        return False
    lower = [word for word in _WORD.findall(sentence.replace("'", "")) if word.islower()]
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
    """Put other names, or a noun phrase or pronoun of the same person, in the place of Tom and Mary."""
    for name, others, phrases in (("Tom", _MALE, _HE), ("Mary", _FEMALE, _SHE)):
        if not re.search(rf"\b{name}\b", sentence) or rng.random() < 0.1:
            continue
        as_subject = re.match(rf"{name} [a-z]", sentence) and not re.match(rf"{name} and ", sentence)
        if as_subject and rng.random() < 0.6:
            sentence = rng.choice(phrases) + sentence[len(name) :]
        sentence = re.sub(rf"\b{name}\b", rng.choice(others), sentence)
    return sentence


def lower_first(sentence: str) -> str:
    """Return the sentence as it reads inside another one: ``"The dog"`` becomes ``"the dog"``, ``"I"`` stays."""
    first = re.split(r"[\s']", sentence, maxsplit=1)[0]
    return sentence[0].lower() + sentence[1:] if first.lower() in _LOWER_FIRST else sentence


def _is_statement(sentence: str) -> bool:
    first = re.split(r"[\s']", sentence, maxsplit=1)[0]
    joinable = first.lower() in _LOWER_FIRST - {"what", "who", "when", "where", "why", "how", "if"} or first == "I"
    return joinable and sentence[-1] == "." and '"' not in sentence


def compose(sentence: str, other: str, rng: Random) -> str:
    """Open a statement the way essays do, or join it to another one; learners' sentences are longer than ours."""
    if not _is_statement(sentence):
        return sentence
    draw = rng.random()
    if draw < 0.10:
        return f"{rng.choice(_NEUTRAL_OPENINGS)} {lower_first(sentence)}"
    if draw < 0.22 and _is_statement(other) and len((sentence + other).split()) <= MAX_WORDS:
        return sentence[:-1] + rng.choice(_JOINTS) + lower_first(other)
    return sentence


def varied(sentences: list[str], rng: Random) -> Iterator[str]:
    """Yield the sentences in random order, renamed and composed."""
    order = list(sentences)
    rng.shuffle(order)
    for sentence in order:
        yield compose(rename(sentence, rng), rename(rng.choice(order), rng), rng)
