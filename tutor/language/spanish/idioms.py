"""Idioms of "be": ``tener hambre``, ``hace frío``, ``es tarde``, ``nacer``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tutor.language.spanish import lexicon, slots
from tutor.language.spanish.adjectives import single
from tutor.language.spanish.determiners import cardinals
from tutor.language.spanish.nouns import noun_phrases
from tutor.language.spanish.parts import IT, Scope
from tutor.language.spanish.phrases import agree
from tutor.language.spanish.predicates import SpanishVerb
from tutor.language.spanish.reader import Reader
from tutor.language.spanish.times import hours

Complement = tuple[SpanishVerb, list[str], int]
UNFIT = frozenset(
    {
        "left", "right", "quiet", "still", "even", "much", "many", "few", "more", "less", "enough", "able",
        "sorry", "late", "early", "supposed", "worth", "glad", "welcome", "due", "likely", "bound", "sure",
        "used", "such", "like", "about",
    }
)  # fmt: skip
# "to be hungry": tener and a noun; the flag tells its gender, for "very".
TENER = {
    "hungry": ("hambre", "f"), "thirsty": ("sed", "f"), "sleepy": ("sueño", "m"), "afraid": ("miedo", "m"),
    "right": ("razón", "f"), "lucky": ("suerte", "f"), "cold": ("frío", "m"), "hot": ("calor", "m"),
    "scared": ("miedo", "m"), "careful": ("cuidado", "m"), "jealous": ("celos", "mp"),
    "in a hurry": ("prisa", "f"),
}  # fmt: skip
_WEATHER = {
    "cold": "frío", "hot": "calor", "warm": "calor", "windy": "viento", "sunny": "sol", "cool": "fresco",
    "chilly": "fresco",
}  # fmt: skip


def idioms(reader: Reader, i: int, scope: Scope) -> Iterator[Complement]:
    """Yield states that Spanish has, or puts into another verb."""
    animate = scope.subject.kind in ("pronoun", "name") or scope.subject.human or scope.subject.is_a("animal")
    impersonal = scope.subject.lemma == "it"
    intensity = {"very": "mucho", "so": "tanto", "too": "demasiado", "really": "mucho"}.get(reader.word(i))
    start = i + 1 if intensity else i
    for length in (3, 1):
        words = reader.words(start, start + length)
        if words == "right" and reader.word(start + 1) in ("here", "there", "now", "away", "behind"):
            continue
        if words in TENER and animate and not impersonal:
            noun, gender = TENER[words]
            amount = [agree(intensity, gender[0], gender.endswith("p"))] if intensity else []
            yield SpanishVerb("tener", state=True), [*amount, noun], start + length
            if words in ("afraid", "scared", "jealous") and reader.word(start + 1) == "of":
                for phrase, j in noun_phrases(reader, start + 2):
                    if phrase.kind == "polar" or phrase.negative or phrase.lemma == "it":
                        continue
                    yield (
                        SpanishVerb("tener", state=True),
                        [*amount, noun, f"de {phrase.with_article().text}"],
                        j,
                    )
    for count, j in cardinals(reader, i):
        if reader.words(j, j + 2) in ("years old", "year old") and animate and not impersonal:
            yield (
                SpanishVerb("tener", state=True),
                [count, "años" if count not in ("un", "1") else "año"],
                j + 2,
            )
    if reader.word(i) == "born" and not scope.group.modal and scope.group.tense == "past":
        yield SpanishVerb("nacer", state=False), [], i + 1
    if reader.words(i, i + 2) == "able to":
        for (bound,), j in slots.match(reader, i + 1, ("inf",), scope):
            yield SpanishVerb("poder", state=True), [bound.text], j


def impersonal(reader: Reader, i: int, scope: Scope) -> Iterator[Complement]:
    """Yield weather, hours, days, and judgements with an infinitive, whose subject is "it"."""
    word = reader.word(i)
    intensity = {
        "very": "mucho",
        "so": "tanto",
        "too": "demasiado",
        "really": "mucho",
        "quite": "bastante",
        "pretty": "bastante",
    }.get(word)
    weather = _WEATHER.get(reader.word(i + 1 if intensity else i))
    if reader.words(i, i + 2) in ("a little", "a bit") and (slight := _WEATHER.get(reader.word(i + 2))):
        yield SpanishVerb("hacer", state=True), ["un poco de", slight], i + 3
    if weather:
        yield (
            SpanishVerb("hacer", state=True),
            [*([intensity] if intensity else []), weather],
            i + 1 + bool(intensity),
        )
    if word == "time":
        yield SpanishVerb("ser", state=True), ["hora"], i + 1
        for (bound,), j in slots.match(reader, i + 1, ("inf",), replace(scope, subject=IT)):
            yield SpanishVerb("ser", state=True), ["hora de", bound.text], j
    if word in ("late", "early"):
        yield SpanishVerb("ser", state=True), ["tarde" if word == "late" else "temprano"], i + 1
    if word in ("cloudy", "dark"):
        yield SpanishVerb("estar", state=True), ["nublado" if word == "cloudy" else "oscuro"], i + 1
    if word != "the":
        for hour, j in hours(reader, i):
            if reader.word(j - 1) == "o'clock" or ":" in hour or reader.word(j) in ("", "now", "already"):
                yield SpanishVerb("ser", state=True), [hour], j
    if word in lexicon.word_class("day"):
        found = lexicon.entry(word, "noun")
        if found:
            yield SpanishVerb("ser", state=True), [found.translations[0].text], i + 1
    yield from _judgements(reader, i, scope)


def _judgements(reader: Reader, i: int, scope: Scope) -> Iterator[Complement]:
    """Read "it is easy to swim"."""
    for adjective, j in single(reader, i):
        if reader.word(j) != "to" or adjective.degree or adjective.lemma in UNFIT:
            continue
        infinitive = "estar" if adjective.lemma in lexicon.word_class("estar_adjective") else "ser"
        for (bound,), k in slots.match(reader, j, ("inf",), replace(scope, subject=IT)):
            yield SpanishVerb(infinitive, state=True), [adjective.spanish, bound.text], k
