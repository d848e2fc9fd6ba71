"""English conjugation: the verb groups of every tense, person, polarity and question."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from tutor.language.categories import NON_FINITE, Person, Tense
from tutor.language.learner_forms import corrected_forms, learner_forms, learner_lemmas
from tutor.language.lexicon import (
    AUXILIARY_LEMMAS,
    MODALS,
    UnknownVerb,
    is_irregular,
    is_known_word,
    lemmas,
    normalise,
    paradigm,
)
from tutor.language.verb_tables import Paradigm, verbs_without_passive

__all__ = [
    "AUXILIARY_LEMMAS",
    "GAP",
    "MODALS",
    "NON_FINITE",
    "NoSuchForm",
    "Paradigm",
    "Person",
    "Tense",
    "UnknownVerb",
    "conjugate",
    "corrected_forms",
    "is_irregular",
    "is_known_word",
    "learner_forms",
    "learner_lemmas",
    "lemmas",
    "paradigm",
    "tense_table",
]

GAP = "..."
"""Where the subject of a question goes."""


_PATTERNS: dict[Tense, str] = {
    Tense.base: "BASE",
    Tense.to_infinitive: "to BASE",
    Tense.gerund: "GERUND",
    Tense.past_participle: "PARTICIPLE",
    Tense.present_simple: "PRESENT",
    Tense.past_simple: "PAST",
    Tense.future_simple: "will BASE",
    Tense.conditional: "would BASE",
    Tense.present_continuous: "AM GERUND",
    Tense.past_continuous: "WAS GERUND",
    Tense.future_continuous: "will be GERUND",
    Tense.present_perfect: "HAVE PARTICIPLE",
    Tense.past_perfect: "had PARTICIPLE",
    Tense.future_perfect: "will have PARTICIPLE",
    Tense.conditional_perfect: "would have PARTICIPLE",
    Tense.present_perfect_continuous: "HAVE been GERUND",
    Tense.past_perfect_continuous: "had been GERUND",
    Tense.can: "can BASE",
    Tense.could: "could BASE",
    Tense.may: "may BASE",
    Tense.might: "might BASE",
    Tense.must: "must BASE",
    Tense.should: "should BASE",
    Tense.could_have: "could have PARTICIPLE",
    Tense.should_have: "should have PARTICIPLE",
    Tense.must_have: "must have PARTICIPLE",
    Tense.might_have: "might have PARTICIPLE",
    Tense.perfect_infinitive: "to have PARTICIPLE",
    Tense.perfect_base: "have PARTICIPLE",
    Tense.continuous_base: "be GERUND",
    Tense.passive_base: "be PARTICIPLE",
    Tense.passive_to_infinitive: "to be PARTICIPLE",
    Tense.passive_gerund: "being PARTICIPLE",
    Tense.passive_participle: "been PARTICIPLE",
    Tense.present_passive: "AM PARTICIPLE",
    Tense.past_passive: "WAS PARTICIPLE",
    Tense.future_passive: "will be PARTICIPLE",
    Tense.conditional_passive: "would be PARTICIPLE",
    Tense.present_perfect_passive: "HAVE been PARTICIPLE",
    Tense.past_perfect_passive: "had been PARTICIPLE",
    Tense.present_continuous_passive: "AM being PARTICIPLE",
    Tense.past_continuous_passive: "WAS being PARTICIPLE",
    Tense.can_passive: "can be PARTICIPLE",
    Tense.could_passive: "could be PARTICIPLE",
    Tense.should_passive: "should be PARTICIPLE",
    Tense.must_passive: "must be PARTICIPLE",
    Tense.may_passive: "may be PARTICIPLE",
    Tense.might_passive: "might be PARTICIPLE",
}
"""How each cell is built: words in capitals inflect, for the verb or for the person."""

_CONTRACTED_NEGATIVES = {
    **{word: word + "n't" for word in ("is", "are", "was", "were", "have", "has", "had")},
    **{word: word + "n't" for word in ("do", "does", "did", "must", "might", "ought")},
    **{word: word + "n't" for word in ("could", "would", "should")},
    **{"can": "can't", "will": "won't", "shall": "shan't"},
}


class NoSuchForm(ValueError):  # noqa: N818
    """The verb has no form in the cell asked for ("can" has no gerund)."""


def _be(person: Person, past: bool) -> str:
    if past:
        return "was" if person in (Person.first_sg, Person.third_sg) else "were"
    return {Person.first_sg: "am", Person.third_sg: "is"}.get(person, "are")


def _inflected(word: str, verb: Paradigm, person: Person) -> tuple[str, ...]:
    """Return the variants of one word of a pattern."""
    third = person is Person.third_sg
    match word:
        case "BASE":
            return (verb.base,)
        case "GERUND":
            return verb.gerund
        case "PARTICIPLE":
            return verb.participle
        case "AM" | "PRESENT" if word == "AM" or verb.base == "be":
            return (_be(person, past=False),)
        case "WAS" | "PAST" if word == "WAS" or verb.base == "be":
            return (_be(person, past=True),)
        case "PRESENT":
            return verb.third if third else (verb.base,)
        case "PAST":
            return verb.past
        case "HAVE":
            return ("has" if third else "have",)
        case _:
            return (word,)


def _with_do_support(pattern: str, verb: Paradigm, person: Person) -> str:
    """Put do before a simple tense that needs an auxiliary; be needs none."""
    if verb.base == "be" or pattern not in ("PRESENT", "PAST"):
        return pattern
    if pattern == "PAST":
        return "did BASE"
    return "does BASE" if person is Person.third_sg else "do BASE"


def _finite(first: str, rest: str, negative: bool, question: bool) -> tuple[str, ...]:
    """Negate and invert a finite group, the full form before the contracted one."""
    gap = [GAP] if question else []
    if not negative:
        return (_join(first, *gap, rest),)
    contracted = _CONTRACTED_NEGATIVES.get(first, "aren't" if first == "am" and question else "")
    full = (first, *gap, "not", rest) if first != "can" or question else ("cannot", rest)
    forms = [_join(*full)]
    if contracted:
        forms.append(_join(contracted, *gap, rest))
    return tuple(forms)


def _join(*words: str) -> str:
    return " ".join(word for word in words if word)


def _modal(lemma: str, tense: Tense, negative: bool, question: bool) -> tuple[str, ...]:
    present, past = MODALS[lemma]
    form = {Tense.present_simple: present, Tense.past_simple: past}.get(tense)
    if form is None:
        raise NoSuchForm(f"the modal {lemma!r} has no {tense.value.replace('_', ' ')}")
    return _finite(form, "", negative, question)


@lru_cache(maxsize=65536)
def conjugate(
    lemma: str, tense: Tense, person: Person, *, negative: bool = False, question: bool = False
) -> tuple[str, ...]:
    """Return the accepted forms of a verb in one tense and person.

    Parameters
    ----------
    lemma : str
        Base form of a verb, or a modal (which has a present and a past only).
    tense : Tense
        The cell of the table.
    person : Person
        Person and number of the subject; of no consequence for a non-finite form.
    negative : bool
        Negate the group: the full form comes first, then the contracted one.
    question : bool
        Invert the group; ``"..."`` stands for the subject ("does ... go").

    Returns
    -------
    tuple of str
        Forms in lower case, words separated by single spaces, the most usual first.

    Raises
    ------
    UnknownVerb
        If the lemma is not a verb.
    NoSuchForm
        If the verb lacks this cell ("can" has no gerund, "happen" no passive), or a non-finite form is to be
        a question.
    """
    lemma = normalise(lemma)
    if question and tense in NON_FINITE:
        raise NoSuchForm(f"a {tense.value.replace('_', ' ')} form cannot ask a question")
    if lemma in MODALS:
        return _modal(lemma, tense, negative, question)
    verb = paradigm(lemma)
    if "passive" in tense and verb.base in verbs_without_passive():
        raise NoSuchForm(f"the verb {verb.base!r} has no passive")
    pattern = _PATTERNS[tense]
    if negative or question:
        pattern = _with_do_support(pattern, verb, person)
    forms: list[str] = []
    for variant in _variants(pattern, verb, person):
        if tense in NON_FINITE:
            forms.append(f"not {variant}" if negative else variant)
        else:
            head, _, tail = variant.partition(" ")
            forms += _finite(head, tail, negative, question)
    return tuple(dict.fromkeys(forms))


def _variants(pattern: str, verb: Paradigm, person: Person) -> Iterator[str]:
    return map(" ".join, product(*(_inflected(word, verb, person) for word in pattern.split())))


def tense_table(
    lemma: str, person: Person, *, negative: bool = False, question: bool = False
) -> dict[Tense, tuple[str, ...]]:
    """Return every cell of a verb's table for one person; cells that the verb or the question lacks are left out.

    Raises
    ------
    UnknownVerb
        If the lemma is not a verb.
    """
    table: dict[Tense, tuple[str, ...]] = {}
    for tense in Tense:
        try:
            table[tense] = conjugate(lemma, tense, person, negative=negative, question=question)
        except NoSuchForm:
            continue
    return table
