"""The pieces of which clauses are built, passed between the rules of the gloss grammar."""

from __future__ import annotations

from dataclasses import dataclass

from tutor.language.spanish.phrases import NounPhrase
from tutor.language.spanish.verbs import VerbGroup

IT = NounPhrase("", "", lemma="it", kind="pronoun")


@dataclass(frozen=True, slots=True)
class Scope:
    """What a verb phrase must know of its clause.

    Attributes
    ----------
    subject : NounPhrase
        The subject, which the verb agrees with.
    group : VerbGroup
        The English verb group.
    gap : NounPhrase or None
        In a question or relative clause, the object that stands at its front.
    subjunctive : bool
        Whether the clause calls for the subjunctive.
    """

    subject: NounPhrase
    group: VerbGroup
    gap: NounPhrase | None = None
    subjunctive: bool = False


@dataclass(frozen=True, slots=True)
class Predicate:
    """A Spanish clause in pieces, for statements and questions order them differently.

    Attributes
    ----------
    subject : str
        The subject as it is shown, perhaps empty.
    verb : str
        Pronouns and finite verb.
    rest : str
        All that follows.
    front : str
        The preposition that a questioned object takes along: ``¿A quién``.
    """

    subject: str
    verb: str
    rest: str
    front: str = ""

    def statement(self) -> str:
        """Return the clause in the order of a statement."""
        return " ".join(part for part in (self.subject, self.verb, self.rest) if part)

    def question(self) -> str:
        """Return the clause with its subject after the verb, or after a lone infinitive."""
        if self.rest.endswith(("ar", "er", "ir")) and " " not in self.rest:
            return " ".join(part for part in (self.verb, self.rest, self.subject) if part)
        return " ".join(part for part in (self.verb, self.subject, self.rest) if part)


@dataclass(frozen=True, slots=True)
class Bound:
    """A slot with what fills it: a noun phrase, or Spanish text.

    Attributes
    ----------
    name : str
        The slot, for example ``obj``.
    phrase : NounPhrase or None
        The noun phrase in it.
    text : str
        The Spanish clause or phrase in it.
    holds_gap : bool
        Whether that clause lacks the object which is asked for: "What do you want to buy?"
    front : str
        The preposition that this object takes along.
    """

    name: str
    phrase: NounPhrase | None = None
    text: str = ""
    holds_gap: bool = False
    front: str = ""


Bindings = tuple[tuple[Bound, ...], int]


def shown(subject: NounPhrase) -> str:
    """Return the subject as Spanish shows it: first and second persons and "it" stay unsaid."""
    if subject.kind == "pronoun":
        return subject.core if subject.lemma in ("he", "she", "they") else ""
    return subject.with_article().text
