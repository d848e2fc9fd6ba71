"""Adverbs, time expressions and prepositional phrases, which stand in Spanish where they stand in English."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from tutor.language.spanish import lexicon
from tutor.language.spanish.nouns import noun_phrases
from tutor.language.spanish.phrases import NounPhrase, agree
from tutor.language.spanish.reader import NoGlossError, Reader
from tutor.language.spanish.times import time_phrases

ANYMORE = "ya no"
_PREPOSITIONS = {
    "in": "en", "on": "en", "at": "en", "to": "a", "from": "de", "with": "con", "without": "sin",
    "for": "para", "about": "sobre", "after": "después de", "before": "antes de", "under": "debajo de",
    "behind": "detrás de", "between": "entre", "among": "entre", "near": "cerca de",
    "next to": "al lado de", "in front of": "delante de", "because of": "por", "until": "hasta",
    "till": "hasta", "since": "desde", "during": "durante", "against": "contra", "through": "por",
    "around": "alrededor de", "into": "en", "inside": "dentro de", "outside": "fuera de", "along": "por",
    "toward": "hacia", "towards": "hacia", "like": "como", "except": "excepto", "above": "por encima de",
    "below": "debajo de", "despite": "a pesar de", "on top of": "encima de", "instead of": "en vez de",
    "thanks to": "gracias a", "according to": "según", "by": "por", "beside": "al lado de", "as": "como",
    "out of": "de", "down": "por", "up": "por", "across from": "enfrente de", "close to": "cerca de",
    "in spite of": "a pesar de", "besides": "además de",
}  # fmt: skip
_LOCATIVE = frozenset(
    {
        "in", "on", "at", "under", "behind", "between", "near", "inside", "outside", "beside", "above",
        "below", "among", "around", "by", "next_to", "in_front_of", "on_top_of", "across_from", "close_to",
    }
)  # fmt: skip
_WITH = {"me": "conmigo", "you": "contigo"}
_NOT_ADJUNCTS = frozenset(
    {
        "dead", "that", "this", "clean", "flat", "short", "wide", "free", "sound", "light", "tight", "fair",
        "dirty", "round", "together", "anymore", "either", "ago", "instead", "not", "no", "never", "up",
        "down", "out", "off", "over", "in", "on", "away", "back", "through", "along", "around", "by", "as",
        "so", "very", "how", "when", "where", "why", "ever", "even", "just", "only", "still", "yet",
        "about", "to", "like", "than", "else", "all", "right", "much", "more", "most", "less", "least",
        "too", "aside", "apart", "first", "last", "late", "little", "long", "inside", "next", "close",
        "near", "opposite", "left", "really", "quite", "pretty", "rather", "after", "before", "since",
        "though", "although", "however", "also", "already", "always", "often", "usually", "today's", "half",
        "double", "once", "completely", "extremely", "fully", "highly", "totally", "fairly", "barely",
        "hardly", "almost", "nearly",
    }
)  # fmt: skip


def locative(preposition: str) -> bool:
    """Say whether an English preposition tells a place."""
    return preposition.replace(" ", "_") in _LOCATIVE


_OPENING = frozenset(
    {"in", "on", "at", "by", "from", "after", "before", "under", "across", "without", "during"}
)
_SET_ADVERBS = {"late": "tarde", "early": "temprano", "home": "a casa"}
_DEGREE = {
    "very": "muy", "so": "tan", "too": "demasiado", "really": "muy", "quite": "bastante",
    "pretty": "bastante",
}  # fmt: skip
_GRADED = frozenset(
    {
        "well", "fast", "hard", "late", "early", "slowly", "quickly", "soon", "often", "carefully", "far",
        "badly", "loudly", "quietly",
    }
)  # fmt: skip


@cache
def _adverbials() -> dict[str, str]:
    fixed = {phrase: text for phrase, text in lexicon.phrases().items() if _is_adverbial(phrase)}
    return fixed | dict(lexicon.read_pairs("adverbials.tsv"))


def _is_adverbial(phrase: str) -> bool:
    first, *rest = phrase.split()
    return bool(rest) and (first in _OPENING or rest[-1] == "ago") and rest[-1] not in _PREPOSITIONS


def adjuncts(
    reader: Reader,
    i: int,
    subject: NounPhrase,
    negative: bool = False,
    excluded: frozenset[str] = frozenset(),
) -> Iterator[tuple[str, int]]:
    """Yield single adjuncts that start at a position, likeliest first, each with the position after it.

    A preposition in ``excluded`` may only tell a time: the verb governs it otherwise.
    """
    if negative and reader.word(i) == "anymore":
        yield ANYMORE, i + 1
        return
    for length in range(min(5, len(reader) - i), 0, -1):
        if found := _adverbials().get(reader.words(i, i + length)):
            yield found, i + length
    yield from time_phrases(reader, i)
    for preposition, phrase, j in prepositional_parts(reader, i):
        if preposition not in excluded or phrase.is_a("time", "duration", "month"):
            try:
                yield render(preposition, phrase), j
            except NoGlossError:
                continue
    yield from _adverb(reader, i, subject, negative)


def _adverb(reader: Reader, i: int, subject: NounPhrase, negative: bool) -> Iterator[tuple[str, int]]:
    word, following = reader.word(i), reader.word(i + 1)
    if word in _DEGREE and following in _GRADED:
        yield from _graded(word, following, i)
    elif word == "too" and following in ("", ","):
        yield "también", i + 1
    elif word in ("either", "neither") and negative and not following:
        yield "tampoco", i + 1
    elif word == "yet" and negative:
        yield "todavía", i + 1
    elif word == "alone":
        yield agree("solo", subject.gender, subject.plural), i + 1
    elif word == "together" and subject.plural:
        yield agree("junto", subject.gender, True), i + 1
    elif word in _SET_ADVERBS:
        yield _SET_ADVERBS[word], i + 1
    elif word not in _NOT_ADJUNCTS and (spanish := _first(word)):
        yield spanish, i + 1


def _graded(word: str, adverb: str, i: int) -> Iterator[tuple[str, int]]:
    spanish = {"hard": "duro", "often": "a menudo"}.get(adverb) or _first(adverb)
    if spanish and not (adverb == "often" and word != "very"):
        yield f"{_DEGREE[word]} {spanish}", i + 2


def _first(word: str) -> str | None:
    found = lexicon.entry(word, "adverb")
    return found.translations[0].text if found else None


def prepositional(reader: Reader, i: int) -> Iterator[tuple[str, int]]:
    """Yield prepositional phrases that start at a position."""
    for preposition, phrase, j in prepositional_parts(reader, i):
        try:
            yield render(preposition, phrase), j
        except NoGlossError:
            continue


def prepositional_parts(reader: Reader, i: int) -> Iterator[tuple[str, NounPhrase, int]]:
    """Yield English prepositions with the Spanish noun phrases after them."""
    for length in (3, 2, 1):
        preposition = reader.words(i, i + length)
        if preposition in _PREPOSITIONS and i + length < len(reader):
            for phrase, j in noun_phrases(reader, i + length):
                yield preposition, phrase, j


def render(preposition: str, phrase: NounPhrase) -> str:
    """Put a preposition and its noun phrase into Spanish.

    Raises
    ------
    NoGlossError
        If the Spanish preposition is not certain.
    """
    if phrase.negative or phrase.kind in ("polar",):
        raise NoGlossError("a negative inside a prepositional phrase")
    if phrase.is_a("articled") or (phrase.kind == "bare" and phrase.is_a("season", "day")):
        phrase = phrase.with_article()
    if phrase.kind == "pronoun":
        return _with_pronoun(preposition, phrase)
    if (
        preposition == "for"
        and phrase.kind == "bare"
        and not (phrase.plural or phrase.human or phrase.is_a("meal"))
    ):
        raise NoGlossError("for an abstract noun")
    if preposition == "as" and phrase.article in ("un", "una"):
        return f"como {phrase.core}"
    spanish = _by_class(preposition, phrase)
    if not spanish:
        return phrase.text
    return f"{spanish} {phrase.text}"


def _with_pronoun(preposition: str, phrase: NounPhrase) -> str:
    if preposition == "with" and phrase.lemma in _WITH:
        return _WITH[phrase.lemma]
    if phrase.lemma == "it":
        if preposition not in ("about", "with"):
            raise NoGlossError("it after a preposition")
        return f"{_PREPOSITIONS[preposition]} eso"
    if preposition in ("on", "at", "in", "by", "into", "up", "down", "as", "than", "to"):
        raise NoGlossError("a pronoun of place")
    nominative = (
        {"mí": "yo", "ti": "tú"} if preposition in ("like", "except", "between", "according to") else {}
    )
    return f"{_PREPOSITIONS[preposition]} {nominative.get(phrase.core, phrase.core)}"


def _by_class(preposition: str, phrase: NounPhrase) -> str:
    text = phrase.text
    if preposition == "on" and phrase.is_a("day"):
        return ""
    if (
        preposition == "in"
        and phrase.is_a("duration")
        and not phrase.article[:1].isdigit()
        and phrase.is_a("time")
    ):
        return "en"
    if preposition == "for" and phrase.is_a("duration", "money"):
        return "durante" if phrase.is_a("duration") else "por"
    if preposition == "by" and phrase.kind == "bare":
        if phrase.is_a("vehicle"):
            return "en"
        if phrase.is_a("transmission"):
            return "por"
        raise NoGlossError("by")
    if preposition == "by" and not phrase.human:
        raise NoGlossError("by a thing")
    if preposition == "at" and (phrase.human or phrase.kind == "name") and not text[0].isupper():
        raise NoGlossError("at a person")
    if preposition in ("up", "down") and not phrase.is_a("place"):
        raise NoGlossError(preposition)
    if preposition == "for" and phrase.lemma in ("mile", "kilometer", "meter", "block"):
        raise NoGlossError("for a distance")
    if (
        preposition == "at"
        and phrase.kind == "bare"
        and not (phrase.plural or phrase.is_a("place", "articled"))
    ):
        raise NoGlossError("at a time of day")
    if preposition == "about" and phrase.article[:1].isdigit():
        raise NoGlossError("about a number")
    if preposition == "into":
        return "a" if phrase.is_a("language") else "en"
    if preposition == "to" and phrase.kind == "bare" and not text[0].isupper():
        raise NoGlossError("to a bare noun")
    return _PREPOSITIONS[preposition]
