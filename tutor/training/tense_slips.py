"""Slips of tense: another tense or auxiliary, where something in the sentence shows that it is wrong.

``He went home.`` is not wrong with ``goes``, but ``He went home yesterday.`` is. So most slips here ask for
an anchor first: a time expression, or another verb that the tense depends on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tutor.language.morphology import lemmas
from tutor.training.clauses import Verb, Word, is_third_singular
from tutor.training.slips import Slip, is_wished
from tutor.training.words import words

_UNIT = r"(?:night|week|month|year|summer|winter|spring|autumn|weekend|time|\w+day)"
PAST_TIME = re.compile(
    rf"\b(?:yesterday|\w+ ago|last {_UNIT}|in (?:19|20)\d\d|the other day|when (?:\w+ ){{1,2}}was)\b"
)
FUTURE_TIME = re.compile(
    rf"\b(?:tomorrow|next {_UNIT}|in the future|tonight|some day|in \w+ (?:days|weeks|years))\b"
)
NOW = re.compile(r"\b(?:right now|at the moment|now|currently|look)\b")
HABIT = re.compile(
    r"\b(?:every (?:day|week|morning|night|year|summer)|usually|often|once a \w+|on \w+days)\b"
)
_SPAN = r"(?:years|months|weeks|days|hours|minutes|ages|time)"
SINCE = re.compile(
    rf"\b(?:since|for (?:\w+ ){{0,2}}{_SPAN}|for (?:an? (?:while|year|month|week|day|hour|moment)|long))\b"
)
BY_NOW = re.compile(r"\b(?:already|yet|so far|ever|never|just|lately|recently)\b")

_REPORTING = words("saying") | words("thinking")
_STATIVE, _UNACCUSATIVE, _NO_BE_BEFORE = words("stative"), words("unaccusative"), words("no_be_before")
_TIME_MARKS = words("time_marks")
_BACK = {"would": "will", "could": "can", "might": "may"}
_CLIPPED = {"will": "won't", "can": "can't"}


def tense_slips(verb: Verb) -> Iterator[Slip]:
    """Yield other tenses, missing and needless auxiliaries that the sentence shows to be wrong."""
    shape = verb.shape
    if shape == "past":
        yield from _from_past(verb)
    elif shape == "present":
        yield from _from_present(verb)
    elif shape == "modal":
        yield from _from_modal(verb)
    elif shape == "perfect":
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


def present_form(verb: Verb) -> str | None:
    """Return the present of a verb that agrees with its subject, or None where the subject leaves it open."""
    if verb.lemma == "be":
        subject = verb.subject
        return None if subject is None else _be(subject, present=True)
    third = is_third_singular(verb.subject)
    return None if third is None else (verb.forms.third[0] if third else verb.forms.base)


def _be(subject: Word | None, *, present: bool) -> str | None:
    third = is_third_singular(subject)
    if third is None or subject is None:
        return None
    if subject.lower_ == "i":
        return "am" if present else "was"
    return ("is" if present else "was") if third else ("are" if present else "were")


def _has_time(verb: Verb, pattern: re.Pattern[str]) -> bool:
    """Tell whether a time expression of the pattern stands in the verb's own clause."""
    matches = pattern.finditer(str(verb.doc.text).lower())
    return any(
        _clause_of(verb.doc.char_span(*match.span(), alignment_mode="expand").root) == verb.word
        for match in matches
    )


def _clause_of(word: Word) -> Word:
    """Climb from a time expression to the main verb that it belongs to."""
    if word.dep_ == "mark" or word.pos_ in {"VERB", "AUX"}:
        word = word.head if word.dep_ != "mark" else word.head.head
    while (word.pos_ not in {"VERB", "AUX"} or word.dep_ in {"aux", "auxpass"}) and word.head != word:
        word = word.head
    return word


def _is_past(word: Word) -> bool:
    if word.tag_ == "VBD":
        return True
    return any(c.tag_ == "VBD" and c.dep_ in {"aux", "auxpass"} for c in word.children)


def _is_present(word: Word) -> bool:
    finite = {"VBZ", "VBP"}
    return word.tag_ in finite or any(
        c.tag_ in finite and c.dep_ in {"aux", "auxpass"} for c in word.children
    )


def _mark(word: Word) -> str:
    """Return the conjunction or time adverb that opens a clause."""
    return next(
        (c.lower_ for c in word.children if c.dep_ in {"mark", "advmod"} and c.lower_ in _TIME_MARKS), ""
    )


def _beside(verb: Verb) -> Iterator[Word]:
    """Yield the verbs whose tense this verb's must follow: coordinated, or in a time clause of it."""
    word = verb.word
    own_subject = any(c.dep_.startswith("nsubj") for c in word.children)
    if word.dep_ == "conj" and (not own_subject or any(c.lower_ == "then" for c in word.children)):
        yield word.head
    if word.dep_ == "advcl" and _mark(word):
        yield word.head
    for child in word.children:
        if (child.dep_ == "conj" and not any(c.dep_ == "nsubj" for c in child.children)) or (
            child.dep_ == "advcl" and _mark(child)
        ):
            yield child


def _is_reported(verb: Verb) -> bool:
    """Tell whether a verb stands in what someone said or thought, where "will" would be wrong.

    A present may stand for what is still true ("She said the museum is closed").
    """
    head = verb.word.head
    found = lemmas(head.lower_)[:1]
    return verb.word.dep_ == "ccomp" and head.tag_ == "VBD" and bool(found) and found[0] in _REPORTING


def _in_conditional(verb: Verb) -> bool:
    """Tell whether a verb stands in an if-clause whose main clause has "would", "could" or "might"."""
    modal = {"would", "'d", "could", "might"}
    main = verb.word.head.children
    return verb.word.dep_ == "advcl" and _mark(verb.word) == "if" and any(c.lower_ in modal for c in main)


def _from_past(verb: Verb) -> Iterator[Slip]:
    head, present = verb.head, present_form(verb)
    timed = _has_time(verb, PAST_TIME)
    beside = any(_is_past(other) for other in _beside(verb))
    if verb.lemma in _UNACCUSATIVE or (verb.lemma not in _NO_BE_BEFORE and _has_object(verb)):
        be = _be(verb.subject, present=False)
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
    if _in_conditional(verb) and verb.lemma != "have":
        yield Slip("TENSE", head, head + 1, f"would {verb.forms.base}", 1.5, True)
    if present is not None and (_in_conditional(verb) or is_wished(verb)):
        yield Slip("TENSE", head, head + 1, present, 1.5, True)
        return
    if not (timed or beside) or present is None:
        return
    relational = not timed
    yield Slip("TENSE", head, head + 1, present, 3, relational)
    if timed:
        have = "has" if is_third_singular(verb.subject) else "have"
        yield Slip("TENSE", head, head + 1, f"{have} {verb.forms.participle[0]}", 1.2)
        yield Slip("TENSE", head, head + 1, f"will {verb.forms.base}", 0.4)
    if verb.lemma != "be" and present != verb.forms.base:
        yield Slip("TENSE", head, head + 1, verb.forms.base, 0.8, relational)


def _has_object(verb: Verb) -> bool:
    return any(c.dep_ == "dobj" for c in verb.word.children)


def _from_present(verb: Verb) -> Iterator[Slip]:
    head, forms = verb.head, verb.forms
    be = _be(verb.subject, present=True)
    if be and verb.lemma not in _NO_BE_BEFORE and verb.head > 0:
        yield Slip("TENSE", head, head + 1, f"{be} {forms.base}", 0.03)
        if verb.lemma in _STATIVE:
            yield Slip("TENSE", head, head + 1, f"{be} {forms.gerund[0]}", 0.1)
            yield Slip("TENSE", head, head + 1, f"{be} {forms.base}", 0.04)
        elif _has_time(verb, HABIT):
            yield Slip("TENSE", head, head + 1, f"{be} {forms.gerund[0]}", 1.2)
    if verb.word.dep_ == "advcl" and _mark(verb.word) in {"if", "when", "until", "before", "after"}:
        if any(c.tag_ == "MD" and c.lower_ in {"will", "'ll", "can"} for c in verb.word.head.children):
            yield Slip("TENSE", head, head + 1, f"will {forms.base}", 2.5, True)
            yield Slip("TENSE", head, head + 1, forms.past[0] if forms.base != "be" else "was", 0.6, True)
    elif any(_is_present(other) for other in _beside(verb)) and not _has_time(verb, PAST_TIME):
        past = _be(verb.subject, present=False) if verb.lemma == "be" else forms.past[0]
        if past:
            yield Slip("TENSE", head, head + 1, past, 1.2, True)


def _from_modal(verb: Verb) -> Iterator[Slip]:
    modal, head = verb.aux[0], verb.head
    word, forms = verb.text(modal), verb.forms
    conditional = verb.word.dep_ == "advcl" or any(
        c.dep_ == "advcl" and _mark(c) == "if" for c in verb.word.children
    )
    joined = tuple(range(modal, head)) == verb.aux and verb.spaced(modal) and not verb.negated
    if word == "will" and joined and _has_time(verb, FUTURE_TIME):
        yield Slip("TENSE", modal, head + 1, forms.past[0] if forms.base != "be" else "was", 0.5)
    if word in {"will", "would"} and joined and (_has_time(verb, FUTURE_TIME) or conditional):
        yield Slip("TENSE", modal, head + 1, forms.base, 1.2 if is_third_singular(verb.subject) else 0.5)
    if word == "will" and (_has_time(verb, FUTURE_TIME) or conditional):
        yield from _modal(verb, modal, "would", 0.5 if conditional else 0.2)
    reported = _is_reported(verb) or is_wished(verb)
    if word in _BACK and (reported or (conditional and word == "would")):
        yield from _modal(verb, modal, _BACK[word], 2)
    if word == "could" and (_has_time(verb, PAST_TIME) or any(_is_past(other) for other in _beside(verb))):
        yield from _modal(verb, modal, "can", 2)


def _modal(verb: Verb, index: int, wrong: str, weight: float) -> Iterator[Slip]:
    contracted = index + 1 < len(verb.doc) and verb.text(index + 1) == "n't"
    if not contracted:
        yield Slip("TENSE", index, index + 1, wrong, weight, True)
    elif wrong in _CLIPPED:
        yield Slip("TENSE", index, index + 2, _CLIPPED[wrong], weight, True)


def _from_perfect(verb: Verb) -> Iterator[Slip]:
    have, head, forms = verb.aux[0], verb.head, verb.forms
    if not (tuple(range(have, head)) == verb.aux and verb.spaced(have)) or verb.negated or len(verb.aux) > 1:
        return
    if verb.text(have) == "had" and _in_conditional(verb):
        yield Slip("TENSE", have, head + 1, f"would have {verb.text(head)}", 2.5, True)
    if verb.lemma in _STATIVE:
        yield Slip("TENSE", have, head + 1, f"{verb.text(have)} been {forms.gerund[0]}", 0.6)
    if verb.tag == "VBN" and forms.participle[0] not in forms.past and verb.lemma != "be":
        yield Slip("TENSE", have, head + 1, forms.participle[0], 1.0)
    elif verb.lemma == "be":
        yield Slip("TENSE", have, head + 1, "been", 1.0)
    present = present_form(verb)
    if present and verb.text(have) != "had" and _has_time(verb, SINCE):
        be = _be(verb.subject, present=True)
        yield Slip("TENSE", have, head + 1, present, 3)
        if be and verb.lemma != "be":
            yield Slip("TENSE", have, head + 1, f"{be} {forms.gerund[0]}", 1.5)
        past = _be(verb.subject, present=False) if verb.lemma == "be" else forms.past[0]
        if past:
            yield Slip("TENSE", have, head + 1, past, 1)
    elif present and verb.text(have) != "had" and _has_time(verb, BY_NOW):
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
    """Yield do or be in the place of have: "does been solved", "are gone", "did you ever seen"."""
    have = verb.finite
    if have is None or not verb.doc[have].is_alpha or verb.forms.base in verb.forms.participle:
        return
    other = {"have": "do", "has": "does", "had": "did"}.get(verb.text(have))
    if other is not None:
        yield Slip("TENSE", have, have + 1, other, 0.3)
        be = _be(verb.subject, present=verb.text(have) != "had")
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
    if auxiliaries[:1] in (["is"], ["are"], ["am"]) and _has_time(verb, NOW) and present:
        yield Slip("TENSE", be, head + 1, present, 2)
    if auxiliaries in (["have", "been"], ["has", "been"]) and _has_time(verb, SINCE) and present:
        now = _be(verb.subject, present=True)
        yield Slip("TENSE", verb.aux[0], head + 1, present, 1.5)
        yield Slip("TENSE", verb.aux[0], head + 1, f"{now} {forms.gerund[0]}", 2.5)
        yield Slip("TENSE", verb.aux[0], head + 1, f"been {forms.gerund[0]}", 0.8)


def _from_passive(verb: Verb) -> Iterator[Slip]:
    auxiliaries, head = verb.auxiliaries, verb.head
    if not auxiliaries or auxiliaries[-1] not in {"is", "are", "was", "were", "be", "been", "am"}:
        return
    be = verb.aux[-1]
    if be + 1 != head or not verb.spaced(be) or verb.negated or verb.lemma == "be" or _has_object(verb):
        return
    if verb.shape == "passive" and verb.subject is None and verb.finite is None:
        return
    has_agent = any(child.dep_ == "agent" for child in verb.word.children)
    if not has_agent and {"have", "has", "had"} & set(auxiliaries):
        return  # "has been asked" and "has asked" may both be right
    if verb.text(be) == "be" and verb.lemma not in _UNACCUSATIVE and verb.forms.base != verb.text(head):
        yield Slip("TENSE", be, head + 1, verb.forms.base, 0.3)
    yield Slip("TENSE", be, head + 1, verb.text(head), 0.9)


def _auxiliary_back(verb: Verb) -> Iterator[Slip]:
    """Yield the present of a past auxiliary where a past time or verb stands beside it."""
    index = verb.finite
    if index is None or index == verb.head or verb.doc[index].tag_ != "VBD":
        return
    timed = _has_time(verb, PAST_TIME)
    if not (timed or any(_is_past(other) for other in _beside(verb))):
        return
    third = is_third_singular(verb.subject)
    if third is None:
        return
    present = {"did": "does" if third else "do", "had": "has" if third else "have"}.get(verb.text(index))
    present = present or _be(verb.subject, present=True)
    if present and (verb.text(index) != "had" or not timed):
        if present == "am" and index + 1 < len(verb.doc) and verb.text(index + 1) == "n't":
            return
        yield Slip("TENSE", index, index + 1, present, 1.5, not timed)
