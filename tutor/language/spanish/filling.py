"""The Spanish verb of a frame, filled with what the English clause gave for each slot."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tutor.language.spanish import adjuncts as adverbial
from tutor.language.spanish.conjugation import is_reflexive
from tutor.language.spanish.frames import Frame
from tutor.language.spanish.parts import IT, Bound, Predicate, Scope, shown
from tutor.language.spanish.phrases import NounPhrase, agree, definite_article
from tutor.language.spanish.predicates import SpanishVerb, accusative, build, dative
from tutor.language.spanish.reader import NoGlossError
from tutor.language.spanish.verbs import VerbGroup

_TOWARDS = frozenset(
    {
        "ir", "venir", "llegar", "volver", "asistir", "unirse", "parecerse", "acostumbrarse", "mudarse",
        "viajar", "acercarse",
    }
)  # fmt: skip
_OF_PEOPLE = frozenset(
    {
        "ayudar", "amar", "odiar", "respetar", "entender", "matar", "molestar", "proteger", "atacar",
        "comprender",
    }
)  # fmt: skip


@dataclass
class Filling:
    """The pieces of a verb phrase while its frame is filled."""

    verb: SpanishVerb
    complements: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    negative: bool = False
    front: str = ""
    subject: NounPhrase | None = None
    still: bool = False


def fill(frame: Frame, bound: tuple[Bound, ...], scope: Scope) -> Filling:
    """Put what was bound to the slots of a frame around its Spanish verb.

    Raises
    ------
    NoGlossError
        If Spanish has no certain place for it.
    """
    state = True if "state" in frame.flags else False if "event" in frame.flags else None
    agreeing = frame.tail and (
        "adj" in frame.flags or frame.tail in ("dormido", "callado", "quieto", "sentado")
    )
    tail = agree(frame.tail, scope.subject.gender, scope.subject.plural) if agreeing else frame.tail
    built = Filling(SpanishVerb(frame.verb, tail, state=state), still="prog" in frame.flags)
    prepositions = list(frame.prepositions)
    last = len(bound) - len(prepositions)
    for index, slot in enumerate(bound):
        preposition = prepositions[index - last].strip("_") if index >= max(last, 0) else ""
        _fill_slot(built, frame, slot, preposition, scope)
    built.negative = built.negative or "neg" in frame.flags
    if "lo" in frame.flags:
        built.verb = built.verb.adding("lo")
    return built


def _fill_slot(built: Filling, frame: Frame, slot: Bound, preposition: str, scope: Scope) -> None:
    built.front = slot.front or built.front
    if slot.phrase is None and "gustar" in frame.flags:
        built.subject = IT
        built.verb = built.verb.adding(dative(scope.subject))
    if slot.phrase is None:
        if slot.name == "base" and " " in slot.text:  # a long infinitive follows its subject
            built.complements, built.late = [*built.complements, *built.late], []
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
    elif preposition:
        _fill_prepositional(
            built, phrase.with_article() if "def" in frame.flags else phrase, preposition, scope
        )
    else:
        _fill_direct(built, frame, phrase, scope)


def _fill_gustar(built: Filling, phrase: NounPhrase, scope: Scope) -> None:
    if phrase.kind == "pronoun" and phrase.lemma not in ("it", "them", "you"):
        raise NoGlossError("liking a person")
    if is_reflexive(built.verb.infinitive) or scope.group.form != "finite":
        raise NoGlossError("an infinitive of gustar")
    built.subject = phrase
    built.front = "a" if scope.subject.kind == "gap" else ""
    built.verb = built.verb.adding(dative(scope.subject))
    if phrase.kind != "pronoun" and phrase is not scope.gap:
        built.complements.append(phrase.with_article().text)


def _fill_indirect(built: Filling, phrase: NounPhrase, scope: Scope) -> None:
    built.verb = built.verb.adding(dative(phrase))
    if phrase is scope.gap:
        built.front = "a"
    elif phrase.kind != "pronoun":
        built.late.append(f"a {phrase.with_article().text}")


def _fill_prepositional(built: Filling, phrase: NounPhrase, preposition: str, scope: Scope) -> None:
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


def _fill_direct(built: Filling, frame: Frame, phrase: NounPhrase, scope: Scope) -> None:
    if phrase.kind == "name" and not phrase.human and phrase.core == phrase.lemma.title():
        raise NoGlossError("a name of unknown kind")
    if frame.tail == "prestado":
        built.verb = replace(built.verb, tail=agree(frame.tail, phrase.gender, phrase.plural))
    if "own" in frame.flags:
        phrase = _own(phrase)
    if (phrase.human and phrase.kind == "bare" and frame.verb in _OF_PEOPLE) or phrase.is_a("meal"):
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
    if not phrase.possessor and phrase.is_a("clothes"):
        return phrase
    if not phrase.possessor:
        raise NoGlossError("a hand of somebody else")
    return replace(phrase, article=definite_article(phrase.core, phrase.gender, phrase.plural))


def assemble(built: Filling, texts: list[str], stranded: str, scope: Scope) -> Predicate:
    """Conjugate the verb and put the pieces and the adjuncts after it in order."""
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


def _shown(built: Filling, scope: Scope) -> str:
    if built.subject is None:
        return shown(scope.subject)
    experiencer = scope.subject
    return "" if experiencer.kind in ("pronoun", "gap") else f"a {experiencer.with_article().text}"
