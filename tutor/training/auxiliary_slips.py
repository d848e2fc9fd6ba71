"""Slips in the auxiliaries: left out, put in without need, one for another, or in the wrong tense."""

from __future__ import annotations

from collections.abc import Iterator

from tutor.training.clauses import Verb, be_form, has_object, is_third_singular, present_form
from tutor.training.slips import Slip
from tutor.training.time_context import (
    BY_NOW,
    NOW,
    PAST_TIME,
    SINCE,
    beside,
    has_time,
    in_conditional,
    is_past,
)
from tutor.training.words import words

_STATIVE, _UNACCUSATIVE = words("stative"), words("unaccusative")


def auxiliary_slips(verb: Verb) -> Iterator[Slip]:
    """Yield missing, needless and other auxiliaries that the sentence shows to be wrong."""
    shape = verb.shape
    if shape == "perfect":
        yield from _from_perfect(verb)
    elif shape == "continuous":
        yield from _from_continuous(verb)
    elif shape in {"passive", "other"} and verb.tag == "VBN":
        yield from _from_passive(verb)
    if verb.tag == "VBN":
        yield from _modal_have(verb)
        yield from _other_auxiliary(verb)
    if shape in {"continuous", "passive", "do"} or (shape == "perfect" and "had" in verb.auxiliaries):
        yield from _auxiliary_back(verb)


def _from_perfect(verb: Verb) -> Iterator[Slip]:
    have, head, forms = verb.aux[0], verb.head, verb.forms
    if not (tuple(range(have, head)) == verb.aux and verb.spaced(have)) or verb.negated or len(verb.aux) > 1:
        return
    if verb.text(have) == "had" and in_conditional(verb):
        yield Slip("TENSE", have, head + 1, f"would have {verb.text(head)}", 2.5, True)
    if verb.lemma in _STATIVE:
        yield Slip("TENSE", have, head + 1, f"{verb.text(have)} been {forms.gerund[0]}", 0.6)
    if verb.tag == "VBN" and forms.participle[0] not in forms.past and verb.lemma != "be":
        yield Slip("TENSE", have, head + 1, forms.participle[0], 1.0)
    elif verb.lemma == "be":
        yield Slip("TENSE", have, head + 1, "been", 1.0)
    present = present_form(verb)
    if present and verb.text(have) != "had" and has_time(verb, SINCE):
        be = be_form(verb.subject, present=True)
        yield Slip("TENSE", have, head + 1, present, 3)
        if be and verb.lemma != "be":
            yield Slip("TENSE", have, head + 1, f"{be} {forms.gerund[0]}", 1.5)
        past = be_form(verb.subject, present=False) if verb.lemma == "be" else forms.past[0]
        if past:
            yield Slip("TENSE", have, head + 1, past, 1)
    elif present and verb.text(have) != "had" and has_time(verb, BY_NOW):
        yield Slip("TENSE", have, head + 1, present, 0.5)


def _modal_have(verb: Verb) -> Iterator[Slip]:
    """Yield what learners make of "should have gone": "should of gone", "should had gone", "should gone"."""
    if len(verb.aux) < 2 or verb.text(verb.aux[-1]) != "have" or verb.doc[verb.aux[0]].tag_ != "MD":
        return
    have, head = verb.aux[-1], verb.head
    if verb.spaced(have):
        yield Slip("TENSE", have, have + 1, "of", 0.5)
        yield Slip("TENSE", have, have + 1, "had", 0.3)
        yield Slip("TENSE", have, have + 1, "has", 0.2)
        if have + 1 == head and verb.forms.base not in verb.forms.participle:
            yield Slip("TENSE", have, head + 1, verb.text(head), 0.6)


def _other_auxiliary(verb: Verb) -> Iterator[Slip]:
    """Yield do or be in the place of have: "she does begun", "they are gone", "did you ever seen"."""
    have = verb.finite
    if have is None or not verb.doc[have].is_alpha or verb.forms.base in verb.forms.participle:
        return
    other = {"have": "do", "has": "does", "had": "did"}.get(verb.text(have))
    if other is not None:
        yield Slip("TENSE", have, have + 1, other, 0.3)
        be = be_form(verb.subject, present=verb.text(have) != "had")
        if be and "been" in (verb.text(verb.head), *verb.auxiliaries):
            yield Slip("TENSE", have, have + 1, be, 0.3)


def _from_continuous(verb: Verb) -> Iterator[Slip]:
    be, head, forms = verb.aux[-1], verb.head, verb.forms
    auxiliaries = verb.auxiliaries
    if verb.negated or not (tuple(range(verb.aux[0], head)) == verb.aux and verb.spaced(verb.aux[0])):
        return
    if be + 1 == head:
        yield Slip("TENSE", verb.aux[0], head + 1, forms.gerund[0], 0.9)
    present = present_form(verb)
    if auxiliaries[:1] in (["is"], ["are"], ["am"]) and has_time(verb, NOW) and present:
        yield Slip("TENSE", be, head + 1, present, 2)
    if auxiliaries in (["have", "been"], ["has", "been"]) and has_time(verb, SINCE) and present:
        now = be_form(verb.subject, present=True)
        yield Slip("TENSE", verb.aux[0], head + 1, present, 1.5)
        yield Slip("TENSE", verb.aux[0], head + 1, f"{now} {forms.gerund[0]}", 2.5)
        yield Slip("TENSE", verb.aux[0], head + 1, f"been {forms.gerund[0]}", 0.8)


def _from_passive(verb: Verb) -> Iterator[Slip]:
    auxiliaries, head = verb.auxiliaries, verb.head
    if not auxiliaries or auxiliaries[-1] not in {"is", "are", "was", "were", "be", "been", "am"}:
        return
    be = verb.aux[-1]
    if be + 1 != head or not verb.spaced(be) or verb.negated or verb.lemma == "be" or has_object(verb):
        return
    if verb.shape == "passive" and verb.subject is None and verb.finite is None:
        return
    has_agent = any(child.dep_ == "agent" for child in verb.word.children)
    if not has_agent and {"have", "has", "had"} & set(auxiliaries):
        return  # "has been asked" and "has asked" may both be right
    if verb.text(be) == "be" and verb.lemma not in _UNACCUSATIVE and verb.forms.base != verb.text(head):
        yield Slip("TENSE", be, head + 1, verb.forms.base, 0.6)
    yield Slip("TENSE", be, head + 1, verb.text(head), 0.9)


def _auxiliary_back(verb: Verb) -> Iterator[Slip]:
    """Yield the present of a past auxiliary where a past time or verb stands beside it."""
    index = verb.finite
    if index is None or index == verb.head or verb.doc[index].tag_ != "VBD":
        return
    timed = has_time(verb, PAST_TIME)
    if not (timed or any(is_past(other) for other in beside(verb))):
        return
    third = is_third_singular(verb.subject)
    if third is None:
        return
    present = {"did": "does" if third else "do", "had": "has" if third else "have"}.get(verb.text(index))
    present = present or be_form(verb.subject, present=True)
    if present and (verb.text(index) != "had" or not timed):
        if present == "am" and index + 1 < len(verb.doc) and verb.text(index + 1) == "n't":
            return
        yield Slip("TENSE", index, index + 1, present, 1.5, not timed)
