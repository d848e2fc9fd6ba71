"""The planner: decodes one step of a run under the schema of its state."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import torch

from tutor.decoding.engine import CachedEngine, Decoding, Engine, greedy, sampler
from tutor.decoding.mask import Schema, canary
from tutor.decoding.queries import Context, LanguageModel, Work
from tutor.language.scope import ScopeReason
from tutor.planner.choice import Choice, ChoiceWeights, Chooser
from tutor.planner.coverage import LOOKS
from tutor.planner.prompt import observation_prompt, sentence_prompt
from tutor.planner.schema import StepSchema
from tutor.planner.steps import FinalAnswer, Observed, ToolCall, json_text, parse_step
from tutor.tools.registry import tools
from tutor.tracing.records import Alternative, ChoiceRecord, Level, Record, StepRecord

Sink = Callable[[Record], None]

EngineName = Literal["tutor", "outlines"]

CORRECTED = '{"next":"final_answer","answer":{"corrected":'
_WORD = '{"next":"tool_call","tool":"lookup_spanish","args":{"word":'


@dataclass(frozen=True, slots=True)
class PlannerOptions:
    """How a planner decodes.

    Attributes
    ----------
    tools : tuple of str
        Names of the tools that it may call.
    whole_alternatives : bool
        Choose the correction among whole texts of the lattice; False decodes it token by token, under the mask alone.
    engine : str
        ``"tutor"``, or ``"outlines"`` for the same steps by way of Outlines.
    """

    tools: tuple[str, ...] = field(default_factory=lambda: tuple(tools()))
    whole_alternatives: bool = True
    engine: EngineName = "tutor"


class Planner:
    """A language model that speaks in steps.

    Parameters
    ----------
    model : LanguageModel
        The model.
    weights : ChoiceWeights
        How the choice of the correction weighs its evidence.
    options : PlannerOptions
        How to decode.

    Raises
    ------
    MaskError
        When the start-up canary finds that masks are not applied.
    """

    def __init__(self, model: LanguageModel, weights: ChoiceWeights, options: PlannerOptions) -> None:
        canary(model.tokenizer)
        self.model, self.options = model, options
        self.engine = _engine(options.engine, model)
        self.chooser = Chooser(model.tokenizer, weights)

    def start(
        self,
        sentence: str,
        scope_reasons: tuple[ScopeReason, ...] = (),
        *,
        seed: int | None = None,
        min_confidence: float | None = None,
        looks: int = LOOKS,
        level: Level = Level.decisions,
    ) -> PlannerRun:
        """Begin the run of a sentence.

        Parameters
        ----------
        sentence : str
            The sentence.
        scope_reasons : tuple of ScopeReason
            The scope reasons that hold for it.
        seed : int, optional
            Sample every decision with this seed; greedy without one.
        min_confidence : float, optional
            Probability from which an edit is made; the weights' own without one.
        looks : int
            Calls after which the run may answer though a verb group was not looked at.
        level : Level
            What the records of a step hold.
        """
        return PlannerRun(self, sentence, scope_reasons, seed, min_confidence, looks, level)


def _engine(name: EngineName, model: LanguageModel) -> Engine:
    if name == "tutor":
        return CachedEngine(model)
    from tutor.decoding.outlines_engine import OutlinesEngine  # imports Outlines, which nothing else needs

    return OutlinesEngine(model)


class PlannerRun:
    """The planner's side of one run: a context that grows step by step."""

    def __init__(
        self,
        planner: Planner,
        sentence: str,
        scope_reasons: tuple[ScopeReason, ...],
        seed: int | None,
        min_confidence: float | None,
        looks: int = LOOKS,
        level: Level = Level.decisions,
    ) -> None:
        self._level = level
        self._planner, self._sentence, self._scope = planner, sentence, scope_reasons
        self._min_confidence, self._looks = min_confidence, looks
        self._context: Context = planner.engine.context()
        self._prompt = ""
        self._extend(sentence_prompt(sentence))
        self._pick = greedy if seed is None else sampler(seed)
        self._generator = None if seed is None else torch.Generator().manual_seed(seed)
        self._choices: dict[tuple[str, ...], Choice] = {}
        self._schemas: dict[int, StepSchema] = {}

    def knows(self, observed: tuple[Observed, ...]) -> bool:
        """Return whether the choice that the observations lead to is computed already."""
        return _key(observed) in self._choices

    def choice(self, observed: tuple[Observed, ...]) -> Work[Choice]:
        """Return the choice of the correction that the observations lead to."""
        key = _key(observed)
        if key not in self._choices:
            lattice = self._schema(observed).lattice
            self._choices[key] = yield from self._planner.chooser.choose(
                lattice,
                observed,
                context=self._context,
                min_confidence=self._min_confidence,
                generator=self._generator,
            )
        return self._choices[key]

    def observe(self, observation: str) -> None:
        """Append what a tool answered to the prompt."""
        self._extend(observation_prompt(observation))

    def take(self, step: Observed) -> None:
        """Append a step that was decoded elsewhere, and what it observed."""
        self._extend(step.text)
        self.observe(step.result.prompt_text())

    def step(
        self, observed: tuple[Observed, ...], sink: Sink | None = None
    ) -> Work[tuple[str, ToolCall | FinalAnswer]]:
        """Decode the next step.

        Parameters
        ----------
        observed : tuple of Observed
            The tool calls so far.
        sink : callable, optional
            Receives the records of the step.

        Returns
        -------
        (str, ToolCall or FinalAnswer)
            The step's JSON and its parsed form.
        """
        schema = self._schema(observed)
        decoding = _StepDecoding(self, schema, observed, len(observed) + 1, sink)
        prompt, started = self._prompt, time.perf_counter()
        prompt_tokens, cached = len(self._context), self._context.cached
        text = yield from decoding.run()
        step = parse_step(text)
        self._prompt += text
        if sink:
            sink(StepRecord(
                number=len(observed) + 1, prompt_sha256=_digest(prompt), schema_sha256=_digest(decoding.decoding.schema),
                prompt_tokens=prompt_tokens, cached_tokens=cached, decided=decoding.decoding.decided,
                forced=len(decoding.decoding.ids) - decoding.decoding.decided, text=text,
                parsed=step.model_dump(mode="json"), seconds=time.perf_counter() - started,
            ))  # fmt: skip
        return text, step

    def decoding(self, schema: Schema, number: int, sink: Sink | None) -> Decoding:
        """Return a decoding that goes on from the prompt so far."""
        record = sink if self._level in (Level.decisions, Level.full) else None
        return self._planner.engine.decoding(self._context, schema, self._pick, record, number, self._level)

    @property
    def whole_alternatives(self) -> bool:
        """Whether the correction is chosen as a whole."""
        return self._planner.options.whole_alternatives

    def _schema(self, observed: tuple[Observed, ...]) -> StepSchema:
        number = len(observed)  # tells them apart: observations only grow
        if number not in self._schemas:
            self._schemas[number] = StepSchema(
                self._sentence, observed, self._planner.options.tools, self._scope, self._looks
            )
        return self._schemas[number]

    def _extend(self, text: str) -> None:
        self._prompt += text
        self._context.append(self._planner.model.tokenizer.encode(text))


class _StepDecoding:
    """One step as it is decoded: proposes whole corrections, and narrows the schema once the correction stands."""

    def __init__(
        self,
        run: PlannerRun,
        schema: StepSchema,
        observed: tuple[Observed, ...],
        number: int,
        sink: Sink | None,
    ) -> None:
        self._run, self._schema, self._observed, self._number, self._sink = (
            run,
            schema,
            observed,
            number,
            sink,
        )
        self._narrowed = bool(schema.scope_reasons)
        self._proposed = False
        self.decoding = run.decoding(schema.schema(), number, sink)
        self.decoding.narrow = self._narrow
        if run.whole_alternatives and not schema.scope_reasons:
            self.decoding.propose = self._propose

    def run(self) -> Work[str]:
        """Decode the step."""
        return self.decoding.run()

    def _propose(self, text: str) -> Work[str | None]:
        marker = next((marker for marker in (CORRECTED, _WORD) if text.startswith(marker)), None)
        if marker is None or self._proposed:
            return None
        self._proposed = True
        path = "$.answer.corrected" if marker == CORRECTED else "$.args.word"
        text_chosen = (yield from self._chosen(path)).corrected
        if text_chosen is None and marker == _WORD:
            text_chosen = self._schema.sentence
        chosen, forced = json_text(text_chosen), text.removeprefix(marker)
        # What is forced may spell the only choice there is, and run on behind it: then nothing is left to propose.
        return chosen.removeprefix(forced) if chosen.startswith(forced) and chosen != forced else None

    def _chosen(self, path: str) -> Work[Choice]:
        started, known = time.perf_counter(), self._run.knows(self._observed)
        choice = yield from self._run.choice(self._observed)
        if self._sink:
            elapsed = 1e6 * (time.perf_counter() - started)
            record = _choice_record(choice, self._schema.sentence, self._number, path)
            self._sink(record.model_copy(update={"forward_us": elapsed, "cached": known or None}))
        return choice

    def _narrow(self, text: str) -> Schema | None:
        if self._narrowed or not text.startswith(CORRECTED + '"'):
            return None
        try:
            corrected, _ = json.JSONDecoder().raw_decode(text, len(CORRECTED))
        except ValueError:
            return None  # the string is not complete yet
        self._narrowed = True
        return self._schema.narrowed(corrected)


def _key(observed: tuple[Observed, ...]) -> tuple[str, ...]:
    return tuple(step.text for step in observed if step.evidence)  # other steps change no alternative


def _choice_record(choice: Choice, sentence: str, step: int, path: str) -> ChoiceRecord:
    made = {id(edit) for edit in choice.edits}
    rows: list[dict[str, Any]] = [
        {
            "text": f"{sentence[edit.replacement.start : edit.replacement.end]} -> {edit.replacement.text}",
            "fluency": edit.fluency, "error_model": edit.error_model, "score": edit.score,
            "probability": edit.probability, "chosen": id(edit) in made,
        }
        for edit in choice.alternatives
    ]  # fmt: skip
    unchanged = {"text": sentence, "fluency": 0.0, "error_model": 0.0, "score": 0.0, "chosen": not made}
    unchanged["probability"] = 1.0 - max((edit.probability for edit in choice.alternatives), default=0.0)
    alternatives = tuple(Alternative(**row) for row in [unchanged, *rows])
    return ChoiceRecord(step=step, path=path, alternatives=alternatives)


def _digest(value: str | Schema) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
