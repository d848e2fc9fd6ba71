"""The verb "be": ``ser``, ``estar``, ``tener``, ``hacer`` or ``haber``, by what follows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tutor.language.morphology import Person
from tutor.language.spanish import adjuncts as adverbial
from tutor.language.spanish import clauses as clause_rules
from tutor.language.spanish import lexicon, slots
from tutor.language.spanish.adjectives import Adjective, single
from tutor.language.spanish.determiners import cardinals
from tutor.language.spanish.nouns import noun_phrases, possessive_pronoun
from tutor.language.spanish.phrases import NounPhrase, agree
from tutor.language.spanish.predicates import SpanishVerb, build
from tutor.language.spanish.reader import NoGlossError, Reader
from tutor.language.spanish.verbs import VerbGroup, auxiliary_groups, paradigms

if TYPE_CHECKING:
    from tutor.language.spanish.clauses import Predicate, Scope

# "to be hungry": tener and a noun; the flag tells its gender, for "very".
_TENER = {
    "hungry": ("hambre", "f"), "thirsty": ("sed", "f"), "sleepy": ("sueño", "m"), "afraid": ("miedo", "m"),
    "right": ("razón", "f"), "lucky": ("suerte", "f"), "cold": ("frío", "m"), "hot": ("calor", "m"),
    "scared": ("miedo", "m"), "careful": ("cuidado", "m"), "jealous": ("celos", "mp"), "in a hurry": ("prisa", "f"),
}  # fmt: skip
_WEATHER = {
    "cold": "frío", "hot": "calor", "warm": "calor", "windy": "viento", "sunny": "sol", "cool": "fresco", "chilly": "fresco",
}  # fmt: skip
_EVENTS = frozenset("party meeting concert class game exam wedding match funeral lesson festival".split())
_ESTAR_ADVERBS = {
    "here": "aquí", "there": "allí", "home": "en casa", "outside": "fuera", "inside": "dentro", "upstairs": "arriba",
    "downstairs": "abajo", "nearby": "cerca", "abroad": "en el extranjero", "far away": "lejos", "over there": "allí",
    "at home": "en casa", "back": "de vuelta", "out": "fuera", "in bed": "en la cama", "at school": "en la escuela",
    "at work": "en el trabajo", "on vacation": "de vacaciones", "on time": "a tiempo", "in danger": "en peligro",
    "on duty": "de servicio", "on fire": "en llamas", "in trouble": "en apuros", "in love": "enamorado",
    "on a diet": "a dieta", "in a good mood": "de buen humor", "in a bad mood": "de mal humor", "asleep": "dormido", "well": "bien", "fine": "bien", "ok": "bien", "okay": "bien", "all right": "bien",
}  # fmt: skip
_AGREEING = ("enamorado", "dormido")
_ADJECTIVE_PREPOSITIONS = {
    "of": "de", "with": "con", "in": "en", "about": "por", "for": "para", "from": "de", "to": "a", "at": "en",
}  # fmt: skip
# What single adjectives govern, where it is not the usual preposition.
_GOVERNED = {
    ("good", "at"): "en", ("bad", "at"): "en", ("interested", "in"): "en", ("similar", "to"): "a", ("equal", "to"): "a",
    ("different", "from"): "de", ("famous", "for"): "por", ("responsible", "for"): "de", ("ready", "for"): "para",
    ("angry", "at"): "con", ("angry", "with"): "con", ("mad", "at"): "con", ("married", "to"): "con",
    ("kind", "to"): "con", ("nice", "to"): "con", ("polite", "to"): "con", ("rude", "to"): "con", ("worried", "about"): "por",
    ("full", "of"): "de", ("proud", "of"): "de", ("sure", "of"): "de", ("tired", "of"): "de", ("capable", "of"): "de",
    ("jealous", "of"): "de", ("aware", "of"): "de", ("fond", "of"): "", ("guilty", "of"): "de", ("happy", "with"): "con",
    ("satisfied", "with"): "con", ("popular", "with"): "entre", ("important", "to"): "para", ("crazy", "about"): "por",
    ("allergic", "to"): "a", ("addicted", "to"): "a", ("accustomed", "to"): "a", ("used", "to"): "a", ("close", "to"): "",
    ("grateful", "for"): "por", ("sick", "of"): "de", ("excited", "about"): "por", ("afraid", "of"): "de",
    ("innocent", "of"): "de", ("typical", "of"): "de", ("short", "of"): "", ("good", "for"): "para", ("bad", "for"): "para",
    ("late", "for"): "", ("sorry", "for"): "", ("surprised", "at"): "", ("familiar", "with"): "con", ("obsessed", "with"): "con",
    ("in love", "with"): "de", ("scared", "of"): "de",
}  # fmt: skip
_WITH_INFINITIVE = {
    "ready": "para", "able": "", "happy": "de", "glad": "de", "sad": "de", "sorry": "", "easy": "de", "hard": "de",
    "difficult": "de", "impossible": "de", "afraid": "de", "likely": "", "free": "para", "old": "", "eager": "por",
}  # fmt: skip
_QUALITIES = frozenset(
    """complicated sophisticated educated talented gifted limited detailed advanced reserved dedicated skilled related
    experienced beloved cultured refined privileged distinguished renowned supposed civilized""".split()
)
_UNFIT = frozenset("left right quiet still even much many few more less enough able sorry late early supposed worth glad welcome due likely bound sure used such like about".split())


def predicates(reader: Reader, i: int, scope: Scope) -> Iterator[tuple[Predicate, int]]:
    """Yield the readings of what follows a form of "be", likeliest first."""
    for verb, texts, j in _complements(reader, i, scope):
        yield from _completed(reader, j, scope, verb, texts, clause_rules.shown(scope.subject))
    for phrase, j in _identities(reader, i, scope):
        subject = clause_rules.shown(scope.subject)
        if scope.subject.kind == "demonstrative":
            subject = _pointing(scope.subject.lemma, phrase)
        elif scope.subject.lemma == "they" and not phrase.human:
            subject = ""
        elif scope.subject.lemma == "you" and phrase.plural:
            continue
        state = scope.subject.kind != "noun" or scope.subject.human
        texts = [phrase.core if _profession(phrase, scope.subject) else phrase.text]
        yield from _completed(reader, j, scope, SpanishVerb("ser", state=state), texts, subject)


def _completed(
    reader: Reader, j: int, scope: Scope, verb: SpanishVerb, texts: list[str], subject: str
) -> Iterator[tuple[Predicate, int]]:
    for trailing, stranded, k in clause_rules.trailing(reader, j, scope):
        try:
            group, extra = clause_rules.no_longer(scope.group, trailing)
            if any(text.startswith("durante ") for text in trailing):
                verb = replace(verb, state=False)
            first, second = build(group, verb, _number(scope.subject, texts), subjunctive=scope.subjunctive)
        except NoGlossError:
            continue
        rest = " ".join(part for part in (second, *texts, *extra) if part)
        yield clause_rules.Predicate(subject, first, rest, stranded), k


def _pointing(word: str, phrase: NounPhrase) -> str:
    """Return the demonstrative that agrees with what it points at: ``esta es mi casa``, ``esto es un libro``."""
    if phrase.kind == "indefinite" and not phrase.plural and " " not in phrase.core:
        return "esto" if word in ("this", "these") else "eso"
    stem = "est" if word in ("this", "these") else "es"
    if phrase.plural:
        return stem + ("as" if phrase.gender == "f" else "os")
    return stem + ("a" if phrase.gender == "f" else "e")


def _profession(phrase: NounPhrase, subject: NounPhrase) -> bool:
    """Say whether the article of "a teacher" is left out in Spanish."""
    plain = phrase.human and phrase.article in ("un", "una") and " " not in phrase.core
    return plain and (subject.kind in ("pronoun", "name") or subject.human) and subject.lemma != "it"


def _number(subject: NounPhrase, texts: list[str]) -> NounPhrase:
    """Let "it is three o'clock" agree with the hour."""
    if subject.lemma == "it" and subject.kind == "pronoun" and texts[:1] and texts[0].startswith("las "):
        return replace(subject, person=Person.third_pl)
    return subject


Complement = tuple[SpanishVerb, list[str], int]


def _complements(reader: Reader, i: int, scope: Scope) -> Iterator[Complement]:
    subject = scope.subject
    yield from _idioms(reader, i, scope)
    if subject.lemma == "it" and subject.kind == "pronoun":
        yield from _impersonal(reader, i, scope)
    if reader.word(i) == "like" and reader.word(i + 1) in ("this", "that") and i + 2 == len(reader):
        yield SpanishVerb("ser", state=True), ["así"], i + 2
    yield from _places(reader, i, subject, scope.group.perfect)
    yield from _adjectives(reader, i, scope)
    possessed = possessive_pronoun(reader.word(i), subject.gender, subject.plural)
    if possessed:
        yield SpanishVerb("ser", state=True), [possessed], i + 1
    if reader.word(i) == "to" and subject.kind == "noun":
        for (bound,), j in slots.match(reader, i, ("inf",), replace(scope, subject=clause_rules.IT)):
            yield SpanishVerb("ser"), [bound.text], j


def _idioms(reader: Reader, i: int, scope: Scope) -> Iterator[Complement]:
    animate = scope.subject.kind in ("pronoun", "name") or scope.subject.human or scope.subject.is_a("animal")
    impersonal = scope.subject.lemma == "it"
    intensity = {"very": "mucho", "so": "tanto", "too": "demasiado", "really": "mucho"}.get(reader.word(i))
    start = i + 1 if intensity else i
    for length in (3, 1):
        words = reader.words(start, start + length)
        if words in _TENER and animate and not impersonal:
            noun, gender = _TENER[words]
            amount = [agree(intensity, gender[0], gender.endswith("p"))] if intensity else []
            yield SpanishVerb("tener", state=True), [*amount, noun], start + length
            if words in ("afraid", "scared", "jealous") and reader.word(start + 1) == "of":
                for phrase, j in noun_phrases(reader, start + 2):
                    if phrase.kind not in ("pronoun", "polar") and not phrase.negative:
                        yield SpanishVerb("tener", state=True), [*amount, noun, f"de {phrase.with_article().text}"], j
    for count, j in cardinals(reader, i):
        if reader.words(j, j + 2) in ("years old", "year old") and animate and not impersonal:
            yield SpanishVerb("tener", state=True), [count, "años" if count not in ("un", "1") else "año"], j + 2
    if reader.word(i) == "born" and not scope.group.modal and scope.group.tense == "past":
        yield SpanishVerb("nacer", state=False), [], i + 1
    if reader.words(i, i + 2) == "able to":
        for (bound,), j in slots.match(reader, i + 1, ("inf",), scope):
            yield SpanishVerb("poder", state=True), [bound.text], j


def _impersonal(reader: Reader, i: int, scope: Scope) -> Iterator[Complement]:
    word = reader.word(i)
    intensity = {"very": "mucho", "so": "tanto", "too": "demasiado", "really": "mucho"}.get(word)
    weather = _WEATHER.get(reader.word(i + 1 if intensity else i))
    if weather:
        yield SpanishVerb("hacer", state=True), [*([intensity] if intensity else []), weather], i + 1 + bool(intensity)
    if word == "time":
        yield SpanishVerb("ser", state=True), ["hora"], i + 1
        for (bound,), j in slots.match(reader, i + 1, ("inf",), replace(scope, subject=clause_rules.IT)):
            yield SpanishVerb("ser", state=True), ["hora de", bound.text], j
    if word in ("late", "early"):
        yield SpanishVerb("ser", state=True), ["tarde" if word == "late" else "temprano"], i + 1
    if word in ("cloudy", "dark"):
        yield SpanishVerb("estar", state=True), ["nublado" if word == "cloudy" else "oscuro"], i + 1
    if word != "the":
        for hour, j in adverbial.hours(reader, i):
            if reader.word(j - 1) == "o'clock" or ":" in hour or reader.word(j) in ("", "now", "already"):
                yield SpanishVerb("ser", state=True), [hour], j
    if word in lexicon.word_class("day"):
        found = lexicon.entry(word, "noun")
        if found:
            yield SpanishVerb("ser", state=True), [found.translations[0].text], i + 1
    for adjective, j in single(reader, i):
        if reader.word(j) == "to" and not adjective.degree and adjective.lemma not in _UNFIT:
            for (bound,), k in slots.match(reader, j, ("inf",), replace(scope, subject=clause_rules.IT)):
                yield SpanishVerb("ser", state=True), [adjective.spanish, bound.text], k


def _places(reader: Reader, i: int, subject: NounPhrase, perfect: bool) -> Iterator[Complement]:
    infinitive = "ser" if subject.lemma in _EVENTS else "estar"
    for length in (4, 3, 2, 1):
        found = _ESTAR_ADVERBS.get(reader.words(i, i + length))
        if found and subject.kind != "demonstrative":
            text = agree(found, subject.gender, subject.plural) if found in _AGREEING else found
            if text.endswith("enamorado") or found in _AGREEING:
                yield from _governed(reader, i + length, "in love", "estar", [text])
            if infinitive == "estar" or found not in ("bien", "fuera", "de vuelta"):
                yield SpanishVerb(infinitive, state=True), [text], i + length
    for preposition, phrase, j in adverbial.prepositional_parts(reader, i):
        if perfect and preposition == "to" and phrase.kind != "pronoun":
            yield SpanishVerb("estar"), [adverbial.render("in", phrase)], j
        if preposition in ("at", "on", "in") and phrase.kind in ("name", "bare") and not (
            phrase.is_a("place", "articled") or phrase.core[:1].isupper()
        ):
            continue
        if adverbial.locative(preposition) and preposition != "by" and phrase.kind != "pronoun":
            yield SpanishVerb(infinitive, state=infinitive == "estar"), [adverbial.render(preposition, phrase)], j
        elif preposition == "with":
            yield SpanishVerb("estar", state=True), [adverbial.render(preposition, phrase)], j
        elif preposition in ("from", "for", "about") and subject.lemma != "there":
            yield SpanishVerb("ser", state=True), [adverbial.render(preposition, phrase)], j
        elif preposition == "like":
            yield SpanishVerb("ser", state=True), [adverbial.render(preposition, phrase)], j


def _adjectives(reader: Reader, i: int, scope: Scope) -> Iterator[Complement]:
    for adjective, j in single(reader, i):
        if adjective.lemma in _UNFIT or (adjective.lemma in _TENER and scope.subject.human):
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
        yield from _governed(reader, j, adjective.lemma, infinitive, [text])
        if adjective.degree == "est":
            continue
        if reader.word(j) == "to" and _WITH_INFINITIVE.get(adjective.lemma):
            for (bound,), k in slots.match(reader, j, ("inf",), scope):
                yield SpanishVerb(infinitive), [text, f"{_WITH_INFINITIVE[adjective.lemma]} {bound.text}"], k
        if adjective.lemma in ("sure", "certain") and (reader.word(j) == "that" or reader.word(j)) and not scope.group.negative:
            for (bound,), k in slots.match(reader, j, ("that",), scope):
                yield SpanishVerb(infinitive), [text, f"de {bound.text}"], k
        if reader.word(j) == "and":
            for other, k in single(reader, j + 1):
                if _ser_or_estar(other, scope) == infinitive and other.lemma not in _UNFIT and other.lemma not in _TENER:
                    second = agree(other.spanish, scope.subject.gender, scope.subject.plural)
                    yield SpanishVerb(infinitive), [f"{text} y {second}"], k
        yield SpanishVerb(infinitive), [text], j
    if reader.word(i) == "as":
        yield from _equal(reader, i, scope)


def _of_person(adjective: Adjective, subject: NounPhrase) -> Adjective:
    """Say ``mayor`` of people who are older, and ``estupendo`` where ``gran`` cannot stand."""
    person = subject.human or subject.kind in ("pronoun", "name")
    spanish = {"más viejo": "mayor"}.get(adjective.spanish) if person and subject.lemma != "it" else None
    if adjective.base == "gran":
        spanish = adjective.spanish.replace("gran", "estupendo")
    return replace(adjective, spanish=spanish) if spanish else adjective


def _ser_or_estar(adjective: Adjective, scope: Scope) -> str | None:
    participial = adjective.lemma.endswith("ed") and adjective.base.endswith("do") and adjective.lemma not in _QUALITIES
    verbal = any(adjective.lemma in forms.participle for _, forms in paradigms(adjective.lemma))
    if verbal and scope.group.perfect and adjective.lemma not in ("married", "closed", "interested", "worried", "tired"):
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


def _compared(reader: Reader, j: int, adjective: Adjective, infinitive: str, text: str) -> Iterator[Complement]:
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


def _governed(reader: Reader, j: int, lemma: str, infinitive: str, texts: list[str]) -> Iterator[Complement]:
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
            core = {"mí": "yo", "ti": "tú"}.get(phrase.core, phrase.core) if phrase.kind == "pronoun" else phrase.text
            if core and phrase.kind != "polar" and not phrase.negative:
                yield SpanishVerb(infinitive), [text, f"como {core}"], k


def _identities(reader: Reader, i: int, scope: Scope) -> Iterator[tuple[NounPhrase, int]]:
    subject = scope.subject
    hint = subject.gender if subject.human or subject.lemma in ("he", "she") else ""
    for phrase, j in noun_phrases(reader, i, "object", hint if hint == "f" else ""):
        if phrase.kind in ("pronoun", "polar") or phrase.negative:
            continue
        if phrase.kind == "bare" and not (phrase.plural or phrase.core[0].isupper() or phrase.is_a("mass", "language")):
            continue
        yield phrase, j


def existentials(reader: Reader, i: int, subjunctive: bool) -> Iterator[tuple[Predicate, int]]:
    """Yield "there is": ``hay``, ``había``, ``habrá``."""
    if reader.word(i) != "there":
        return
    for group, j in auxiliary_groups(reader, i + 1, None, VerbGroup(), question=False):
        if group.lemma == "be":
            yield from existing(reader, j, group, subjunctive)


def existing(reader: Reader, i: int, group: VerbGroup, subjunctive: bool = False) -> Iterator[tuple[Predicate, int]]:
    """Yield the readings of what "there is" introduces, from the position after the verb group."""
    scope = clause_rules.Scope(clause_rules.IT, group, None, subjunctive)
    for (bound,), j in slots.match(reader, i, ("obj",), scope):
        phrase = bound.phrase
        if phrase is None or phrase.kind in ("pronoun", "name", "demonstrative") or phrase.article.split()[:1] in (
            ["el"], ["la"], ["los"], ["las"], ["mi"], ["tu"], ["su"], ["este"], ["ese"],
        ):  # fmt: skip
            continue
        denied = group if group.negative or not phrase.negative else replace(group, before=("no", *group.before))
        for texts, stranded, k in clause_rules.trailing(reader, j, scope):
            try:
                first, second = build(denied, SpanishVerb("haber", state=True), clause_rules.IT, subjunctive=subjunctive)
            except NoGlossError:
                continue
            if group.simple and group.tense == "present" and not subjunctive and group.form == "finite":
                first = first.removesuffix("ha") + "hay"
            yield clause_rules.Predicate("", first, " ".join(p for p in (second, phrase.text, *texts) if p), stranded), k
