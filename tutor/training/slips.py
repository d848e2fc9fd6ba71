"""Slips in agreement, form and inflection: what learners make of one right verb.

Each function takes a verb of a correct sentence and yields what would make it wrong, whatever the rest of the
sentence says. Slips of tense and of auxiliaries, most of which need a context to be wrong, are in
`tense_slips` and `auxiliary_slips`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tutor.language.morphology import is_known_word, learner_forms, learner_lemmas, lemmas
from tutor.training.clauses import Verb, Word, is_third_singular
from tutor.training.words import words

_GERUND_ONLY, _INFINITIVE_ONLY = words("gerund_only"), words("infinitive_only")
_CAUSATIVE, _PERCEPTION = words("causative"), words("perception")
_BARE_TO = words("bare_to")


@dataclass(frozen=True, slots=True)
class Slip:
    """One way to make a verb wrong.

    Attributes
    ----------
    kind : str
        ``SVA``, ``FORM``, ``INFL`` or ``TENSE``, as ERRANT counts it, most of the time.
    start, end : int
        Tokens of the parsed sentence that the slip replaces, end exclusive.
    wrong : str
        What stands there afterwards.
    weight : float
        How often learners do it, against the other slips of the kind.
    needs_other_verb : bool
        Whether it is only wrong because another verb of the sentence is as it is.
    """

    kind: str
    start: int
    end: int
    wrong: str
    weight: float = 1.0
    needs_other_verb: bool = False


_FIXED = {("as", "follows"), ("it", "quits")}

_AGREEMENT = {
    "is": ("are",), "are": ("is",), "was": ("were",), "were": ("was",), "am": ("is", "are"),
    "has": ("have",), "have": ("has",), "does": ("do",), "do": ("does",),
}  # fmt: skip
# "people is" and "he don't" are common, "he are" is not.
_AGREEMENT_WEIGHTS = {"is": 0.25, "was": 0.25, "am": 0.15, "do": 0.4, "have": 0.5, "does": 1.6, "has": 1.5}
_SINGULAR_FORMS = {"is", "was", "has", "does"}


def agreement_slips(verb: Verb) -> Iterator[Slip]:
    """Yield the other number of a finite verb: ``he go``, ``they goes``, ``there is many``, ``she don't``."""
    index, subject = verb.finite, verb.subject
    if verb.head > 0 and (verb.text(verb.head - 1), verb.text(verb.head)) in _FIXED:
        yield Slip("SVA", verb.head, verb.head + 1, verb.forms.base, 3.0)
        return
    if index is None or not verb.doc[index].is_alpha or verb.doc[index].tag_ == "MD":
        return
    text = verb.text(index)
    if is_hypothetical(verb) and text in {"was", "were"}:
        if text == "were" and _wants_were(verb):
            yield Slip("SVA", index, index + 1, "was", 2.5)
        return
    third = is_third_singular(_real_subject(verb))
    if third is None or (verb.doc[index].tag_ == "VBD" and text not in {"was", "were"}):
        return
    first_person = subject is not None and subject.lower_ == "i"
    if text in _AGREEMENT:
        if not first_person and (text in _SINGULAR_FORMS) != third:
            return
        wrongs = _AGREEMENT[text]
    else:
        if index != verb.head or (verb.tag == "VBZ") != third:
            return
        wrongs = (verb.forms.base,) if third else verb.forms.third[:1]
    weight = _AGREEMENT_WEIGHTS.get(text, 1.6 if third else 0.7) + _distance(verb, index, subject, third)
    for wrong in wrongs:
        yield Slip("SVA", index, index + 1, wrong, weight / len(wrongs))


def is_hypothetical(verb: Verb) -> bool:
    """Tell whether a past form speaks of what is not so: after "wish", "if", "as though"."""
    marks = {child.lower_ for child in verb.word.children if child.dep_ == "mark"}
    return bool(marks & {"if", "though"}) or is_wished(verb)


def is_wished(verb: Verb) -> bool:
    """Tell whether a verb depends on "wish" in the present."""
    head = verb.word.head
    return verb.word.dep_ == "ccomp" and head.lower_ in {"wish", "wishes"}


def _wants_were(verb: Verb) -> bool:
    """Tell whether the singular of "were" is a fault to most: "I wish he was", "if I was you"."""
    subject, only = verb.subject, any(child.lower_ == "only" for child in verb.word.children)
    if subject is None or not (subject.lower_ == "i" or is_third_singular(subject)):
        return False
    return is_wished(verb) or only or any(child.lower_ == "you" for child in verb.word.children)


def _real_subject(verb: Verb) -> Word | None:
    """Return the subject, behind ``there`` the noun that follows the verb."""
    subject = verb.subject
    if subject is None or subject.dep_ != "expl":
        return subject
    return next(
        (c for c in verb.word.children if c.dep_ in {"attr", "nsubj", "dobj"} and c.i > verb.head), None
    )


def _distance(verb: Verb, index: int, subject: Word | None, third: bool) -> float:
    """Favour verbs far from their subject, above all behind a noun of the other number: rare and hard."""
    if subject is None or index - subject.i < 2:
        return 0.0
    other = ("NNS", "NNPS") if third else ("NN", "NNP")
    attracted = any(verb.doc[i].tag_ in other for i in range(subject.i + 1, index))
    return 2.5 if attracted else 0.5


# What learners write instead of the form that the auxiliaries or the governing word select.
_FORM_ERRORS: dict[str, dict[str, float]] = {
    "modal": {"to": 2, "third": 1.5, "past": 1.5, "gerund": 0.8, "participle": 0.7},
    "did": {"past": 3, "gerund": 0.5, "to": 0.4, "third": 0.4, "participle": 0.3},
    "does": {"third": 3, "past": 1, "gerund": 0.5, "to": 0.4, "participle": 0.3},
    "do": {"past": 0.6, "gerund": 0.6, "to": 0.5, "third": 0.5, "participle": 0.3},
    "to": {"gerund": 0.8, "past": 1.1, "third": 0.8, "participle": 0.1},
    "perfect": {"past": 3, "base": 1.8, "gerund": 0.5, "third": 0.2},
    "continuous": {"base": 2.5, "participle": 0.4, "third": 0.3},
    "passive": {"base": 2, "past": 2, "gerund": 0.8},
    "causative": {"to": 2.5, "third": 1.4, "past": 1, "gerund": 0.6},
    "perception": {"third": 1, "past": 1},
    "after noun": {"base": 0.8, "past": 0.8, "gerund": 0.8},
    "adjective": {"base": 1.5},
    "adjective with preposition": {"base": 1.5, "gerund": 1},
    "modifier": {"base": 0.3},
    "absolute": {"base": 2},
    "and base": {"gerund": 1, "third": 0.9, "past": 0.7},
    "and participle": {"base": 0.8, "past": 0.8},
}


def form_slips(verb: Verb) -> Iterator[Slip]:
    """Yield another non-finite form than the context selects: ``can to swim``, ``want go``, ``has went``."""
    context = _context(verb)
    if context == "to":
        yield from _infinitive_slips(verb)
    elif context == "gerund":
        yield from _gerund_slips(verb)
    forms, head = verb.forms, verb.head
    wrongs = {
        "base": forms.base, "to": f"to {forms.base}", "third": forms.third[0], "past": forms.past[0],
        "participle": forms.participle[0], "gerund": forms.gerund[0],
    }  # fmt: skip
    accepted = _accepted(verb)
    for slot, weight in _FORM_ERRORS.get(context, {}).items():
        if wrongs[slot] not in accepted and not (slot == "to" and _after_to(verb)):
            yield Slip("FORM", head, head + 1, wrongs[slot], weight * (0.5 if forms.base == "be" else 1))


def _context(verb: Verb) -> str:
    """Name what selects the form of a verb: its auxiliaries, or a verb or noun that it depends on."""
    shape, dep, governor = verb.shape, verb.word.dep_, _governor(verb)
    if shape == "do":
        return next(word for word in verb.auxiliaries if word in {"do", "does", "did"})
    if shape == "bare" and governor in _CAUSATIVE:
        return "causative"
    if shape == "bare" and governor in _PERCEPTION:
        return "perception"
    if shape == "bare" and dep == "conj" and verb.word.head.tag_ == "VB" and _has_auxiliary(verb.word.head):
        return "and base"
    if shape == "participle" and (name := _participle_context(verb)):
        return name
    if shape == "participle" and dep == "conj" and verb.word.head.tag_ == "VBN":
        return "and participle"
    return shape


def _participle_context(verb: Verb) -> str:
    """Name what a participle without an auxiliary does: "the book written", "is interested in", "as compared to"."""
    dep, word = verb.word.dep_, verb.word
    if dep == "acomp":
        prepositional = any(child.dep_ == "prep" and child.i == word.i + 1 for child in word.children)
        return "adjective with preposition" if prepositional else "adjective"
    absolute = dep in {"advcl", "prep"} and verb.head > 0
    return {"acl": "after noun", "amod": "modifier"}.get(dep, "absolute" if absolute else "")


def _has_auxiliary(word: Word) -> bool:
    return any(child.dep_ == "aux" for child in word.children)


def _infinitive_slips(verb: Verb) -> Iterator[Slip]:
    to = next(i for i in verb.aux if verb.text(i) == "to")
    if to + 1 != verb.head or to == 0 or _governor(verb) in _BARE_TO:
        return
    yield Slip("FORM", to, verb.head + 1, verb.forms.base, 2.2)
    if _governor(verb) in _INFINITIVE_ONLY:
        yield Slip("FORM", to, verb.head + 1, verb.forms.gerund[0], 2.0)


def _gerund_slips(verb: Verb) -> Iterator[Slip]:
    head, base, dep = verb.head, verb.forms.base, verb.word.dep_
    if verb.aux or not verb.doc[head].is_alpha:
        return
    if head > 0 and (
        verb.text(head - 1) in {"worth", "busy"} or (dep == "xcomp" and _governor(verb) == "spend")
    ):
        yield Slip("FORM", head, head + 1, f"to {base}", 3.0)
        yield Slip("FORM", head, head + 1, base, 1.0)
        return
    selected = dep == "xcomp" and _governor(verb) in _GERUND_ONLY
    if selected or (dep == "pcomp" and not _after_to(verb) and verb.word.head.lower_ not in {"than", "but"}):
        yield Slip("FORM", head, head + 1, f"to {base}", 3.0 if selected else 1.5)
        yield Slip("FORM", head, head + 1, base, 2.0)
    elif dep == "pcomp" or (dep == "csubj" and head < verb.word.head.i):
        yield Slip("FORM", head, head + 1, base, 3.0)
    elif dep == "conj" and verb.word.head.tag_ == "VBG":
        yield Slip("FORM", head, head + 1, base, 1.2)
    elif dep == "acl":
        yield Slip("FORM", head, head + 1, base, 0.8)
        yield Slip("FORM", head, head + 1, verb.forms.third[0], 0.3)


def _governor(verb: Verb) -> str:
    """Return the lemma of the verb that the clause depends on, as far as its form tells."""
    if verb.word.dep_ not in {"xcomp", "ccomp"}:
        return ""
    found = lemmas(verb.word.head.lower_)
    return found[0] if found else ""


def _after_to(verb: Verb) -> bool:
    first = verb.aux[0] if verb.has_to else verb.head
    return first > 0 and verb.text(first - 1) == "to"


def _accepted(verb: Verb) -> set[str]:
    """Return every variant of the form that stands there, so that none of them is taken for a slip."""
    forms = verb.forms
    cells = {"VB": (forms.base,), "VBP": (forms.base,), "VBZ": forms.third, "VBD": forms.past}
    return {verb.text(verb.head), *cells.get(verb.tag, ()), *(forms.participle if verb.tag == "VBN" else ())}


def inflection_slips(verb: Verb) -> Iterator[Slip]:
    """Yield forms that only learners write: ``goed``, ``choosed``, ``writen``, ``stoped``, ``studing``."""
    ending = {
        "VBD": ("ed", "en", "t", "d"),
        "VBN": ("ed", "en", "t", "d"),
        "VBZ": ("s",),
        "VBG": ("ing",),
    }.get(verb.tag)
    word = verb.text(verb.head)
    if ending is None or not verb.word.is_alpha or verb.lemma == "be":
        return
    over_regular = {
        form: 0.4 for form in learner_forms(verb.lemma) if form in _regular(verb) and form.endswith(ending)
    }
    for wrong, weight in (over_regular | dict.fromkeys(_misspelled(verb, word), 0.3)).items():
        if wrong != word and verb.lemma in learner_lemmas(wrong):
            rare = 0.4 if is_known_word(wrong) else 1.0  # "hoping" for "hopping"
            yield Slip("INFL", verb.head, verb.head + 1, wrong, weight * rare)


def _regular(verb: Verb) -> set[str]:
    """Return the base with regular endings: ``goed`` and ``cutted``, not ``gotted`` or ``wented``."""
    base = verb.forms.base
    stems = {base, base + base[-1], base.removesuffix("e"), base.removesuffix("y") + "i"}
    return {stem + ending for stem in stems for ending in ("ed", "s", "es")}


def _misspelled(verb: Verb, word: str) -> Iterable[str]:
    """Yield the usual misspellings: a consonant single or double without need, ``e`` kept, ``y`` lost."""
    base, stem = verb.forms.base, word.removesuffix("ing").removesuffix("ed")
    if word.endswith(("ing", "ed")) and len(stem) > 2:
        ending = word[len(stem) :]
        if stem[-1] == stem[-2]:
            yield stem[:-1] + ending
        elif (
            stem[-1] in "tnlpmr"
            and stem[-2] in "aeiou"
            and stem[-3] not in "aeiou"
            and base.removesuffix("e").endswith(stem[-1])
        ):
            yield stem + stem[-1] + ending
        if base.endswith("e") and ending == "ing":
            yield base + "ing"
            if base[-2] in "tn":
                yield base[:-1] + base[-2] + "ing"
        if base.endswith("y"):
            yield base[:-1] + "ing" if ending == "ing" else base + "ed"
    elif word.endswith("en"):
        yield from (word[:-2].rstrip(word[-3]) + word[-3] + "en", word[:-1])
    elif verb.tag == "VBZ" and word.endswith("es"):
        yield base + "s"
