"""The verb "be": ``ser``, ``estar``, ``tener``, ``hacer`` or ``haber``, by what follows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tutor.language.morphology import Person
from tutor.language.spanish import adjuncts as adverbial
from tutor.language.spanish import clauses as clause_rules
from tutor.language.spanish import slots
from tutor.language.spanish.attributes import attributes, governed
from tutor.language.spanish.filling import no_longer
from tutor.language.spanish.idioms import Complement, idioms, impersonal
from tutor.language.spanish.nouns import noun_phrases
from tutor.language.spanish.parts import IT, Predicate, Scope, shown
from tutor.language.spanish.phrases import NounPhrase, agree
from tutor.language.spanish.predicates import SpanishVerb, build
from tutor.language.spanish.pronouns import possessive_pronoun
from tutor.language.spanish.reader import NoGlossError, Reader
from tutor.language.spanish.verbs import VerbGroup, auxiliary_groups

_PURSUITS = frozenset({"hobby", "job", "dream", "goal", "plan", "passion", "task", "work", "duty", "pastime"})
_EVENTS = frozenset(
    {
        "party", "meeting", "concert", "class", "game", "exam", "wedding", "match", "funeral", "lesson",
        "festival",
    }
)  # fmt: skip
_ESTAR_ADVERBS = {
    "here": "aquí", "there": "allí", "home": "en casa", "outside": "fuera", "inside": "dentro",
    "upstairs": "arriba", "downstairs": "abajo", "nearby": "cerca", "abroad": "en el extranjero",
    "far away": "lejos", "over there": "allí", "at home": "en casa", "back": "de vuelta", "out": "fuera",
    "in bed": "en la cama", "at school": "en la escuela", "at work": "en el trabajo",
    "on vacation": "de vacaciones", "on time": "a tiempo", "in danger": "en peligro",
    "on duty": "de servicio", "on fire": "en llamas", "in trouble": "en apuros", "in love": "enamorado",
    "on a diet": "a dieta", "in a good mood": "de buen humor", "in a bad mood": "de mal humor",
    "asleep": "dormido", "well": "bien", "fine": "bien", "ok": "bien", "okay": "bien", "all right": "bien",
}  # fmt: skip
_AGREEING = ("enamorado", "dormido")


def predicates(reader: Reader, i: int, scope: Scope) -> Iterator[tuple[Predicate, int]]:
    """Yield the readings of what follows a form of "be", likeliest first."""
    for verb, texts, j in _complements(reader, i, scope):
        yield from _completed(reader, j, scope, verb, texts, shown(scope.subject))
    for phrase, j in _identities(reader, i, scope):
        subject = shown(scope.subject)
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
    for trailing, stranded, k in clause_rules.trailing(reader, j, scope, gap_used=False):
        try:
            group, extra = no_longer(scope.group, trailing)
            if any(text.startswith("durante ") for text in trailing):
                verb = replace(verb, state=False)
            first, second = build(group, verb, _number(scope.subject, texts), subjunctive=scope.subjunctive)
        except NoGlossError:
            continue
        rest = " ".join(part for part in (second, *texts, *extra) if part)
        yield Predicate(subject, first, rest, stranded), k


def _pointing(word: str, phrase: NounPhrase) -> str:
    """Return the demonstrative for what it points at: ``esta es mi casa``, ``esto es un libro``."""
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


def _complements(reader: Reader, i: int, scope: Scope) -> Iterator[Complement]:
    subject = scope.subject
    yield from idioms(reader, i, scope)
    if subject.lemma == "it" and subject.kind == "pronoun":
        yield from impersonal(reader, i, scope)
    if reader.word(i) == "like" and reader.word(i + 1) in ("this", "that") and i + 2 == len(reader):
        yield SpanishVerb("ser", state=True), ["así"], i + 2
    yield from _places(reader, i, subject, scope.group.perfect)
    yield from attributes(reader, i, scope)
    possessed = possessive_pronoun(reader.word(i), subject.gender, subject.plural)
    if possessed:
        yield SpanishVerb("ser", state=True), [possessed], i + 1
    if subject.lemma in _PURSUITS:
        for (bound,), j in slots.match(reader, i, ("ing",), replace(scope, subject=IT)):
            yield SpanishVerb("ser", state=True), [bound.text], j
    if reader.word(i) == "to" and subject.kind == "noun":
        for (bound,), j in slots.match(reader, i, ("inf",), replace(scope, subject=IT)):
            yield SpanishVerb("ser"), [bound.text], j


def _places(reader: Reader, i: int, subject: NounPhrase, perfect: bool) -> Iterator[Complement]:
    infinitive = "ser" if subject.lemma in _EVENTS else "estar"
    for length in (4, 3, 2, 1):
        found = _ESTAR_ADVERBS.get(reader.words(i, i + length))
        if found and subject.kind != "demonstrative":
            text = agree(found, subject.gender, subject.plural) if found in _AGREEING else found
            if text.endswith("enamorado") or found in _AGREEING:
                yield from governed(reader, i + length, "in love", "estar", [text])
            if infinitive == "estar" or found not in ("bien", "fuera", "de vuelta"):
                yield SpanishVerb(infinitive, state=True), [text], i + length
    for preposition, phrase, j in adverbial.prepositional_parts(reader, i):
        if perfect and preposition == "to" and phrase.kind != "pronoun":
            yield SpanishVerb("estar"), [adverbial.render("in", phrase)], j
        if (
            preposition in ("at", "on", "in")
            and phrase.kind in ("name", "bare")
            and not (phrase.is_a("place", "articled") or phrase.core[:1].isupper())
        ):
            continue
        if adverbial.locative(preposition) and preposition != "by" and phrase.kind != "pronoun":
            yield (
                SpanishVerb(infinitive, state=infinitive == "estar"),
                [adverbial.render(preposition, phrase)],
                j,
            )
        elif preposition == "with":
            yield SpanishVerb("estar", state=True), [adverbial.render(preposition, phrase)], j
        elif preposition in ("from", "for", "like") or (preposition == "about" and not subject.human):
            yield SpanishVerb("ser", state=True), [adverbial.render(preposition, phrase)], j


def _identities(reader: Reader, i: int, scope: Scope) -> Iterator[tuple[NounPhrase, int]]:
    subject = scope.subject
    hint = subject.gender if subject.human or subject.lemma in ("he", "she") else ""
    for phrase, j in noun_phrases(reader, i, "object", hint if hint == "f" else ""):
        if phrase.kind in ("pronoun", "polar") or phrase.negative:
            continue
        if (
            phrase.is_a("duration")
            and subject.lemma not in ("it", "this", "that")
            and not subject.is_a("time")
        ):
            continue
        if phrase.kind == "bare" and (phrase.core[0].isdigit() or reader.word(i - 1) == "'s"):
            continue
        if phrase.kind == "bare" and not (
            phrase.plural or phrase.core[0].isupper() or phrase.is_a("mass", "language")
        ):
            continue
        yield phrase, j


def existentials(reader: Reader, i: int, subjunctive: bool) -> Iterator[tuple[Predicate, int]]:
    """Yield "there is": ``hay``, ``había``, ``habrá``."""
    if reader.word(i) != "there":
        return
    for group, j in auxiliary_groups(reader, i + 1, None, VerbGroup(), question=False):
        if group.lemma == "be":
            yield from existing(reader, j, group, subjunctive)


def existing(
    reader: Reader, i: int, group: VerbGroup, subjunctive: bool = False
) -> Iterator[tuple[Predicate, int]]:
    """Yield the readings of what "there is" introduces, from the position after the verb group."""
    scope = Scope(IT, group, None, subjunctive)
    for (bound,), j in slots.match(reader, i, ("obj",), scope):
        phrase = bound.phrase
        if phrase is None or phrase.kind in ("pronoun", "name", "demonstrative", "noun"):
            continue
        denied = (
            group if group.negative or not phrase.negative else replace(group, before=("no", *group.before))
        )
        for texts, stranded, k in clause_rules.trailing(reader, j, scope):
            try:
                first, second = build(denied, SpanishVerb("haber", state=True), IT, subjunctive=subjunctive)
            except NoGlossError:
                continue
            if group.simple and group.tense == "present" and not subjunctive and group.form == "finite":
                first = first.removesuffix("ha") + "hay"
            yield Predicate("", first, " ".join(p for p in (second, phrase.text, *texts) if p), stranded), k
