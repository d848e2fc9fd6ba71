"""Adjectives after "be": ``ser`` or ``estar``, agreement, comparison, what they govern."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tutor.language.spanish import lexicon, slots
from tutor.language.spanish.adjectives import Adjective, single
from tutor.language.spanish.idioms import TENER, UNFIT, Complement
from tutor.language.spanish.nouns import noun_phrases
from tutor.language.spanish.parts import Scope
from tutor.language.spanish.phrases import NounPhrase, agree
from tutor.language.spanish.predicates import SpanishVerb
from tutor.language.spanish.reader import NoGlossError, Reader
from tutor.language.spanish.verbs import paradigms

# What single adjectives govern, where it is not the usual preposition.
_GOVERNED = {
    ("good", "at"): "en", ("bad", "at"): "en", ("interested", "in"): "en", ("similar", "to"): "a",
    ("equal", "to"): "a", ("different", "from"): "de", ("famous", "for"): "por",
    ("responsible", "for"): "de", ("ready", "for"): "para", ("angry", "at"): "con",
    ("angry", "with"): "con", ("mad", "at"): "con", ("married", "to"): "con", ("kind", "to"): "con",
    ("nice", "to"): "con", ("polite", "to"): "con", ("rude", "to"): "con", ("worried", "about"): "por",
    ("full", "of"): "de", ("proud", "of"): "de", ("sure", "of"): "de", ("tired", "of"): "de",
    ("capable", "of"): "de", ("jealous", "of"): "de", ("aware", "of"): "de", ("fond", "of"): "",
    ("guilty", "of"): "de", ("happy", "with"): "con", ("satisfied", "with"): "con",
    ("popular", "with"): "entre", ("important", "to"): "para", ("crazy", "about"): "por",
    ("allergic", "to"): "a", ("addicted", "to"): "a", ("accustomed", "to"): "a", ("used", "to"): "a",
    ("close", "to"): "", ("grateful", "for"): "por", ("sick", "of"): "de", ("excited", "about"): "por",
    ("afraid", "of"): "de", ("innocent", "of"): "de", ("typical", "of"): "de", ("short", "of"): "",
    ("good", "for"): "para", ("bad", "for"): "para", ("late", "for"): "", ("sorry", "for"): "",
    ("surprised", "at"): "", ("familiar", "with"): "con", ("obsessed", "with"): "con",
    ("in love", "with"): "de", ("scared", "of"): "de",
}  # fmt: skip
_WITH_INFINITIVE = {
    "ready": "para", "able": "", "happy": "de", "glad": "de", "sad": "de", "sorry": "", "easy": "de",
    "hard": "de", "difficult": "de", "impossible": "de", "afraid": "de", "likely": "", "free": "para",
    "old": "", "eager": "por",
}  # fmt: skip
_QUALITIES = frozenset(
    {
        "complicated", "sophisticated", "educated", "talented", "gifted", "limited", "detailed", "advanced",
        "reserved", "dedicated", "skilled", "related", "experienced", "beloved", "cultured", "refined",
        "privileged", "distinguished", "renowned", "supposed", "civilized",
    }
)  # fmt: skip


def attributes(reader: Reader, i: int, scope: Scope) -> Iterator[Complement]:
    """Yield the adjectives that may follow "be" at a position, with what they govern."""
    for adjective, j in single(reader, i):
        if reader.word(j) == "by":  # a passive
            continue
        if adjective.lemma in UNFIT or (adjective.lemma in TENER and _animate(scope.subject)):
            continue
        adjective = _of_person(adjective, scope.subject)
        try:
            text = agree(adjective.spanish, scope.subject.gender, scope.subject.plural)
        except NoGlossError:
            continue
        infinitive = _ser_or_estar(adjective, scope)
        if infinitive is None:
            continue
        yield from _compared(reader, j, adjective, infinitive, text)
        yield from governed(reader, j, adjective.lemma, infinitive, [text])
        if adjective.degree == "est":
            continue
        if reader.word(j) == "to" and _WITH_INFINITIVE.get(adjective.lemma):
            for (bound,), k in slots.match(reader, j, ("inf",), scope):
                yield SpanishVerb(infinitive), [text, f"{_WITH_INFINITIVE[adjective.lemma]} {bound.text}"], k
        if adjective.lemma in ("sure", "certain") and reader.word(j) and not scope.group.negative:
            for (bound,), k in slots.match(reader, j, ("that",), scope):
                yield SpanishVerb(infinitive), [text, f"de {bound.text}"], k
        yield from _paired(reader, j, scope, infinitive, text)
        yield SpanishVerb(infinitive), [text], j
    if reader.word(i) == "as":
        yield from _equal(reader, i, scope)


def _paired(reader: Reader, j: int, scope: Scope, infinitive: str, text: str) -> Iterator[Complement]:
    """Read the second of two adjectives: "tired and hungry" takes two verbs and so has no gloss."""
    if reader.word(j) != "and":
        return
    for other, k in single(reader, j + 1):
        if _ser_or_estar(other, scope) == infinitive and other.lemma not in (*UNFIT, *TENER):
            second = agree(other.spanish, scope.subject.gender, scope.subject.plural)
            yield SpanishVerb(infinitive), [f"{text} y {second}"], k


def _animate(subject: NounPhrase) -> bool:
    return subject.human or (subject.kind == "pronoun" and subject.lemma != "it")


def _of_person(adjective: Adjective, subject: NounPhrase) -> Adjective:
    """Say ``mayor`` of people who are older, and ``estupendo`` where ``gran`` cannot stand."""
    person = subject.human or subject.kind in ("pronoun", "name")
    spanish = (
        {"más viejo": "mayor", "corto": "bajo"}.get(adjective.spanish)
        if person and subject.lemma != "it"
        else None
    )
    if adjective.base == "gran":
        spanish = adjective.spanish.replace("gran", "estupendo")
    return replace(adjective, spanish=spanish) if spanish else adjective


def _ser_or_estar(adjective: Adjective, scope: Scope) -> str | None:
    participial = (
        adjective.lemma.endswith("ed") and adjective.base.endswith("do") and adjective.lemma not in _QUALITIES
    )
    if adjective.lemma in ("injured", "wounded", "hurt") and scope.group.tense == "past":
        return None
    if (
        participial
        and scope.group.tense == "past"
        and adjective.lemma not in lexicon.word_class("estar_adjective")
    ):
        return None
    if adjective.lemma == "safe" and not _animate(scope.subject):
        return "ser"
    if adjective.lemma == "wrong" and not _animate(scope.subject):
        return None
    if adjective.base.startswith(("sin ", "con ")):  # "worthless", "overweight"
        return None
    if adjective.base.startswith(("en ", "a ")):  # "online", "afloat"
        return "estar"
    verbal = any(adjective.lemma in forms.participle for _, forms in paradigms(adjective.lemma))
    if (
        verbal
        and scope.group.perfect
        and adjective.lemma not in ("married", "closed", "interested", "worried", "tired")
    ):
        return None
    if participial and not lexicon.entry(adjective.lemma, "adjective"):
        return None
    if adjective.degree == "er" and adjective.lemma == "happy":
        return "ser"
    if participial or adjective.lemma in lexicon.word_class("estar_adjective"):
        if adjective.lemma in ("cold", "hot", "clean", "free") and scope.subject.kind == "demonstrative":
            return None
        return "estar"
    return "ser" if lexicon.entry(adjective.lemma, "adjective") else None


def _compared(
    reader: Reader, j: int, adjective: Adjective, infinitive: str, text: str
) -> Iterator[Complement]:
    if adjective.degree != "er" or reader.word(j) != "than":
        return
    for phrase, k in noun_phrases(reader, j + 1):
        if phrase.negative or phrase.kind == "polar":
            continue
        stressed = {"mí": "yo", "ti": "tú"}.get(phrase.core, phrase.core)
        core = stressed if phrase.kind == "pronoun" else phrase.with_article().text
        yield SpanishVerb(infinitive), [text, f"que {core}"], k
    for role_phrase, k in noun_phrases(reader, j + 1, "subject"):
        if role_phrase.kind == "pronoun" and role_phrase.core:
            yield SpanishVerb(infinitive), [text, f"que {role_phrase.core}"], k


def governed(reader: Reader, j: int, lemma: str, infinitive: str, texts: list[str]) -> Iterator[Complement]:
    """Yield an adjective with the prepositional phrase it governs: ``orgulloso de su hijo``."""
    preposition = reader.word(j)
    spanish = _GOVERNED.get((lemma, preposition))
    if not spanish:
        return
    for phrase, k in noun_phrases(reader, j + 1):
        if phrase.kind == "polar" or phrase.negative or (phrase.kind == "pronoun" and phrase.lemma == "it"):
            continue
        placed = phrase if spanish == "de" else phrase.with_article()
        core = placed.text if phrase.kind != "pronoun" else phrase.core
        special = {"me": "conmigo", "you": "contigo"}.get(phrase.lemma) if spanish == "con" else None
        yield SpanishVerb(infinitive), [*texts, special or f"{spanish} {core}"], k


def _equal(reader: Reader, i: int, scope: Scope) -> Iterator[Complement]:
    for adjective, j in single(reader, i + 1):
        infinitive = _ser_or_estar(adjective, scope)
        if reader.word(j) != "as" or adjective.degree or infinitive is None:
            continue
        text = agree(f"tan {adjective.spanish}", scope.subject.gender, scope.subject.plural)
        for phrase, k in (*noun_phrases(reader, j + 1), *noun_phrases(reader, j + 1, "subject")):
            core = (
                {"mí": "yo", "ti": "tú"}.get(phrase.core, phrase.core)
                if phrase.kind == "pronoun"
                else phrase.text
            )
            if core and phrase.kind != "polar" and not phrase.negative:
                yield SpanishVerb(infinitive), [text, f"como {core}"], k
