"""Check one decoded planner step against the guarantees G1 to G5, from their words alone.

The checker knows nothing of how the mask was made: it sees the sentence, the earlier steps with what they
observed, and the text of the step.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from tutor.grounding import strict_json
from tutor.grounding.alignment import Form, forms_of, is_grounded
from tutor.grounding.words import ALWAYS_AT_HAND, can_precede_head, verb_lemmas
from tutor.language.scope import ScopeReason
from tutor.language.tokens import Token, tokenize
from tutor.planner.reasons import Statement, statements
from tutor.planner.steps import Observed
from tutor.tools import lookup_spanish
from tutor.tools.registry import tools

MAX_SUBJECT_WORDS = 8
MAX_REASONS = 8


@dataclass(frozen=True, slots=True)
class Violation:
    """One guarantee that does not hold.

    Attributes
    ----------
    guarantee : str
        ``"G1"`` to ``"G6"``.
    message : str
        What is wrong.
    """

    guarantee: str
    message: str


def check_step(sentence: str, observations: Sequence[Observed], step_text: str) -> list[Violation]:
    """Return what is wrong with a decoded step, nothing if all of G1 to G5 hold.

    Parameters
    ----------
    sentence : str
        The sentence of the run.
    observations : sequence of Observed
        The earlier steps of the run.
    step_text : str
        The JSON text of the step, as decoded.
    """
    try:
        step = strict_json.read(step_text)
    except strict_json.NotStrictError as error:
        return [Violation("G1", str(error))]
    keys = list(step) if isinstance(step, dict) else []
    match step:
        case {"next": "tool_call", "tool": str(tool), "args": dict(args)} if keys == ["next", "tool", "args"]:
            return list(_check_call(sentence, observations, tool, args))
        case {"next": "final_answer", "answer": dict(answer)} if keys == ["next", "answer"]:
            return list(_check_answer(sentence, observations, answer))
    return [Violation("G1", "neither a tool call nor a final answer, with their keys in order and no other")]


# --- tool calls ---------------------------------------------------------------------------------------


def _check_call(
    sentence: str, observations: Sequence[Observed], name: str, args: dict[str, Any]
) -> Iterator[Violation]:
    tool = tools().get(name)
    if tool is None:
        yield Violation("G2", f"no tool is named {name!r}")
        return
    yield from _check_arguments(tool.arguments, args)
    verb, subject, word = (str(args.get(key, "")) for key in ("verb", "subject", "word"))
    if name in ("conjugate", "lookup_irregular_verb") and not _is_lemma(sentence, verb):
        yield Violation("G2", f"{verb!r} is no lemma of a word of the sentence")
    if name == "check_subject_verb_agreement":
        if not _is_verb_group(sentence, verb):
            yield Violation("G2", f"{verb!r} is no verb group as the sentence writes it")
        if not _is_span(sentence, subject):
            yield Violation("G2", f"the subject {subject!r} is no span of up to {MAX_SUBJECT_WORDS} words")
    if name == "lookup_spanish" and not _may_be_looked_up(sentence, observations, word):
        yield Violation("G2", f"{word!r} is no span, no returned form and no grounded sentence")


def _check_arguments(model: type[BaseModel], args: dict[str, Any]) -> Iterator[Violation]:
    fields = list(model.model_fields)
    if unknown := [key for key in args if key not in fields]:
        yield Violation("G2", f"no such argument: {', '.join(unknown)}")
    elif list(args) != [key for key in fields if key in args]:
        yield Violation("G1", f"arguments out of order: {', '.join(args)}")
    try:
        model.model_validate_json(json.dumps(args), strict=True)
    except ValidationError as error:
        yield Violation("G2", f"the tool does not accept its arguments: {error.errors()[0]['msg']}")


def _is_lemma(sentence: str, verb: str) -> bool:
    return verb in ALWAYS_AT_HAND or any(verb in verb_lemmas(token) for token in tokenize(sentence))


def _spans(sentence: str, text: str) -> Iterator[tuple[Token, ...]]:
    """Yield the whole tokens behind each place where the sentence has the text."""
    tokens = tokenize(sentence)
    firsts = {token.start: index for index, token in enumerate(tokens)}
    ends = {token.end: index + 1 for index, token in enumerate(tokens)}
    start = sentence.find(text) if text else -1
    while start >= 0:
        if start in firsts and start + len(text) in ends:
            yield tokens[firsts[start] : ends[start + len(text)]]
        start = sentence.find(text, start + 1)


def _is_span(sentence: str, text: str) -> bool:
    return any(sum(token.is_word for token in span) <= MAX_SUBJECT_WORDS for span in _spans(sentence, text))


def _is_verb_group(sentence: str, text: str) -> bool:
    return any(
        verb_lemmas(span[-1]) and all(can_precede_head(token) for token in span[:-1])
        for span in _spans(sentence, text)
    )


def _may_be_looked_up(sentence: str, observations: Sequence[Observed], word: str) -> bool:
    if _is_span(sentence, word):
        return True
    forms = _forms(observations)
    return word in {form for _, form in forms} or is_grounded(sentence, word, forms)


def _forms(observations: Sequence[Observed]) -> frozenset[Form]:
    return frozenset().union(*(forms_of(observed.result.evidence()) for observed in observations))


# --- final answers ------------------------------------------------------------------------------------


def _check_answer(
    sentence: str, observations: Sequence[Observed], answer: dict[str, Any]
) -> Iterator[Violation]:
    if list(answer) != ["corrected", "rationale", "spanish_gloss", "in_scope"]:
        yield Violation("G1", "the answer's keys are missing, out of order or too many")
        return
    match answer:
        case {
            "corrected": str() | None as corrected,
            "rationale": list(rationale),
            "spanish_gloss": str() | None as gloss,
            "in_scope": bool(in_scope),
        } if all(isinstance(reason, str) for reason in rationale):
            pass
        case _:
            yield Violation("G1", "a value of the answer has the wrong type")
            return
    if len(rationale) > MAX_REASONS or len(set(rationale)) < len(rationale):
        yield Violation("G4", f"the rationale repeats itself or has more than {MAX_REASONS} entries")
    if in_scope:
        yield from _check_reasons(sentence, observations, corrected, rationale)
        if gloss is not None and gloss not in _glosses(observations):
            yield Violation("G5", f"no lookup_spanish of this trace returned {gloss!r}")
    else:
        yield from _check_out_of_scope(corrected, rationale, gloss)


def _check_out_of_scope(
    corrected: str | None, rationale: list[str], gloss: str | None
) -> Iterator[Violation]:
    if corrected is not None:
        yield Violation("G3", "a correction of what is out of scope")
    if gloss is not None:
        yield Violation("G5", "a gloss of what is out of scope")
    fixed = {reason.value for reason in ScopeReason}
    if not rationale or any(reason not in fixed for reason in rationale):
        yield Violation("G4", "out of scope for another reason than the fixed ones, or for none")


def _check_reasons(
    sentence: str, observations: Sequence[Observed], corrected: str | None, rationale: list[str]
) -> Iterator[Violation]:
    supported = _supported(observations)
    for reason in rationale:
        if reason not in supported:
            yield Violation("G4", f"no observation supports {reason!r}")
    if corrected is None:
        return
    if corrected == sentence:
        yield Violation("G3", "the correction is the sentence itself")
    if not is_grounded(sentence, corrected, _forms(observations)):
        yield Violation("G3", f"{corrected!r} has something that no tool returned in its place")
        return
    cited = [statement.evidence for reason in rationale for statement in supported.get(reason, ())]
    if not is_grounded(sentence, corrected, forms_of(evidence for evidence in cited if evidence is not None)):
        yield Violation("G4", f"a change in {corrected!r} has no reason that cites its form")


def _supported(observations: Sequence[Observed]) -> dict[str, list[Statement]]:
    """Return the statements of the trace by their text; each must name the step that it rests on."""
    found: dict[str, list[Statement]] = {}
    for number, observed in enumerate(observations, start=1):
        returned = set(observed.result.evidence())
        for statement in statements(number, observed.result):
            names_its_step = statement.en.startswith(f"Step {number}:")
            if names_its_step and (statement.evidence is None or statement.evidence in returned):
                found.setdefault(statement.en, []).append(statement)
    return found


def _glosses(observations: Sequence[Observed]) -> set[str]:
    """Return the Spanish texts that a lookup of this trace returned."""
    found: set[str] = set()
    for observed in observations:
        result = observed.result
        if isinstance(result, lookup_spanish.Result):
            found.update(text for entry in result.entries for text in entry.translations)
            found.update([result.clause] if result.clause is not None else [])
    return found
