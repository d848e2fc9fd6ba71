"""Clauses: a subject, a verb group and what its frame takes, put together in Spanish order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from tutor.language.morphology import Person
from tutor.language.spanish import adjuncts as adverbial
from tutor.language.spanish import copula, slots
from tutor.language.spanish.conjugation import is_reflexive
from tutor.language.spanish.frames import Frame, frames, governed, transitive
from tutor.language.spanish.nouns import noun_phrases
from tutor.language.spanish.phrases import NounPhrase, agree, definite_article
from tutor.language.spanish.predicates import SpanishVerb, accusative, build, dative
from tutor.language.spanish.reader import NoGlossError, Reader
from tutor.language.spanish.verbs import VerbGroup, finite_groups

_TOWARDS = frozenset("ir venir llegar volver asistir unirse parecerse acostumbrarse mudarse viajar acercarse".split())
_OF_PEOPLE = frozenset("ayudar amar odiar respetar entender matar molestar proteger atacar comprender".split())
IT = NounPhrase("", "", lemma="it", kind="pronoun")


@dataclass(frozen=True, slots=True)
class Scope:
    """What a verb phrase must know of its clause.

    Attributes
    ----------
    subject : NounPhrase
        The subject, which the verb agrees with.
    group : VerbGroup
        The English verb group.
    gap : NounPhrase or None
        In a question or relative clause, the object that stands at its front.
    subjunctive : bool
        Whether the clause calls for the subjunctive.
    """

    subject: NounPhrase
    group: VerbGroup
    gap: NounPhrase | None = None
    subjunctive: bool = False


@dataclass(frozen=True, slots=True)
class Predicate:
    """A Spanish clause in pieces, for statements and questions order them differently.

    Attributes
    ----------
    subject : str
        The subject as it is shown, perhaps empty.
    verb : str
        Pronouns and finite verb.
    rest : str
        All that follows.
    front : str
        The preposition that a questioned object takes along: ``¿A quién``.
    """

    subject: str
    verb: str
    rest: str
    front: str = ""

    def statement(self) -> str:
        """Return the clause in the order of a statement."""
        return " ".join(part for part in (self.subject, self.verb, self.rest) if part)

    def question(self) -> str:
        """Return the clause with its subject after the verb."""
        return " ".join(part for part in (self.verb, self.subject, self.rest) if part)


@dataclass
class _Build:
    """The pieces of a verb phrase while its frame is filled."""

    verb: SpanishVerb
    complements: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    negative: bool = False
    front: str = ""
    subject: NounPhrase | None = None
    still: bool = False


def shown(subject: NounPhrase) -> str:
    """Return the subject as Spanish shows it: first and second persons and "it" stay unsaid."""
    if subject.kind == "pronoun":
        return subject.core if subject.lemma in ("he", "she", "they") else ""
    return subject.with_article().text


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
    if "prog" in frame.flags and not scope.group.progressive:
        return False
    present = scope.group.simple and scope.group.tense == "present" and scope.group.form == "finite"
    return not ("np" in frame.flags and present)


def _filled(
    reader: Reader, i: int, frame: Frame, bound: tuple[slots.Bound, ...], scope: Scope
) -> Iterator[tuple[Predicate, int]]:
    try:
        built = _fill(frame, bound, scope)
    except NoGlossError:
        return
    gap_used = any(slot.phrase is scope.gap for slot in bound) if scope.gap else False
    for texts, prepositions, j in trailing(reader, i, scope, gap_used):
        try:
            yield _assembled(built, texts, prepositions, scope), j
        except NoGlossError:
            continue


def trailing(reader: Reader, i: int, scope: Scope, gap_used: bool = True) -> Iterator[tuple[list[str], str, int]]:
    """Yield the runs of adjuncts from a position, longest first, with the preposition stranded at the end."""
    excluded = governed(scope.group.lemma)
    for text, j in adverbial.adjuncts(reader, i, scope.subject, scope.group.negative, excluded):
        for texts, stranded, k in trailing(reader, j, scope, gap_used):
            yield [text, *texts], stranded, k
    yield from slots.purpose(reader, i, scope)
    if scope.gap and not gap_used:
        stranded = slots.stranded(reader, i, scope.gap)
        if stranded:
            yield [], stranded, i + 1
        return
    yield [], "", i


def _assembled(built: _Build, texts: list[str], stranded: str, scope: Scope) -> Predicate:
    group = scope.group
    if built.negative and not group.negative:
        group = replace(group, before=("no", *group.before))
    if built.still:
        group = replace(group, progressive=False)
    group, texts = no_longer(group, texts)
    if any(text.startswith("durante ") for text in texts):
        built.verb = replace(built.verb, state=False)
    subject = built.subject or scope.subject
    if scope.subject.negative and "no" in group.before:
        raise NoGlossError("two negatives")
    verb, more = build(group, built.verb, subject, subjunctive=scope.subjunctive)
    rest = " ".join(part for part in (more, *built.complements, *built.late, *texts) if part)
    return Predicate(_shown(built, scope), verb, rest, stranded or built.front)


def no_longer(group: VerbGroup, texts: list[str]) -> tuple[VerbGroup, list[str]]:
    """Move "anymore" to where Spanish has it: ``ya no``."""
    if adverbial.ANYMORE not in texts:
        return group, texts
    if group.before != ("no",):
        raise NoGlossError("anymore")
    return replace(group, before=("ya", "no")), [text for text in texts if text != adverbial.ANYMORE]


def _shown(built: _Build, scope: Scope) -> str:
    if built.subject is None:
        return shown(scope.subject)
    experiencer = scope.subject
    return "" if experiencer.kind in ("pronoun", "gap") else f"a {experiencer.with_article().text}"


def _fill(frame: Frame, bound: tuple[slots.Bound, ...], scope: Scope) -> _Build:
    state = True if "state" in frame.flags else False if "event" in frame.flags else None
    agreeing = frame.tail and ("adj" in frame.flags or frame.tail in ("dormido", "callado", "quieto", "sentado"))
    tail = agree(frame.tail, scope.subject.gender, scope.subject.plural) if agreeing else frame.tail
    built = _Build(SpanishVerb(frame.verb, tail, state=state), still="prog" in frame.flags)
    prepositions = list(frame.prepositions)
    last = len(bound) - len(prepositions)
    for index, slot in enumerate(bound):
        preposition = prepositions[index - last].strip("_") if index >= max(last, 0) else ""
        _fill_slot(built, frame, slot, preposition, scope)
    built.negative = built.negative or "neg" in frame.flags
    if "lo" in frame.flags:
        built.verb = built.verb.adding("lo")
    return built


def _fill_slot(built: _Build, frame: Frame, slot: slots.Bound, preposition: str, scope: Scope) -> None:
    if slot.phrase is None and "gustar" in frame.flags:
        built.subject = IT
        built.verb = built.verb.adding(dative(scope.subject))
    if slot.phrase is None:
        after = built.late and slot.name != "base"
        (built.late if after else built.complements).append(f"{preposition} {slot.text}".strip())
        return
    phrase = slot.phrase
    if slot.text:
        _fill_indirect(built, phrase, scope)
        built.late.append(slot.text)
        return
    if phrase.lemma == "you" and scope.group.form == "imperative":
        raise NoGlossError("an order to oneself")
    if phrase.negative:
        built.negative = True
    if "gustar" in frame.flags and slot.name == "obj":
        _fill_gustar(built, phrase, scope)
    elif slot.name == "iobj" or ("dat" in frame.flags and slot.name == "obj"):
        _fill_indirect(built, phrase, scope)
    elif preposition and not (preposition == "a" and slot.phrase is scope.gap):
        _fill_prepositional(built, phrase.with_article() if "def" in frame.flags else phrase, preposition, scope)
    else:
        _fill_direct(built, frame, phrase, scope)


def _fill_gustar(built: _Build, phrase: NounPhrase, scope: Scope) -> None:
    if phrase.kind == "pronoun" and phrase.lemma not in ("it", "them", "you"):
        raise NoGlossError("liking a person")
    if is_reflexive(built.verb.infinitive) or scope.group.form != "finite":
        raise NoGlossError("an infinitive of gustar")
    built.subject = phrase
    built.front = "a" if scope.subject.kind == "gap" else ""
    built.verb = built.verb.adding(dative(scope.subject))
    if phrase.kind != "pronoun" and phrase is not scope.gap:
        built.complements.append(phrase.with_article().text)


def _fill_indirect(built: _Build, phrase: NounPhrase, scope: Scope) -> None:
    built.verb = built.verb.adding(dative(phrase))
    if phrase is scope.gap:
        built.front = "a"
    elif phrase.kind != "pronoun":
        built.late.append(f"a {phrase.with_article().text}")


def _fill_prepositional(built: _Build, phrase: NounPhrase, preposition: str, scope: Scope) -> None:
    if phrase is scope.gap:
        built.front = preposition
    elif phrase.kind == "pronoun" and preposition == "a" and built.verb.infinitive not in _TOWARDS:
        _fill_indirect(built, phrase, scope)
    elif phrase.kind == "pronoun":
        if phrase.lemma == "it" and preposition not in ("de", "en", "con", "por"):
            raise NoGlossError("it after a preposition")
        special = {"me": "conmigo", "you": "contigo"}.get(phrase.lemma) if preposition == "con" else None
        built.complements.append(special or f"{preposition} {'eso' if phrase.lemma == 'it' else phrase.core}")
    else:
        placed = phrase.with_article() if phrase.is_a("articled") else phrase
        built.complements.append(f"{preposition} {placed.text}")


def _fill_direct(built: _Build, frame: Frame, phrase: NounPhrase, scope: Scope) -> None:
    if phrase.kind == "name" and not phrase.human and phrase.core == phrase.lemma.title():
        raise NoGlossError("a name of unknown kind")
    if "own" in frame.flags:
        phrase = _own(phrase)
    if (phrase.human and phrase.kind == "bare" and frame.verb in _OF_PEOPLE) or phrase.is_a("articled"):
        phrase = phrase.with_article()
    personal = phrase.human and not ("noa" in frame.flags and phrase.kind in ("indefinite", "bare", "noun"))
    personal = personal and phrase.kind != "bare" and not phrase.article[:1].isdigit()
    if phrase is scope.gap:
        built.front = "a" if personal else ""
    elif phrase.kind == "pronoun":
        built.verb = built.verb.adding(accusative(phrase))
    else:
        placed = phrase.with_article() if "def" in frame.flags else phrase
        late = frame.pattern[-1:] == ("base",)  # "Deja venir a Tom"
        (built.late if late else built.complements).append(f"a {placed.text}" if personal else placed.text)


def _own(phrase: NounPhrase) -> NounPhrase:
    """Turn "my hand" into ``la mano``, for the verb tells whose it is."""
    if not phrase.possessor:
        raise NoGlossError("a hand of somebody else")
    return replace(phrase, article=definite_article(phrase.core, phrase.gender, phrase.plural))


def _passives(reader: Reader, i: int, scope: Scope) -> Iterator[tuple[Predicate, int]]:
    """Put a passive into ``ser`` and participle, where the English verb has a transitive Spanish one."""
    infinitive = transitive(scope.group.lemma)
    if infinitive is None or scope.group.lemma in slots.DITRANSITIVE or scope.subject.kind == "demonstrative":
        return
    if scope.group.tense == "present" and not (scope.group.modal or scope.group.perfect):
        if reader.word(i) != "by" and not scope.group.progressive:
            return
    built = _Build(SpanishVerb(infinitive))
    for texts, stranded, j in trailing(reader, i, scope):
        try:
            yield _assembled(built, texts, stranded, scope), j
        except NoGlossError:
            continue


def clauses(reader: Reader, i: int, *, subjunctive: bool = False) -> list[tuple[str, int]]:
    """Return the statements that start at a position, likeliest first, each with the position after it."""
    key = ("clause", i, subjunctive)
    if key not in reader.memo:
        reader.memo[key] = []  # a clause does not begin inside itself
        reader.memo[key] = [(predicate.statement(), j) for predicate, j in _statements(reader, i, subjunctive)]
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

