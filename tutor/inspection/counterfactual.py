"""What the model would have said in the same state without the mask, or under a mask that knows only the form."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from pydantic import ValidationError

from tutor.decoding.engine import Decoding
from tutor.decoding.mask import Schema
from tutor.decoding.queries import Context, LanguageModel, Predict, Work, run_alone
from tutor.grounding import Violation, check_step
from tutor.inspection.results import check_own, observed
from tutor.planner.prompt import observation_prompt, sentence_prompt
from tutor.planner.steps import FinalAnswer, Observed, parse_step
from tutor.tools.registry import tools
from tutor.tracing.files import RunTrace, StepTrace

MAX_TOKENS = 200
"""Tokens of a text without a mask at most."""
_MAX_REASONS = 2

Mask = Literal["none", "schema", "grounded"]
"""What was in force: nothing; a schema that any sentence has, tools and argument types; the schema of the state."""


@dataclass(frozen=True, slots=True)
class Saying:
    """What the model says in one state under one mask.

    Attributes
    ----------
    mask : str
        What was in force.
    text : str
        The text.
    step : bool
        Whether it is a step at all: a call of a tool, or an answer.
    violations : tuple of Violation
        What the independent checker finds wrong with it; nothing when it is grounded.
    right : bool or None
        Of an answer, whether it is one that the references accept; None for a call or without references.
    """

    mask: Mask
    text: str
    step: bool
    violations: tuple[Violation, ...]
    right: bool | None

    @property
    def grounded(self) -> bool:
        """Whether G1 to G5 hold."""
        return not self.violations


@dataclass(frozen=True, slots=True)
class Counterfactual:
    """One state of a run under each mask, the grounded one as the run has it.

    Attributes
    ----------
    step : int
        Number of the step, from 1.
    sayings : tuple of Saying
        Without a mask, with the form alone, with the grounded mask.
    """

    step: int
    sayings: tuple[Saying, ...]


def counterfactuals(
    run: RunTrace, model: LanguageModel, references: Sequence[str] = ()
) -> Iterator[Counterfactual]:
    """Yield what the model would have said at each step of a run, greedily.

    Parameters
    ----------
    run : RunTrace
        The run.
    model : LanguageModel
        The model.
    references : sequence of str
        The accepted corrections of the sentence; none, and no answer is called right or wrong.

    Raises
    ------
    ValueError
        When the run is of another generator.
    """
    check_own(run.header)
    seen, schema = observed(run), form_schema(run.header.sentence)
    for step in run.steps:
        before = seen[: step.number - 1]
        texts: dict[Mask, str] = {
            "none": run_alone(model, _unmasked(model, _context(run, step, model))),
            "schema": run_alone(model, Decoding(_context(run, step, model), model.tokenizer, schema).run()),
            "grounded": step.text,
        }
        sentence = run.header.sentence
        yield Counterfactual(
            step.number,
            tuple(_saying(mask, text, sentence, before, references) for mask, text in texts.items()),
        )


def form_schema(sentence: str) -> Schema:
    """Return the schema that any agent has: the tools with the types of their arguments, or an answer of the right form."""
    definitions: dict[str, Any] = {}
    branches = []
    text = {"type": "string", "maxLength": len(sentence) + 40}
    for name, tool in tools().items():
        args = tool.arguments.model_json_schema()
        definitions |= args.pop("$defs", {})
        branches.append(_object(next={"const": "tool_call"}, tool={"const": name}, args=_bounded(args, text)))
    reasons = {"type": "array", "items": {"type": "string", "maxLength": 80}, "maxItems": _MAX_REASONS}
    optional = {"anyOf": [text, {"type": "null"}]}
    answer = _object(
        corrected=optional, rationale=reasons, spanish_gloss=optional, in_scope={"type": "boolean"}
    )
    branches.append(_object(next={"const": "final_answer"}, answer=answer))
    return {"x-guidance": {"whitespace_flexible": False}, "anyOf": branches, "$defs": definitions}


def _object(**properties: Schema) -> Schema:
    return {
        "type": "object", "properties": properties, "required": list(properties), "additionalProperties": False
    }  # fmt: skip


def _bounded(args: Schema, text: Schema) -> Schema:
    properties = {
        name: text if schema.get("type") == "string" else schema
        for name, schema in args["properties"].items()
    }
    return args | {"properties": properties}


def _context(run: RunTrace, upto: StepTrace, model: LanguageModel) -> Context:
    """Return the context of a step, with the very tokens that the run had."""
    context, encode = model.context(), model.tokenizer.encode
    context.append(encode(sentence_prompt(run.header.sentence)))
    for step in run.steps:
        if step.number == upto.number:
            break
        context.append([token.token_id for token in step.tokens] or encode(step.text))
        if step.observation is not None:
            context.append(encode(observation_prompt(step.observation.text)))
    return context


def _unmasked(model: LanguageModel, context: Context) -> Work[str]:
    """Decode greedily to the end token, the end of the line or the end of a JSON text, `MAX_TOKENS` at most."""
    every, data = np.arange(model.tokenizer.size), b""
    for _ in range(MAX_TOKENS):
        logits = yield Predict(context, every)
        token = int(logits.argmax())
        if token == model.tokenizer.eos:
            break
        context.append([token])
        data += model.tokenizer.decode_bytes([token])
        line, newline, _ = data.partition(b"\n")
        if newline or _is_json(line):
            data = line
            break
    return data.decode("utf-8", "replace")


def _is_json(data: bytes) -> bool:
    if not data.endswith(b"}"):
        return False
    try:
        json.loads(data)
    except ValueError:
        return False
    return True


def _saying(
    mask: Mask, text: str, sentence: str, before: Sequence[Observed], references: Sequence[str]
) -> Saying:
    try:
        step = parse_step(text)
    except ValidationError:
        return Saying(mask, text, False, tuple(check_step(sentence, before, text)), None)
    right = None
    if isinstance(step, FinalAnswer) and references:
        right = (step.answer.corrected or sentence) in references
    return Saying(mask, text, True, tuple(check_step(sentence, before, text)), right)
