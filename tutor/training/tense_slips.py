"""Slips of tense: another tense of a simple form or a modal, where something in the sentence shows that it is wrong.

``He went home.`` is not wrong with ``goes``, but ``He went home yesterday.`` is. So most slips here ask for
an anchor first: a time expression, or another verb that the tense depends on.
"""

from __future__ import annotations

from collections.abc import Iterator

from tutor.training.clauses import Verb, be_form, has_object, is_third_singular, present_form
from tutor.training.slips import Slip, is_wished
from tutor.training.time_context import (
    FUTURE_TIME,
    HABIT,
    PAST_TIME,
    beside,
    has_time,
    in_conditional,
    is_past,
    is_present,
    is_reported,
    mark,
)
from tutor.training.words import words

_STATIVE, _UNACCUSATIVE, _NO_BE_BEFORE = words("stative"), words("unaccusative"), words("no_be_before")
_BACK = {"would": "will", "could": "can", "might": "may"}
_CLIPPED = {"will": "won't", "can": "can't"}


def tense_slips(verb: Verb) -> Iterator[Slip]:
    """Yield other tenses of a simple form or a modal that the sentence shows to be wrong."""
    if verb.shape == "past":
        yield from _from_past(verb)
    elif verb.shape == "present":
        yield from _from_present(verb)
    elif verb.shape == "modal":
        yield from _from_modal(verb)


def _from_past(verb: Verb) -> Iterator[Slip]:
    head, present = verb.head, present_form(verb)
    timed = has_time(verb, PAST_TIME)
    sequence = any(is_past(other) for other in beside(verb))
    if verb.lemma in _UNACCUSATIVE or (verb.lemma not in _NO_BE_BEFORE and has_object(verb)):
        be = be_form(verb.subject, present=False)
        if be:
            weight = 0.25 if verb.lemma in _UNACCUSATIVE else 0.05
            yield Slip("TENSE", head, head + 1, f"{be} {verb.forms.participle[0]}", weight)
            yield Slip("TENSE", head, head + 1, f"{be} {verb.forms.base}", weight / 2)
    if (
        verb.text(head) == "used"
        and verb.forms.base == "use"
        and any(c.dep_ == "xcomp" for c in verb.word.children)
    ):
        yield Slip("TENSE", head, head + 1, "use", 2)
        return
    if in_conditional(verb) and verb.lemma != "have":
        yield Slip("TENSE", head, head + 1, f"would {verb.forms.base}", 1.5, True)
    if present is not None and (in_conditional(verb) or is_wished(verb)):
        yield Slip("TENSE", head, head + 1, present, 1.5, True)
        return
    if not (timed or sequence) or present is None:
        return
    relational = not timed
    yield Slip("TENSE", head, head + 1, present, 3, relational)
    if timed:
        have = "has" if is_third_singular(verb.subject) else "have"
        yield Slip("TENSE", head, head + 1, f"{have} {verb.forms.participle[0]}", 1.2)
        yield Slip("TENSE", head, head + 1, f"will {verb.forms.base}", 0.4)
    if verb.lemma != "be" and present != verb.forms.base:
        yield Slip("TENSE", head, head + 1, verb.forms.base, 0.8, relational)


def _from_present(verb: Verb) -> Iterator[Slip]:
    head, forms = verb.head, verb.forms
    be = be_form(verb.subject, present=True)
    if be and verb.lemma not in _NO_BE_BEFORE and verb.head > 0:
        yield Slip("TENSE", head, head + 1, f"{be} {forms.base}", 0.03)
        if verb.lemma in _STATIVE:
            yield Slip("TENSE", head, head + 1, f"{be} {forms.gerund[0]}", 0.1)
            yield Slip("TENSE", head, head + 1, f"{be} {forms.base}", 0.04)
        elif has_time(verb, HABIT):
            yield Slip("TENSE", head, head + 1, f"{be} {forms.gerund[0]}", 1.2)
    if verb.word.dep_ == "advcl" and mark(verb.word) in {"if", "when", "until", "before", "after"}:
        if any(c.tag_ == "MD" and c.lower_ in {"will", "'ll", "can"} for c in verb.word.head.children):
            yield Slip("TENSE", head, head + 1, f"will {forms.base}", 2.5, True)
            yield Slip("TENSE", head, head + 1, forms.past[0] if forms.base != "be" else "was", 0.6, True)
    elif any(is_present(other) for other in beside(verb)) and not has_time(verb, PAST_TIME):
        past = be_form(verb.subject, present=False) if verb.lemma == "be" else forms.past[0]
        if past:
            yield Slip("TENSE", head, head + 1, past, 1.2, True)


def _from_modal(verb: Verb) -> Iterator[Slip]:
    modal, head = verb.aux[0], verb.head
    word, forms = verb.text(modal), verb.forms
    conditional = verb.word.dep_ == "advcl" or any(
        c.dep_ == "advcl" and mark(c) == "if" for c in verb.word.children
    )
    joined = tuple(range(modal, head)) == verb.aux and verb.spaced(modal) and not verb.negated
    if word == "will" and joined and has_time(verb, FUTURE_TIME):
        yield Slip("TENSE", modal, head + 1, forms.past[0] if forms.base != "be" else "was", 0.5)
    if word in {"will", "would"} and joined and (has_time(verb, FUTURE_TIME) or conditional):
        yield Slip("TENSE", modal, head + 1, forms.base, 1.2 if is_third_singular(verb.subject) else 0.5)
    if word == "will" and (has_time(verb, FUTURE_TIME) or conditional):
        yield from _modal(verb, modal, "would", 0.5 if conditional else 0.2)
    reported = is_reported(verb) or is_wished(verb)
    if word in _BACK and (reported or (conditional and word == "would")):
        yield from _modal(verb, modal, _BACK[word], 2)
    if word == "could" and (has_time(verb, PAST_TIME) or any(is_past(other) for other in beside(verb))):
        yield from _modal(verb, modal, "can", 2)


def _modal(verb: Verb, index: int, wrong: str, weight: float) -> Iterator[Slip]:
    contracted = index + 1 < len(verb.doc) and verb.text(index + 1) == "n't"
    if not contracted:
        yield Slip("TENSE", index, index + 1, wrong, weight, True)
    elif wrong in _CLIPPED:
        yield Slip("TENSE", index, index + 2, _CLIPPED[wrong], weight, True)
