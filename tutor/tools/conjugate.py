"""Tool: the forms of a verb in a tense and person."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from tutor.language.morphology import GAP, MODALS, NON_FINITE, Person, Tense, lemmas, paradigm, tense_table
from tutor.language.morphology import conjugate as conjugated
from tutor.tools.base import Evidence, Tool, ToolResult

VerbName = Annotated[str, StringConstraints(strip_whitespace=True, to_lower=True, min_length=1)]
"""The base form of a verb, in any letter case."""

_PAST_AUXILIARIES = frozenset({"did", "was", "were", "had", "could", "might", "should", "would"})


class Args(BaseModel):
    """Arguments of `conjugate`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    verb: VerbName = Field(description="base form of the verb, or a modal")
    tense: Tense = Field(description="tense, mood or non-finite form")
    person: Person = Field(description="person and number of the subject")
    negative: bool = Field(default=False, description="negate the verb group")
    question: bool = Field(default=False, description="invert the verb group, '...' for the subject")


class Result(ToolResult):
    """The asked forms, and the rest of the table for the same person, polarity and order."""

    verb: str
    tense: Tense
    person: Person
    forms: tuple[str, ...]
    """Accepted forms of the cell asked for, the most usual first."""
    table: dict[Tense, tuple[str, ...]]
    """Every other cell, for the same person and polarity; of a question the cells that can ask one."""

    @cached_property
    def _evidence(self) -> tuple[Evidence, ...]:
        """Return the asked forms, then the rest of the table, then the one-word forms."""
        cells = {self.tense: self.forms, **self.table}
        pieces = (
            piece for tense, forms in cells.items() for form in forms for piece in self._pieces(form, tense)
        )
        return tuple(dict.fromkeys((*pieces, *one_word_evidence(self.verb))))

    def prompt_text(self) -> str:
        """Return the most usual of the asked forms."""
        return self.forms[0]

    def _form(self, form: str, slot: str) -> Evidence:
        return Evidence(lemma=self.verb, form=form, slot=slot, person=self.person)

    def _pieces(self, form: str, tense: Tense) -> Iterator[Evidence]:
        """Yield a form, of a question what stands before and after the subject: "does" present, "go" base."""
        auxiliary, gap, rest = form.partition(f" {GAP}")
        if not gap:
            yield self._form(form, tense)
            return
        (lemma, *_) = lemmas(auxiliary)
        past = auxiliary.removesuffix("n't") in _PAST_AUXILIARIES
        slot = Tense.past_simple if past else Tense.present_simple
        yield Evidence(lemma=lemma, form=auxiliary, slot=slot, person=self.person)
        if (rest := rest.strip()) not in ("", "not"):
            yield self._form(rest, self._cell_after(lemma, rest))

    def _cell_after(self, auxiliary: str, rest: str) -> str:
        """Return the non-finite cell of what follows an auxiliary; "been going" has none in the table."""
        table = tense_table(self.verb, self.person, negative=rest.startswith("not "))
        base_after = auxiliary not in ("be", "have")
        fitting = (
            tense
            for tense, forms in table.items()
            if tense in NON_FINITE and rest in forms and (base_after or tense is not Tense.base)
        )
        return next(fitting, "continuous_participle")


@lru_cache(maxsize=4096)
def one_word_evidence(verb: str) -> tuple[Evidence, ...]:
    """Return the one-word forms of a verb and its to-infinitive, all variants; a modal has none."""
    if verb in MODALS:
        return ()
    parts = paradigm(verb)
    present = {form: None for person in Person for form in conjugated(verb, Tense.present_simple, person)}
    slots: dict[str, tuple[str, ...]] = {
        Tense.base: (parts.base,),
        "third_person": parts.third,
        Tense.past_simple: parts.past,
        Tense.past_participle: parts.participle,
        Tense.gerund: parts.gerund,
        Tense.to_infinitive: (f"to {parts.base}",),
        Tense.present_simple: tuple(form for form in present if form not in (parts.base, *parts.third)),
    }
    return tuple(
        Evidence(lemma=verb, form=form, slot=str(slot))
        for slot, variants in slots.items()
        for form in variants
    )


@lru_cache(maxsize=4096)
def run(args: Args) -> Result:
    """Conjugate a verb.

    Raises
    ------
    UnknownVerb
        If the word is not the base form of a verb.
    NoSuchForm
        If the verb lacks the form asked for.
    """
    forms = conjugated(args.verb, args.tense, args.person, negative=args.negative, question=args.question)
    table = tense_table(args.verb, args.person, negative=args.negative, question=args.question)
    del table[args.tense]
    return Result(verb=args.verb, tense=args.tense, person=args.person, forms=forms, table=table)


TOOL = Tool("conjugate", "Give the forms of a verb in a tense and person.", Args, run)
