"""English questions, with and without a question word."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tutor.language.morphology import Person
from tutor.language.spanish import adjuncts, copula, lexicon
from tutor.language.spanish.clauses import subjects, verb_phrases
from tutor.language.spanish.nouns import noun_phrases
from tutor.language.spanish.parts import Predicate, Scope
from tutor.language.spanish.phrases import NounPhrase, agree, inflect_noun
from tutor.language.spanish.predicates import SpanishVerb, build
from tutor.language.spanish.reader import Reader
from tutor.language.spanish.verbs import VerbGroup, auxiliary_groups, finite_groups

_ADVERBIAL = {"where": "dónde", "when": "cuándo", "why": "por qué", "how": "cómo"}
_FIXED = (
    ("how old are you", "cuántos años tienes"), ("how are you", "cómo estás"),
    ("how is it going", "cómo te va"), ("what time is it", "qué hora es"),
    ("what time is it now", "qué hora es ahora"), ("what is the date today", "a qué fecha estamos"),
    ("how do you do", ""), ("what do you do", "a qué te dedicas"), ("what are you", "qué eres"),
    ("how much is it", "cuánto cuesta"), ("how much is this", "cuánto cuesta esto"),
    ("what's going on", "qué pasa"), ("what is going on", "qué pasa"),
    ("how are you getting along", "cómo te va"), ("what's up", "qué pasa"), ("what happened", "qué pasó"),
    ("what's wrong", "qué pasa"), ("what is wrong", "qué pasa"), ("what's the matter", "qué pasa"),
)  # fmt: skip


def questions(reader: Reader, i: int) -> Iterator[tuple[str, int]]:
    """Yield the questions that start at a position, without their marks, each with the position after it."""
    words = reader.words(i, len(reader))
    for english, spanish in _FIXED:
        if words == english:
            if spanish:
                yield spanish, len(reader)
            return
    yield from _wh_questions(reader, i)
    for predicate, j in inverted(reader, i, None):
        yield predicate.question(), j


def inverted(reader: Reader, i: int, gap: NounPhrase | None) -> Iterator[tuple[Predicate, int]]:
    """Yield the readings of an auxiliary, a subject and the rest: "do you like", "is he"."""
    denied = VerbGroup(before=("no",)) if reader.word(i + 1) == "not" else VerbGroup()
    start = i + 2 if denied.before else i + 1
    if reader.word(start) == "there" and gap is None:
        for group, j in auxiliary_groups(reader, i, None, denied, question=True, rest=start + 1):
            if group.lemma == "be":
                yield from copula.existing(reader, j, group)
        return
    for subject, j in subjects(reader, start):
        for group, k in auxiliary_groups(reader, i, subject.english_person, denied, question=True, rest=j):
            for predicate, end in verb_phrases(reader, k, Scope(subject, group, gap)):
                asks = group.lemma == "be" and gap is not None and gap.lemma in ("what", "who")
                if not asks or predicate.front:
                    yield predicate, end


def _wh_questions(reader: Reader, i: int) -> Iterator[tuple[str, int]]:
    word = reader.word(i)
    if word in _ADVERBIAL:
        yield from _adverbial(reader, i, word)
    if word == "how":
        yield from _measured(reader, i)
    if word in ("who", "whom"):
        yield from _with_gap(reader, i + 1, NounPhrase("", "quién", human=True, kind="gap", lemma="who"))
    if word == "whose":
        yield from _whose(reader, i)
    if word in ("what", "which"):
        yield from _what(reader, i)


def _adverbial(reader: Reader, i: int, word: str) -> Iterator[tuple[str, int]]:
    spanish = _ADVERBIAL[word]
    for predicate, j in inverted(reader, i + 1, None):
        going = word == "where" and bool({"go", "going"} & {token.norm for token in reader.tokens})
        yield f"{'adónde' if going else spanish} {predicate.question()}", j
    if word in ("where", "when", "how"):
        yield from _where_is(reader, i, word)


def _where_is(reader: Reader, i: int, word: str) -> Iterator[tuple[str, int]]:
    """Put "where is the book" and "how was the party" into Spanish."""
    for subject, j in subjects(reader, i + 2):
        for group, k in auxiliary_groups(
            reader, i + 1, subject.english_person, VerbGroup(), question=True, rest=j
        ):
            if group.lemma != "be" or k != len(reader):
                continue
            event = subject.lemma in ("party", "meeting", "concert", "wedding", "exam", "game", "class")
            infinitive = "ser" if word == "when" or event else "estar"
            if word == "how" and not (subject.human or subject.kind in ("pronoun", "name") or event):
                continue
            verb = SpanishVerb(infinitive, state=not event)
            first, second = build(group, verb, subject)
            shown = subject.with_article().text if subject.kind != "pronoun" else ""
            yield " ".join(part for part in (_ADVERBIAL[word], first, second, shown) if part), k


def _measured(reader: Reader, i: int) -> Iterator[tuple[str, int]]:
    following = reader.word(i + 1)
    if following in ("many", "much"):
        for found, english_plural in lexicon.nouns(reader.word(i + 2)):
            if english_plural != (following == "many"):
                continue
            noun, gender, is_plural = inflect_noun(found.translations[0], english_plural)
            amount = f"{agree('cuánto', gender, is_plural)} {noun}"
            if following == "many" and reader.words(i + 3, i + 5) in ("are there", "were there"):
                yield f"{amount} {'hay' if reader.word(i + 3) == 'are' else 'había'}", i + 5
            yield from _asking(reader, i + 3, amount, english_plural, gender)
    if following == "much":
        for predicate, j in inverted(reader, i + 2, None):
            if predicate.verb.split()[-1].startswith(("cuest", "cost")):
                yield f"cuánto {predicate.question()}", j
    for words, spanish in (("how often", "con qué frecuencia"), ("how long", "cuánto tiempo")):
        if reader.words(i, i + 2) == words:
            for predicate, j in inverted(reader, i + 2, None):
                yield f"{spanish} {predicate.question()}", j
    if reader.words(i, i + 2) == "how old":
        for subject, j in subjects(reader, i + 3):
            for group, k in auxiliary_groups(
                reader, i + 2, subject.english_person, VerbGroup(), question=True, rest=j
            ):
                if group.lemma == "be" and subject.human and k == len(reader):
                    first, _ = build(group, SpanishVerb("tener", state=True), subject)
                    shown = subject.core if subject.lemma in ("he", "she", "they") else ""
                    shown = subject.text if subject.kind != "pronoun" else shown
                    yield f"cuántos años {first} {shown}".strip(), k


def _asking(
    reader: Reader, i: int, asked: str, is_plural: bool, gender: str, human: bool = False
) -> Iterator[tuple[str, int]]:
    """Ask for a noun phrase, as object or as subject."""
    gap = NounPhrase(
        "", "", gender, is_plural, Person.third_pl if is_plural else Person.third_sg, "", "gap", human
    )
    for predicate, j in inverted(reader, i, gap):
        yield f"{predicate.front} {asked} {predicate.question()}".strip(), j
    for group, j in finite_groups(reader, i, gap.person):
        for predicate, k in verb_phrases(reader, j, Scope(gap, group)):
            yield f"{asked} {predicate.verb} {predicate.rest}".strip(), k


def _with_gap(reader: Reader, i: int, gap: NounPhrase) -> Iterator[tuple[str, int]]:
    shown = gap.core
    empty = replace(gap, core="")
    for group, j in finite_groups(reader, i, Person.third_sg):
        if shown == "qué" and group.lemma == "be" and group.simple:
            for preposition, phrase, k in adjuncts.prepositional_parts(reader, j):
                if adjuncts.locative(preposition) and phrase.kind != "pronoun":
                    verb = "hay" if group.tense == "present" else "había"
                    yield f"qué {verb} {adjuncts.render(preposition, phrase)}", k
        if group.lemma == "be" and not (group.progressive or group.passive):
            yield from _who_is(reader, j, group, shown)
        for predicate, k in verb_phrases(reader, j, Scope(empty, group)):
            if predicate.front in ("", "a"):
                yield f"{predicate.front} {shown} {predicate.verb} {predicate.rest}".strip(), k
    for predicate, j in inverted(reader, i, empty):
        yield f"{predicate.front} {shown} {predicate.question()}".strip(), j
    if reader.word(i) == "are":
        for group, j in auxiliary_groups(reader, i, Person.third_pl, VerbGroup(), question=False):
            if group.lemma == "be":
                yield from _who_is(reader, j, group, "quiénes" if shown == "quién" else shown)


def _who_is(reader: Reader, i: int, group: VerbGroup, asked: str) -> Iterator[tuple[str, int]]:
    for role in ("subject", "object"):
        for phrase, j in subjects(reader, i) if role == "subject" else noun_phrases(reader, i, role):
            if (
                j != len(reader)
                or phrase.kind in ("polar", "bare")
                or (role == "object" and phrase.kind == "pronoun")
            ):
                continue
            if asked == "qué" and (phrase.kind == "noun" or phrase.possessor):
                asked = "cuáles" if phrase.plural else "cuál"
            first, second = build(group, SpanishVerb("ser", state=True), phrase)
            shown = (
                phrase.core
                if phrase.kind == "pronoun" and phrase.lemma in ("he", "she", "they")
                else phrase.text
            )
            shown = "" if phrase.kind == "pronoun" and phrase.lemma not in ("he", "she", "they") else shown
            yield " ".join(part for part in (asked, first, second, shown) if part), j


def _whose(reader: Reader, i: int) -> Iterator[tuple[str, int]]:
    for phrase, j in noun_phrases(reader, i + 1):
        if phrase.kind != "bare":
            continue
        for other, k in noun_phrases(reader, j + 1):
            if reader.word(j) in ("is", "are") and other.kind == "demonstrative" and k == len(reader):
                adjective = {"this": "este", "that": "ese", "these": "este", "those": "ese"}[other.lemma]
                form = agree(
                    adjective.replace("este", "esto").replace("ese", "eso"), phrase.gender, phrase.plural
                )
                form = adjective if (phrase.gender, phrase.plural) == ("m", False) else form
                verb = "son" if phrase.plural else "es"
                yield f"de quién {verb} {form} {phrase.core}", k


def _what(reader: Reader, i: int) -> Iterator[tuple[str, int]]:
    word = reader.word(i)
    if reader.words(i, i + 2) == "what time":
        for predicate, j in inverted(reader, i + 2, None):
            yield f"a qué hora {predicate.question()}", j
        return
    if word == "what":
        yield from _with_gap(reader, i + 1, NounPhrase("", "qué", kind="gap", lemma="what"))
    for phrase, j in noun_phrases(reader, i + 1):
        if phrase.kind == "bare":
            yield from _asking(reader, j, f"qué {phrase.core}", phrase.plural, phrase.gender, phrase.human)
