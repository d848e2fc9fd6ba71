"""Spanish verbs, from a table of 9,700 infinitives (``corpus/spanish/conjugation.json`` names its source)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from tutor.language.morphology import Person
from tutor.language.spanish.spelling import attach
from tutor.paths import corpus_dir


class SpanishTense(StrEnum):
    """The simple forms of a Spanish verb."""

    present = "present"
    preterite = "preterite"
    imperfect = "imperfect"
    future = "future"
    conditional = "conditional"
    subjunctive = "subjunctive"
    imperfect_subjunctive = "imperfect_subjunctive"
    imperative = "imperative"
    gerund = "gerund"
    participle = "participle"
    infinitive = "infinitive"


class UnknownSpanishVerb(ValueError):  # noqa: N818
    """The verb, or this form of it, is not in the table."""


REFLEXIVE = {
    Person.first_sg: "me", Person.second_sg: "te", Person.third_sg: "se", Person.first_pl: "nos",
    Person.second_pl: "os", Person.third_pl: "se",
}  # fmt: skip
_NONFINITE = (SpanishTense.gerund, SpanishTense.participle, SpanishTense.infinitive)


@dataclass(frozen=True, slots=True)
class _Template:
    cut: int
    endings: dict[str, list[str | None]]


@cache
def _table() -> dict[str, _Template]:
    data = json.loads((corpus_dir() / "spanish" / "conjugation.json").read_text(encoding="utf-8"))
    verbs: dict[str, _Template] = {}
    for row in data["templates"]:
        template = _Template(row["cut"], dict(zip(data["tenses"], row["endings"], strict=True)))
        verbs.update(dict.fromkeys(row["verbs"].split(), template))
    return verbs


def is_spanish_verb(infinitive: str) -> bool:
    """Say whether the table holds this infinitive, reflexive or not."""
    return infinitive in _table() or (infinitive.endswith("se") and infinitive[:-2] in _table())


def is_reflexive(infinitive: str) -> bool:
    """Say whether an infinitive carries ``-se``: ``levantarse``, but not ``coser``'s kin."""
    return infinitive.endswith(("arse", "erse", "irse", "írse"))


def conjugate_spanish(infinitive: str, tense: SpanishTense, person: Person = Person.third_sg) -> str:
    """Conjugate a Spanish verb, its reflexive pronoun in place.

    Parameters
    ----------
    infinitive : str
        The verb, for example ``"ir"`` or ``"levantarse"``.
    tense : SpanishTense
        A simple tense, the imperative (affirmative), or a form without person.
    person : Person, default third person singular
        Ignored by gerund, participle and infinitive, unless the verb is reflexive. The third
        persons of the imperative are those of ``usted`` and ``ustedes``.

    Returns
    -------
    str
        The form: ``"fue"``, ``"se levantó"``, ``"levántate"``.

    Raises
    ------
    UnknownSpanishVerb
        If the table lacks the verb, or the verb lacks the form ("nevar" in the first person).
    """
    base = infinitive[:-2] if is_reflexive(infinitive) else infinitive
    form = _simple_form(base, tense, person)
    if base == infinitive or tense is SpanishTense.participle:
        return form
    pronoun = REFLEXIVE[person]
    if tense is SpanishTense.imperative or tense in _NONFINITE:
        return attach(form, (pronoun,))
    return f"{pronoun} {form}"


@cache
def _simple_form(base: str, tense: SpanishTense, person: Person) -> str:
    template = _table().get(base)
    if template is None:
        raise UnknownSpanishVerb(f"no Spanish verb {base!r} in the table")
    if tense is SpanishTense.infinitive:
        return base
    if tense is SpanishTense.imperfect_subjunctive:
        return _imperfect_subjunctive(base, person)
    endings = template.endings[tense]
    ending = endings[0 if tense in _NONFINITE else list(Person).index(person)]
    if ending is None:
        raise UnknownSpanishVerb(f"{base!r} has no {tense} for {person}")
    return base[: len(base) - template.cut] + ending


def _imperfect_subjunctive(base: str, person: Person) -> str:
    stem = _simple_form(base, SpanishTense.preterite, Person.third_pl).removesuffix("ron")
    if person is Person.first_pl:
        accented = dict(zip("aei", "áéí", strict=True))
        return stem[:-1] + accented[stem[-1]] + "ramos"
    endings = ("ra", "ras", "ra", "", "rais", "ran")
    return stem + endings[list(Person).index(person)]
