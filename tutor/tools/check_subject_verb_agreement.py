"""Tool: whether a verb group agrees with its subject, and which forms do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache

from pydantic import BaseModel, ConfigDict, Field

from tutor.language.agreement import agrees, persons
from tutor.language.morphology import Person, Tense, conjugate, lemmas, tense_table
from tutor.language.tagged import AUXILIARY, verb_lemmas
from tutor.language.tenses import FINITE_TENSES, read_tense
from tutor.language.tokens import Token, tokenize
from tutor.language.verb_chains import Chain
from tutor.tools.base import Evidence, Tool, ToolResult

_SIMPLE_TENSES = (Tense.present_simple, Tense.past_simple)


class Args(BaseModel):
    """Arguments of `check_subject_verb_agreement`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    subject: str = Field(description="the subject as written", min_length=1)
    verb: str = Field(description="the verb group as written", min_length=1)


class AgreeingForm(BaseModel):
    """A form that agrees with the subject, as any non-finite one does, with its lemma, tense and person."""

    model_config = ConfigDict(frozen=True)

    lemma: str
    form: str
    tense: Tense
    person: Person


class Result(ToolResult):
    """Person and number of the subject, the verdict, and the forms that agree."""

    subject: str
    verb: str
    persons: tuple[Person, ...]
    """The persons that the subject can have, likeliest first."""
    agrees: bool | None
    """None: undecided, because English accepts both or the verb group is not finite."""
    expected: tuple[str, ...]
    """The group as it should be for this subject, in the tense it comes nearest to, best first."""
    forms: tuple[AgreeingForm, ...]
    """All agreeing forms: the expected ones first, then the other cells, then those of the auxiliary; any subject agrees
    with a non-finite form."""

    @cached_property
    def _evidence(self) -> tuple[Evidence, ...]:
        """Return the agreeing forms."""
        return tuple(Evidence(lemma=f.lemma, form=f.form, slot=f.tense, person=f.person) for f in self.forms)

    def prompt_text(self) -> str:
        """Return person and verdict, and the form that agrees if the one written does not."""
        if self.agrees is None:
            return f"{self.persons[0]} undecided"
        return " ".join(
            (self.persons[0], "yes") if self.agrees else (self.persons[0], "no", *self.expected[:1])
        )


@lru_cache(maxsize=4096)
def run(args: Args) -> Result:
    """Read the subject, read the verb group, and compare.

    Raises
    ------
    ValueError
        If the subject holds no word, or the verb group no verb.
    """
    subject = persons(tokenize(args.subject))
    tokens = tokenize(args.verb)
    chain, head_lemmas = _read_group(args.verb, tokens)
    lemma = head_lemmas[0]
    tense = read_tense(tokens, chain, lemma)
    negative = any(token.norm == "not" for token in tokens)
    forms = [
        *_expected(lemma, tense, subject, negative),
        *(form for each in head_lemmas for form in _every_tense(each, subject[0], negative)),
        *_auxiliary_forms(tokens, chain, subject[0]),
    ]
    return Result(
        subject=args.subject,
        verb=args.verb,
        persons=subject,
        agrees=_verdict(tokens, chain, lemma, subject),
        expected=tuple(dict.fromkeys(form.form for form in _expected(lemma, tense, subject, negative))),
        forms=tuple(dict.fromkeys(forms)),
    )


def _read_group(text: str, tokens: Sequence[Token]) -> tuple[Chain, tuple[str, ...]]:
    heads = [i for i, token in enumerate(tokens) if verb_lemmas(token.norm)]
    if not heads:
        raise ValueError(f"{text!r} holds no verb form")
    *before, head = heads
    return Chain(head, tuple(i for i in before if tokens[i].norm in AUXILIARY), None), verb_lemmas(
        tokens[head].norm
    )


def _verdict(tokens: Sequence[Token], chain: Chain, lemma: str, subject: tuple[Person, ...]) -> bool | None:
    if chain.start > 0 and tokens[chain.start - 1].norm == "to":
        return None
    finite = tokens[chain.start].norm
    if not (lemmas(finite) or finite in AUXILIARY):
        return False  # "goed": no form of any verb
    if finite in ("need", "dare") and len(tokens) > 1:
        return None  # "need not go": a modal
    return agrees(finite, lemma, subject)


def _expected(
    lemma: str, tense: Tense | None, subject: tuple[Person, ...], negative: bool
) -> Iterator[AgreeingForm]:
    tenses = (tense,) if tense in FINITE_TENSES else (Tense.present_simple, Tense.past_simple)
    for each in tenses:
        for person in subject[:2]:
            for form in tense_table(lemma, person, negative=negative).get(each, ()):
                yield AgreeingForm(lemma=lemma, form=form, tense=each, person=person)


def _every_tense(lemma: str, person: Person, negative: bool) -> Iterator[AgreeingForm]:
    for tense, forms in tense_table(lemma, person, negative=negative).items():
        for form in forms:
            yield AgreeingForm(lemma=lemma, form=form, tense=tense, person=person)


def _auxiliary_forms(tokens: Sequence[Token], chain: Chain, person: Person) -> Iterator[AgreeingForm]:
    """Yield the agreeing forms of a finite be, have or do that stands before the head; every tense of "have to"."""
    if not chain.auxiliaries:
        return
    has_to = tokens[chain.start + 1].norm == "to"
    for lemma in verb_lemmas(tokens[chain.start].norm):
        if lemma in ("be", "have", "do"):
            for tense in FINITE_TENSES if has_to and lemma == "have" else _SIMPLE_TENSES:
                for form in conjugate(lemma, tense, person):
                    yield AgreeingForm(lemma=lemma, form=form, tense=tense, person=person)


TOOL = Tool(
    name="check_subject_verb_agreement",
    description="person and number of a subject, whether a verb group agrees with it, and the forms that do",
    arguments=Args,
    run=run,
)
