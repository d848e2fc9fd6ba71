"""Spanish verb groups: tenses, auxiliaries, and the place of the pronouns."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tutor.language.morphology import Person
from tutor.language.spanish.conjugation import (
    REFLEXIVE,
    SpanishTense,
    UnknownSpanishVerb,
    conjugate_spanish,
    is_reflexive,
)
from tutor.language.spanish.phrases import NounPhrase, agree
from tutor.language.spanish.reader import NoGlossError
from tutor.language.spanish.spelling import attach
from tutor.language.spanish.verbs import VerbGroup

# English verbs whose simple past describes a state.
_STATES = frozenset(
    {
        "be", "have", "know", "want", "live", "love", "like", "need", "think", "believe", "hate", "wear",
        "hope", "seem", "belong", "contain", "mean", "own", "prefer", "resemble", "depend", "fear",
        "admire", "wish", "deserve", "lack", "respect", "consist", "smell", "doubt",
    }
)  # fmt: skip
_MODAL_VERBS = {
    "can": ("poder", SpanishTense.present), "could": ("poder", SpanishTense.imperfect),
    "may": ("poder", SpanishTense.present), "might": ("poder", SpanishTense.conditional),
    "must": ("deber", SpanishTense.present), "should": ("deber", SpanishTense.conditional),
}  # fmt: skip
_ABILITIES = frozenset(
    {
        "see", "hear", "feel", "swim", "read", "remember", "understand", "speak", "find", "walk", "play",
        "sing", "run", "believe", "sleep",
    }
)  # fmt: skip
_SIMPLE_INSTEAD = frozenset(
    {
        "ir", "estar", "sentirse", "irse", "venir", "volver", "llegar", "salir", "llevar", "marcharse",
        "mudarse", "partir", "regresar", "parecer", "tener", "querer", "significar", "deber",
    }
)  # fmt: skip
_SIMPLE = {"present": SpanishTense.present, "past": SpanishTense.preterite}
_DATIVE = {
    Person.first_sg: "me", Person.second_sg: "te", Person.third_sg: "le", Person.first_pl: "nos",
    Person.second_pl: "os", Person.third_pl: "les",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SpanishVerb:
    """A Spanish verb ready to be put into a clause.

    Attributes
    ----------
    infinitive : str
        One word, reflexive or not.
    tail : str
        What follows it: ``prestado`` of ``pedir prestado``.
    clitics : tuple of str
        Object pronouns, indirect before direct.
    state : bool or None
        Whether its past is an imperfect; ``None`` leaves it to the English verb.
    """

    infinitive: str
    tail: str = ""
    clitics: tuple[str, ...] = ()
    state: bool | None = None

    def adding(self, *clitics: str) -> SpanishVerb:
        """Return the verb with more pronouns: ``le`` and ``lo`` give ``se lo``."""
        both = (*clitics, *self.clitics)
        if len(both) == 2:
            dative = sorted(both, key=lambda pronoun: pronoun in ("lo", "la", "los", "las"))
            if dative[0] in ("le", "les") and dative[1] in ("lo", "la", "los", "las"):
                dative[0] = "se"
            both = (dative[0], dative[1])
        if len(both) > 2:
            raise NoGlossError("three pronouns")
        return replace(self, clitics=both)


def dative(phrase: NounPhrase) -> str:
    """Return the indirect object pronoun for a noun phrase."""
    return _DATIVE[phrase.person]


def accusative(phrase: NounPhrase) -> str:
    """Return the direct object pronoun for a noun phrase."""
    if phrase.person not in (Person.third_sg, Person.third_pl):
        return _DATIVE[phrase.person]
    return ("la" if phrase.gender == "f" else "lo") + ("s" if phrase.plural else "")


def build(
    group: VerbGroup,
    verb: SpanishVerb,
    subject: NounPhrase,
    *,
    subjunctive: bool = False,
    literal: bool = False,
) -> tuple[str, str]:
    """Return the Spanish verb group in two parts, between which a question puts its subject.

    Parameters
    ----------
    group : VerbGroup
        The English group: tense, auxiliaries, negation.
    verb : SpanishVerb
        The Spanish main verb with its object pronouns.
    subject : NounPhrase
        What the verb agrees with.
    subjunctive : bool
        Put the finite form into the subjunctive.
    literal : bool
        Keep an English progressive where Spanish prefers a simple tense: ``está yendo``.

    Raises
    ------
    NoGlossError
        If Spanish has no certain equivalent, or the table lacks the form.
    """
    try:
        return _build(*((group, verb) if literal else _natural(group, verb)), subject, subjunctive)
    except UnknownSpanishVerb as error:
        raise NoGlossError(str(error)) from error


def _build(group: VerbGroup, verb: SpanishVerb, subject: NounPhrase, subjunctive: bool) -> tuple[str, str]:
    layers = _layers(group, verb)
    tense = _tense(group, verb, subject, layers[0], subjunctive)
    clitics = verb.clitics
    if is_reflexive(verb.infinitive) and not group.passive:
        clitics = (REFLEXIVE[subject.person], *clitics)
    before = _ordered(group)
    if "just" in before or "ever" in before:
        group, layers, tense, before = _special_adverb(group, layers, tense, before)
    forms = _forms(layers, tense, subject, before)
    inner = next(
        (i for i, layer in enumerate(layers[:-1]) if layer.startswith(("poder", "deber", "ir a"))), None
    )
    if tense in (SpanishTense.infinitive, SpanishTense.gerund) or (
        tense is SpanishTense.imperative and "no" not in before
    ):
        forms[0] = attach(forms[0], clitics)
    elif inner is not None and clitics:
        forms[inner + 1] = attach(forms[inner + 1], clitics)
    else:
        before += clitics
    if "ever" in group.before:
        forms.append("alguna vez")
    whole = [*before, forms[0]]
    if layers[0] in ("haber", "estar") and len(forms) > 1:
        whole.append(forms.pop(1))
    if verb.tail and len(forms) == 1:
        return " ".join([*whole, verb.tail]), ""
    return " ".join(whole), " ".join([*forms[1:], *([verb.tail] if verb.tail else [])])


def _natural(group: VerbGroup, verb: SpanishVerb) -> tuple[VerbGroup, SpanishVerb]:
    """Undo an English progressive where Spanish has a simple tense: ``viene``, ``lleva``."""
    if not group.progressive or group.passive:
        return group, verb
    if verb.infinitive in _SIMPLE_INSTEAD and not group.perfect and not group.modal:
        return replace(group, progressive=False), replace(verb, state=True)
    return group, verb


def _ordered(group: VerbGroup) -> list[str]:
    """Put "not usually" into the Spanish order, ``normalmente no``."""
    before = list(group.before)
    manner = [word for word in before if word.endswith("mente")]
    if manner and group.passive:
        raise NoGlossError("an adverb of degree in a passive")
    if manner and before[0] == "no" and len(before) == 2:
        if manner[0] not in ("normalmente", "realmente", "generalmente", "probablemente"):
            raise NoGlossError("not and an adverb of manner")
        before.reverse()
    return before


def _layers(group: VerbGroup, verb: SpanishVerb) -> list[str]:
    layers = []
    if group.modal in _MODAL_VERBS:
        layers.append(_MODAL_VERBS[group.modal][0])
    elif group.modal == "going_to":
        layers.append("ir a")
    if group.perfect:
        layers.append("haber")
    if group.progressive:
        layers.append("estar")
    if group.passive:
        layers.append("ser")
    infinitive = verb.infinitive
    layers.append(infinitive[:-2] if is_reflexive(infinitive) else infinitive)
    return layers


def _tense(
    group: VerbGroup, verb: SpanishVerb, subject: NounPhrase, first: str, subjunctive: bool
) -> SpanishTense:
    if group.modal in ("may", "might") and "no" in group.before and group.form == "finite":
        raise NoGlossError("may not")
    if group.form == "imperative":
        return SpanishTense.imperative
    if group.form != "finite":
        return SpanishTense(group.form)
    if subjunctive:
        if group.modal not in ("", "can", "will", "could", "would"):
            raise NoGlossError("no subjunctive")
        past = group.tense == "past" or group.modal in ("could", "would")
        return SpanishTense.imperfect_subjunctive if past else SpanishTense.subjunctive
    if group.modal in _MODAL_VERBS:
        hypothetical = group.lemma not in _ABILITIES and not group.before
        could_polite = group.modal == "could" and (
            (group.question and "no" not in group.before) or group.perfect or hypothetical
        )
        return SpanishTense.conditional if could_polite else _MODAL_VERBS[group.modal][1]
    if group.modal in ("will", "would"):
        return SpanishTense.future if group.modal == "will" else SpanishTense.conditional
    if group.modal == "used_to":
        return SpanishTense.imperfect
    if group.tense == "past" and (group.modal == "going_to" or first in ("haber", "estar")):
        state = not (first == "estar" and verb.state is False)
    else:
        state = _is_state(group, verb) if verb.state is None else verb.state
        state = state and not group.passive and "nunca" not in group.before
    return SpanishTense.imperfect if group.tense == "past" and state else _SIMPLE[group.tense]


def _is_state(group: VerbGroup, verb: SpanishVerb) -> bool:
    if group.lemma == "have" and verb.infinitive != "tener":
        return False
    return group.lemma in _STATES


def _special_adverb(
    group: VerbGroup, layers: list[str], tense: SpanishTense, before: list[str]
) -> tuple[VerbGroup, list[str], SpanishTense, list[str]]:
    """Put "has just gone" (``acaba de ir``) and "ever" into Spanish, or give up."""
    if "ever" in before:
        if not (group.question and group.perfect):
            raise NoGlossError("ever")
        return group, layers, tense, [word for word in before if word != "ever"]
    if before == ["just"] and group.simple and group.lemma in ("want", "need"):
        return group, layers, tense, ["solo"]
    if before != ["just"] or not group.perfect or group.modal or layers[0] != "haber" or group.progressive:
        raise NoGlossError("just")
    return group, ["acabar de", *layers[1:]], tense, []


def _forms(layers: list[str], tense: SpanishTense, subject: NounPhrase, before: list[str]) -> list[str]:
    forms: list[str] = []
    wanted = tense
    for index, layer in enumerate(layers):
        infinitive, *link = layer.split()
        form = _form(infinitive, wanted, subject, before, index, layers)
        forms.append(" ".join([form, *link]))
        following = {
            "haber": SpanishTense.participle,
            "estar": SpanishTense.gerund,
            "ser": SpanishTense.participle,
        }
        wanted = SpanishTense.infinitive
        if index < len(layers) - 1:
            wanted = following.get(layer, SpanishTense.infinitive)
    return forms


def _form(
    infinitive: str,
    tense: SpanishTense,
    subject: NounPhrase,
    before: list[str],
    index: int,
    layers: list[str],
) -> str:
    if tense is SpanishTense.participle:
        form = conjugate_spanish(infinitive, tense)
        return agree(form, subject.gender, subject.plural) if index and layers[index - 1] == "ser" else form
    if tense is SpanishTense.imperative and ("no" in before or "nunca" in before):
        return conjugate_spanish(infinitive, SpanishTense.subjunctive, subject.person)
    return conjugate_spanish(infinitive, tense, subject.person)
