"""Tool: the principal parts of a verb, with all accepted variants."""

from __future__ import annotations

from functools import cached_property, lru_cache

from pydantic import BaseModel, ConfigDict, Field

from tutor.language.morphology import MODALS, NoSuchForm, is_irregular, learner_forms, paradigm
from tutor.tools.base import Evidence, Tool, ToolResult
from tutor.tools.conjugate import VerbName, one_word_evidence


class Args(BaseModel):
    """Arguments of `lookup_irregular_verb`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    verb: VerbName = Field(description="base form of the verb")


class Result(ToolResult):
    """The one-word forms of a verb, each with its variants, the most usual first."""

    verb: str
    is_irregular: bool
    third_person: tuple[str, ...]
    past_simple: tuple[str, ...]
    past_participle: tuple[str, ...]
    gerund: tuple[str, ...]
    learner_forms: tuple[str, ...]
    """Over-regularised forms that learners write; wrong, so never evidence."""

    @cached_property
    def _evidence(self) -> tuple[Evidence, ...]:
        """Return the one-word forms and the to-infinitive."""
        return one_word_evidence(self.verb)

    def prompt_text(self) -> str:
        """Return the principal parts, one variant each."""
        parts = (self.third_person, self.past_simple, self.past_participle, self.gerund)
        return " ".join([self.verb, *(forms[0] for forms in parts)])


@lru_cache(maxsize=4096)
def run(args: Args) -> Result:
    """Look a verb up.

    Raises
    ------
    UnknownVerb
        If the word is not the base form of a verb.
    NoSuchForm
        If it is a modal, which has no such forms.
    """
    if args.verb in MODALS:
        raise NoSuchForm(f"the modal {args.verb!r} has no infinitive, participle or third person")
    verb = paradigm(args.verb)
    return Result(
        verb=verb.base,
        is_irregular=is_irregular(verb.base),
        third_person=verb.third,
        past_simple=verb.past,
        past_participle=verb.participle,
        gerund=verb.gerund,
        learner_forms=learner_forms(verb.base),
    )


TOOL = Tool("lookup_irregular_verb", "Give the principal parts of a verb.", Args, run)
