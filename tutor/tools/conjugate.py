"""Tool: the forms of a verb in a tense and person."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict, Field

from tutor.language.morphology import GAP, MODALS, Person, Tense, lemmas, paradigm, tense_table
from tutor.language.morphology import conjugate as conjugated
from tutor.tools.base import Evidence, Tool, ToolResult


class Args(BaseModel):
    """Arguments of `conjugate`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    verb: str = Field(description="base form of the verb, or a modal", min_length=1)
    tense: Tense = Field(description="tense, mood or non-finite form")
    person: Person = Field(description="person and number of the subject")
    negative: bool = Field(default=False, description="negate the verb group")
    question: bool = Field(default=False, description="invert the verb group, '...' for the subject")


class Result(ToolResult):
    """The asked forms, and the rest of the table for the same person and polarity."""

    verb: str
    tense: Tense
    person: Person
    forms: tuple[str, ...]
    """Accepted forms of the cell asked for, the most usual first."""
    table: dict[Tense, tuple[str, ...]]
    """Every other cell, for the same person and polarity."""

    def evidence(self) -> tuple[Evidence, ...]:
        """Return the asked forms, then the rest of the table, then the one-word paradigm."""
        found = [*self._asked(), *self._rest(), *one_word_evidence(self.verb)]
        return tuple(dict.fromkeys(found))

    def _asked(self) -> Iterator[Evidence]:
        for form in self.forms:
            pieces = form.split(f" {GAP}")
            if len(pieces) == 1:
                yield Evidence(lemma=self.verb, form=form, slot=self.tense, person=self.person)
                continue
            auxiliary, rest = pieces[0], pieces[1].strip()
            yield from self._question_pieces(auxiliary, rest)

    def _question_pieces(self, auxiliary: str, rest: str) -> Iterator[Evidence]:
        (lemma, *_) = lemmas(auxiliary)
        yield Evidence(lemma=lemma, form=auxiliary, slot=self.tense, person=self.person)
        if rest and rest != "not":
            yield Evidence(lemma=self.verb, form=rest, slot=self.tense, person=self.person)

    def _rest(self) -> Iterator[Evidence]:
        for tense, forms in self.table.items():
            for form in forms:
                yield Evidence(lemma=self.verb, form=form, slot=tense, person=self.person)

    def prompt_text(self) -> str:
        """Return the most usual of the asked forms."""
        return self.forms[0]


def one_word_evidence(verb: str) -> Iterator[Evidence]:
    """Yield the one-word forms of a verb and its to-infinitive, all variants; a modal has none."""
    if verb in MODALS:
        return
    forms = paradigm(verb)
    slots = {
        Tense.base.value: (forms.base,),
        "third_person": forms.third,
        Tense.past_simple.value: forms.past,
        Tense.past_participle.value: forms.participle,
        Tense.gerund.value: forms.gerund,
        Tense.to_infinitive.value: (f"to {forms.base}",),
    }
    for slot, variants in slots.items():
        for form in variants:
            yield Evidence(lemma=verb, form=form, slot=slot)


def run(args: Args) -> Result:
    """Conjugate a verb.

    Raises
    ------
    UnknownVerb
        If the word is not a verb.
    NoSuchForm
        If the verb lacks the form asked for.
    """
    verb = args.verb.strip().lower()
    forms = conjugated(verb, args.tense, args.person, negative=args.negative, question=args.question)
    table = tense_table(verb, args.person, negative=args.negative)
    if not args.question:
        table.pop(args.tense, None)
    return Result(verb=verb, tense=args.tense, person=args.person, forms=forms, table=table)


TOOL = Tool("conjugate", "Give the forms of a verb in a tense and person.", Args, run)
