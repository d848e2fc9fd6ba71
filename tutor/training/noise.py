"""Faults that are not verb errors, put into source and target alike: the model learns to leave them."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

_PREPOSITIONS = ["in", "on", "at", "to", "for", "of", "with", "from"]
_CONFUSED = {
    **{
        "their": "there",
        "than": "then",
        "then": "than",
        "your": "you",
        "too": "to",
        "its": "it's",
        "a": "an",
    },
    **{
        "an": "a",
        "very": "so much",
        "much": "many",
        "many": "much",
        "people": "peoples",
        "because": "becouse",
    },
    **{"which": "wich", "really": "realy", "also": "too", "information": "informations"},
}
_COUNTING = frozenset({"many", "two", "three", "several", "some", "few", "these", "other", "different"})
_ARTICLES = frozenset({"a", "the", "this", "my"})
_NAMES = (
    "README.md",
    "API",
    "v2.1",
    "config.json",
    "GitHub",
    "iPhone",
    "Wi-Fi",
    "main()",
    "HTML",
    "PR #12",
    "user_id",
)
_CONTRACTIONS = (
    (re.compile(r"\b(I)'m\b"), r"\1 am"),
    (re.compile(r"\b(\w+)'re\b"), r"\1 are"),
    (re.compile(r"\b(I|[Yy]ou|[Ww]e|[Tt]hey)'ve\b"), r"\1 have"),
    (re.compile(r"\b(I|[Yy]ou|[Hh]e|[Ss]he|[Ww]e|[Tt]hey|[Ii]t)'ll\b"), r"\1 will"),
    (
        re.compile(r"\b((?:[Dd]o|[Dd]oes|[Dd]id|[Ii]s|[Aa]re|[Ww]as|[Ww]ere|[Hh]as|[Hh]ave|[Hh]ad)) ?n't\b"),
        r"\1 not",
    ),
)


def expand_contractions(sentence: str) -> str:
    """Write out the contractions that have one reading, as learners do (but not in questions)."""
    for pattern, full in _CONTRACTIONS:
        if full.endswith("not") and (sentence.endswith("?") or sentence.startswith("Don't")):
            continue
        sentence = pattern.sub(full, sentence)
    return sentence


def _drop_article(words: list[str], rng: Random, fixed: frozenset[int]) -> bool:
    places = [i for i, word in enumerate(words) if word in {"a", "an", "the"} and i not in fixed]
    return bool(places) and _set(words, rng.choice(places), "")


def _swap_preposition(words: list[str], rng: Random, fixed: frozenset[int]) -> bool:
    places = [
        i for i, w in enumerate(words) if w in _PREPOSITIONS and w not in {"to", "of"} and i not in fixed
    ]
    if not places:
        return False
    place = rng.choice(places)
    return _set(words, place, rng.choice([p for p in _PREPOSITIONS if p != words[place]]))


def _misspell(words: list[str], rng: Random, fixed: frozenset[int]) -> bool:
    places = [i for i, w in enumerate(words) if len(w) > 5 and w.isalpha() and w.islower() and i not in fixed]
    if not places:
        return False
    place = rng.choice(places)
    word = words[place]
    at = rng.randrange(2, len(word) - 1)
    changes = (
        word[:at] + word[at + 1 :],
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word[:at] + word[at] + word[at:],
        word[:at]
        + {"c": "s", "s": "z", "i": "e", "e": "i", "a": "e", "o": "u"}.get(word[at], word[at])
        + word[at + 1 :],
    )
    return _set(words, place, rng.choice(changes))


def _lower_capital(words: list[str], rng: Random, fixed: frozenset[int]) -> bool:
    places = [i for i, word in enumerate(words) if word == "I" or (i == 0 and word[:1].isupper())]
    if not places:
        return False
    for place in places if rng.random() < 0.5 else places[:1]:
        if place not in fixed:
            words[place] = words[place].lower()
    return True


def _drop_punctuation(words: list[str], rng: Random, fixed: frozenset[int]) -> bool:
    places = [i for i, word in enumerate(words) if word in {",", "."}]
    return bool(places) and _set(words, rng.choice(places), "")


def _curl_apostrophes(words: list[str], rng: Random, fixed: frozenset[int]) -> bool:
    places = [i for i, word in enumerate(words) if "'" in word and i not in fixed]
    for place in places:
        words[place] = words[place].replace("'", "’")
    return bool(places)


def _confuse(words: list[str], rng: Random, fixed: frozenset[int]) -> bool:
    places = [i for i, word in enumerate(words) if word in _CONFUSED and i not in fixed]
    if not places:
        return False
    place = rng.choice(places)
    return _set(words, place, _CONFUSED[words[place]])


def _drop_plural(words: list[str], rng: Random, fixed: frozenset[int]) -> bool:
    places = [
        i
        for i, word in enumerate(words)
        if i and words[i - 1] in _COUNTING and word.endswith("s") and i not in fixed
    ]
    return bool(places) and _set(words, places[0], words[places[0]].removesuffix("s"))


def _lower_all(words: list[str], rng: Random, fixed: frozenset[int]) -> bool:
    for place, word in enumerate(words):
        words[place] = word if place in fixed else word.lower()
    return True


def _technical(words: list[str], rng: Random, fixed: frozenset[int]) -> bool:
    places = [
        i
        for i, w in enumerate(words)
        if len(w) > 4 and w.isalpha() and words[i - 1] in _ARTICLES and i not in fixed
    ]
    return bool(places) and _set(words, rng.choice(places), rng.choice(_NAMES))


def _set(words: list[str], place: int, word: str) -> bool:
    words[place] = word
    return True


_NOISES: tuple[tuple[Callable[[list[str], Random, frozenset[int]], bool], float], ...] = (
    (_drop_article, 3),
    (_swap_preposition, 1.5),
    (_misspell, 3),
    (_lower_capital, 1.5),
    (_drop_punctuation, 1.5),
    (_curl_apostrophes, 0.7),
    (_confuse, 2),
    (_drop_plural, 1),
    (_lower_all, 0.8),
    (_technical, 0.6),
)


def add_noise(words: list[str], rng: Random, fixed: frozenset[int]) -> None:
    """Put one or two faults that are no verb errors into a sentence, in place.

    Parameters
    ----------
    words : list of str
        The tokens of the sentence; a dropped one becomes empty.
    rng : Random
        Source of chance.
    fixed : frozenset of int
        Tokens that must stay: the verbs, and what was broken.
    """
    kinds, weights = zip(*_NOISES, strict=True)
    for noise in rng.choices(kinds, weights, k=1 + (rng.random() < 0.3)):
        noise(words, rng, fixed)
