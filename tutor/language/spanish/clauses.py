"""Clauses: a subject, a verb group and what its frame takes, put together in Spanish order.

The rules here, in `slots` and in `copula` call one another, as clauses hold clauses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tutor.language.morphology import Person
from tutor.language.spanish import adjuncts as adverbial
from tutor.language.spanish import copula, slots
from tutor.language.spanish.filling import Filling, assemble, fill
from tutor.language.spanish.frames import Frame, frames, governed, transitive
from tutor.language.spanish.nouns import noun_phrases
from tutor.language.spanish.parts import Bound, Predicate, Scope
from tutor.language.spanish.phrases import NounPhrase
from tutor.language.spanish.predicates import SpanishVerb
from tutor.language.spanish.reader import NoGlossError, Reader
from tutor.language.spanish.verbs import finite_groups

# After a verb of which only the lexicon tells, these may belong to it: "climb into", "forgive for".
_OPEN_PREPOSITIONS = frozenset(
    {"into", "out of", "for", "about", "up", "down", "through", "along", "against", "to"}
)
# Verbs after which "for" tells for whom or what.
_BENEFITS = frozenset(
    {
        "be", "buy", "make", "cook", "do", "work", "sing", "write", "read", "bring", "build", "need",
        "have", "leave", "use", "eat", "prepare", "study", "save", "play", "open", "sell", "order",
        "choose", "paint", "want", "drink",
    }
)  # fmt: skip
# Verbs after which "like" compares: "she sings like a bird".
_MANNERS = frozenset(
    {
        "act", "behave", "sing", "cry", "sleep", "eat", "drink", "fight", "treat", "talk", "speak", "live",
        "work", "run", "dance", "swim", "play", "walk", "be", "cook", "write", "laugh", "look", "shine",
        "fly", "smell", "taste",
    }
)  # fmt: skip


def verb_phrases(reader: Reader, i: int, scope: Scope) -> Iterator[tuple[Predicate, int]]:
    """Yield the readings of a verb phrase whose verb group ends at a position, likeliest first."""
    group = scope.group
    if group.lemma == "be":
        yield from copula.predicates(reader, i, scope)
    elif group.passive:
        yield from _passives(reader, i, scope)
    else:
        for frame in frames(group.lemma):
            if not _applies(frame, scope):
                continue
            matched = False
            for bound, j in slots.match(reader, i, frame.pattern, scope):
                matched = True
                if not frame.blocked:
                    yield from _filled(reader, j, frame, bound, scope)
            if matched and frame.blocked:
                return


def _applies(frame: Frame, scope: Scope) -> bool:
    """Check the conditions that a frame puts on subject and tense."""
    animate = scope.subject.human or (scope.subject.kind == "pronoun" and scope.subject.lemma != "it")
    if ("hs" in frame.flags and not animate) or ("ts" in frame.flags and animate):
        return False
    if ("prog" in frame.flags and not scope.group.progressive) or (
        "pos" in frame.flags and scope.group.negative
    ):
        return False
    finite = scope.group.form == "finite" and not scope.group.modal
    if "nf" in frame.flags and finite:
        return False
    present = scope.group.simple and scope.group.tense == "present" and scope.group.form == "finite"
    return not ("np" in frame.flags and present)


def _filled(
    reader: Reader, i: int, frame: Frame, bound: tuple[Bound, ...], scope: Scope
) -> Iterator[tuple[Predicate, int]]:
    try:
        built = fill(frame, bound, scope)
    except NoGlossError:
        return
    gap_used = any(slot.phrase is scope.gap or slot.holds_gap for slot in bound) if scope.gap else False
    excluded = frozenset() if frame.written else _OPEN_PREPOSITIONS
    for texts, prepositions, j in trailing(reader, i, scope, gap_used, excluded):
        try:
            yield assemble(built, texts, prepositions, scope), j
        except NoGlossError:
            continue


def trailing(
    reader: Reader, i: int, scope: Scope, gap_used: bool = True, excluded: frozenset[str] = frozenset()
) -> Iterator[tuple[list[str], str, int]]:
    """Yield the runs of adjuncts from a position, longest first, with the preposition stranded at the end."""
    excluded |= governed(scope.group.lemma)
    if scope.group.lemma not in _BENEFITS:
        excluded |= {"for"}
    if scope.group.lemma not in _MANNERS:
        excluded |= {"like"}
    for text, j in adverbial.adjuncts(reader, i, scope.subject, scope.group.negative, excluded):
        for texts, stranded, k in trailing(reader, j, scope, gap_used, excluded):
            yield [text, *texts], stranded, k
    yield from slots.purpose(reader, i, scope)
    if scope.gap and not gap_used:
        stranded = slots.stranded(reader, i, scope.gap)
        if stranded:
            yield [], stranded, i + 1
        return
    yield [], "", i


def _passives(reader: Reader, i: int, scope: Scope) -> Iterator[tuple[Predicate, int]]:
    """Put a passive into ``ser`` and participle, where the English verb has a transitive Spanish one."""
    infinitive = transitive(scope.group.lemma)
    if infinitive is None or scope.group.lemma in slots.DITRANSITIVE or scope.subject.kind == "demonstrative":
        return
    group = scope.group
    habitual = group.tense == "present" and not (group.modal or group.perfect or group.progressive)
    if habitual and reader.word(i) != "by":  # "is broken" is a state, "is made" often no passive in Spanish
        return
    built = Filling(SpanishVerb(infinitive))
    for texts, stranded, j in trailing(reader, i, scope):
        try:
            yield assemble(built, texts, stranded, scope), j
        except NoGlossError:
            continue


def clauses(reader: Reader, i: int, *, subjunctive: bool = False) -> list[tuple[str, int]]:
    """Return the statements that start at a position, likeliest first, each with the position after it."""
    key = ("clause", i, subjunctive)
    if key not in reader.memo:
        reader.memo[key] = []  # a clause does not begin inside itself
        reader.memo[key] = [
            (predicate.statement(), j) for predicate, j in _statements(reader, i, subjunctive)
        ]
    return list(reader.memo[key])


def _statements(reader: Reader, i: int, subjunctive: bool) -> Iterator[tuple[Predicate, int]]:
    yield from copula.existentials(reader, i, subjunctive)
    for subject, j in subjects(reader, i):
        for group, k in finite_groups(reader, j, subject.english_person):
            yield from verb_phrases(reader, k, Scope(subject, group, None, subjunctive))


def gapped(reader: Reader, i: int, gap: NounPhrase) -> Iterator[tuple[Predicate, int]]:
    """Yield clauses that lack the phrase which stands before them: "(what) you bought", "(who) came"."""
    for group, j in finite_groups(reader, i, Person.third_sg):
        subject = replace(gap, person=Person.third_sg)
        yield from verb_phrases(reader, j, Scope(subject, group))
    for subject, j in subjects(reader, i):
        for group, k in finite_groups(reader, j, subject.english_person):
            yield from verb_phrases(reader, k, Scope(subject, group, gap))


def subjects(reader: Reader, i: int) -> Iterator[tuple[NounPhrase, int]]:
    """Yield the subjects that start at a position, with the prepositional phrase that may belong to them."""
    for subject, j in noun_phrases(reader, i, "subject"):
        if subject.kind == "polar":
            continue
        if subject.kind in ("noun", "indefinite", "bare") and subject.article:
            for text, k in adverbial.prepositional(reader, j):
                yield replace(subject.with_article(), core=f"{subject.core} {text}"), k
        yield subject, j
