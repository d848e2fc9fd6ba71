"""Statements that an observation supports: the only text a rationale may hold (G4)."""

from __future__ import annotations

from dataclasses import dataclass

from tutor.language.categories import NON_FINITE
from tutor.tools.base import Evidence, ToolResult
from tutor.tools.check_subject_verb_agreement import Result as Agreement

_SLOTS = {
    "base": ("base form", "la forma base"),
    "to_infinitive": ("infinitive", "el infinitivo"),
    "third_person": ("third person singular", "la tercera persona del singular"),
    "gerund": ("-ing form", "la forma en -ing"),
    "past_participle": ("past participle", "el participio"),
    "present_simple": ("present simple", "el presente simple"),
    "past_simple": ("past simple", "el pasado simple"),
    "future_simple": ("future simple", "el futuro simple"),
    "conditional": ("conditional", "el condicional"),
    "present_continuous": ("present continuous", "el presente continuo"),
    "past_continuous": ("past continuous", "el pasado continuo"),
    "future_continuous": ("future continuous", "el futuro continuo"),
    "present_perfect": ("present perfect", "el presente perfecto"),
    "past_perfect": ("past perfect", "el pasado perfecto"),
    "future_perfect": ("future perfect", "el futuro perfecto"),
    "conditional_perfect": ("conditional perfect", "el condicional perfecto"),
    "present_perfect_continuous": ("present perfect continuous", "el presente perfecto continuo"),
    "past_perfect_continuous": ("past perfect continuous", "el pasado perfecto continuo"),
    "perfect_infinitive": ("perfect infinitive", "el infinitivo perfecto"),
    "perfect_base": ("perfect base form", "la forma base perfecta"),
    "continuous_base": ("continuous base form", "la forma base continua"),
    "continuous_participle": ("continuous participle", "el participio continuo"),
    "passive_base": ("passive base form", "la forma base pasiva"),
    "passive_to_infinitive": ("passive infinitive", "el infinitivo pasivo"),
    "passive_gerund": ("passive -ing form", "la forma en -ing pasiva"),
    "passive_participle": ("passive participle", "el participio pasivo"),
    "present_passive": ("present passive", "el presente pasivo"),
    "past_passive": ("past passive", "el pasado pasivo"),
    "future_passive": ("future passive", "el futuro pasivo"),
    "conditional_passive": ("conditional passive", "el condicional pasivo"),
    "present_perfect_passive": ("present perfect passive", "el presente perfecto pasivo"),
    "past_perfect_passive": ("past perfect passive", "el pasado perfecto pasivo"),
    "present_continuous_passive": ("present continuous passive", "el presente continuo pasivo"),
    "past_continuous_passive": ("past continuous passive", "el pasado continuo pasivo"),
}
_PERSONS = {
    "1sg": ("I", "yo"),
    "2sg": ("you", "tú"),
    "3sg": ("he/she/it", "él/ella"),
    "1pl": ("we", "nosotros"),
    "2pl": ("you (plural)", "ustedes"),
    "3pl": ("they", "ellos"),
}
_PERSONAL_SLOTS = ("present", "past_continuous", "past_passive")


@dataclass(frozen=True, slots=True)
class Statement:
    """One supported reason, in both languages.

    Attributes
    ----------
    step : int
        Number of the step that supports it; its text names it.
    en, es : str
        The text in English (what the planner decodes) and in Spanish.
    evidence : Evidence or None
        The form it is about; None for "agrees".
    """

    step: int
    en: str
    es: str
    evidence: Evidence | None = None


def slot_names(slot: str) -> tuple[str, str]:
    """Return the English and Spanish name of a paradigm cell; a modal group is named by its modal."""
    if slot in _SLOTS:
        return _SLOTS[slot]
    words = slot.replace("_passive", " (passive)").replace("_", " ")
    spanish = words.replace("(passive)", "(pasiva)")
    return (
        f'form with "{words.split(" (")[0]}"{" (passive)" * ("(passive)" in words)}',
        f"la forma con «{spanish}»",
    )


def _form_statement(step: int, evidence: Evidence) -> Statement:
    name, nombre = slot_names(evidence.slot)
    en, es = (
        f'Step {step}: "{evidence.form}" is the {name} of "{evidence.lemma}"',
        (f"Paso {step}: «{evidence.form}» es {nombre} de «{evidence.lemma}»"),
    )
    if evidence.person in _PERSONS and evidence.slot.startswith(_PERSONAL_SLOTS):
        person, persona = _PERSONS[evidence.person]
        en, es = f'{en} for "{person}"', f"{es} para «{persona}»"
    return Statement(step, en + ".", es + ".", evidence)


def _agreement_statements(step: int, result: Agreement) -> list[Statement]:
    subject, verb = result.subject, result.verb
    statements = []
    if result.agrees:
        en, es = (
            f'Step {step}: "{verb}" agrees with "{subject}".',
            f"Paso {step}: «{verb}» concuerda con «{subject}».",
        )
        statements.append(Statement(step, en, es))
    for evidence in result.evidence():
        if evidence.slot in NON_FINITE:
            statements.append(_form_statement(step, evidence))
            continue
        name, nombre = slot_names(evidence.slot)
        statements.append(
            Statement(
                step,
                f'Step {step}: with "{subject}", the {name} of "{evidence.lemma}" is "{evidence.form}".',
                f"Paso {step}: con «{subject}», {nombre} de «{evidence.lemma}» es «{evidence.form}».",
                evidence,
            )
        )
    return statements


def statements(step: int, result: ToolResult) -> tuple[Statement, ...]:
    """Return the statements that an observation supports, each naming its step, without repeats.

    Parameters
    ----------
    step : int
        Number of the step in its run, from 1.
    result : ToolResult
        The observation. Errors and Spanish text support no statement.
    """
    if isinstance(result, Agreement):
        found = _agreement_statements(step, result)
    else:
        found = [_form_statement(step, evidence) for evidence in result.evidence()]
    return tuple({statement.en: statement for statement in found}.values())
