"""Whether a finite word agrees with a subject."""

from __future__ import annotations

from tutor.language.morphology import Person
from tutor.language.subject_number import SINGULAR, Persons, persons
from tutor.language.tagged import HAVE, MODAL
from tutor.language.tenses import form_kinds

__all__ = ["Persons", "agrees", "fitting_persons", "persons"]

_EVERYONE = frozenset(Person)
_THIRD = frozenset(SINGULAR)
_FIRST = frozenset({Person.first_sg})
_BE_PERSONS = {
    "am": _FIRST,
    "is": _THIRD,
    "'s": _THIRD,
    "are": _EVERYONE - _FIRST - _THIRD,
    "was": _FIRST | _THIRD,
    "were": _EVERYONE - _FIRST - _THIRD,
    "be": frozenset[Person](),
}


def agrees(word: str, lemma: str, subject: Persons) -> bool | None:
    """Return whether a finite word agrees with a subject; None where that cannot be decided.

    Parameters
    ----------
    word : str
        The first word of the verb group in lower case: an auxiliary or the verb itself.
    lemma : str
        Its lemma.
    subject : tuple of Person
        As `persons` returns them.
    """
    fitting = fitting_persons(word, lemma)
    if fitting is None:
        return None
    verdicts = {person in fitting for person in subject}
    return verdicts.pop() if len(verdicts) == 1 else None


def fitting_persons(word: str, lemma: str) -> frozenset[Person] | None:
    """Return the persons that a finite word goes with; None if it is not finite."""
    if word in _BE_PERSONS:
        return _BE_PERSONS[word]
    if word in MODAL or word in ("'d", "had", "did"):
        return _EVERYONE
    if word in HAVE:
        return {"has": _THIRD, "have": _EVERYONE - _THIRD}.get(word)
    kinds = form_kinds(word, lemma)
    if "past" in kinds:
        return _EVERYONE
    if "base" in kinds:
        return _EVERYONE - _THIRD
    return _THIRD if "third" in kinds else None
