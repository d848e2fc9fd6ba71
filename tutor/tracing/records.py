"""The records of a trace: plain data that the agent fills, one JSON line per event.

A run is `HeaderRecord`, then for each step its `TokenRecord` and `ChoiceRecord` lines in decoding order,
one `StepRecord` and, after a tool call, one `ObservationRecord`; at the end one `FinalRecord`. Several
runs may follow each other in one file: each header opens a new one.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, TypeAdapter

SCHEMA_VERSION = 1


class Level(StrEnum):
    """How much a run records."""

    off = "off"
    steps = "steps"
    decisions = "decisions"


def _six_digits(value: float) -> float:
    return float(f"{value:.6g}")


Number = Annotated[float, PlainSerializer(_six_digits, return_type=float, when_used="json-unless-none")]
"""A measured quantity; six significant digits reach the file."""

Origin = Literal["decided", "forced_grammar", "forced_canonical"]


class _Record(BaseModel):
    """Immutable; unknown fields of a newer writer are ignored on reading."""

    model_config = ConfigDict(frozen=True, extra="ignore", ser_json_inf_nan="strings")


class ModelInfo(_Record):
    """The weights and the tokenizer that decoded a run."""

    name: str
    """Name or folder of the model."""
    sha256: str
    """Digest of the weights, over all files that were loaded."""
    tokenizer_sha256: str
    """Digest of the tokenizer's definition."""


class HeaderRecord(_Record):
    """What is needed to read, compare and repeat a run."""

    event: Literal["header"] = "header"
    schema_version: int = SCHEMA_VERSION
    sentence_id: str
    """Name of the sentence within the file, unique there: ``"1"``, ``"2"``, or an id of a corpus."""
    sentence: str
    created: str
    """Start of the run, ISO 8601 in UTC."""
    versions: dict[str, str]
    """Versions of tutor, torch, transformers, llguidance and outlines."""
    model: ModelInfo
    prompt_sha256: str
    """Digest of the system prompt (the prefix that all runs share)."""
    seed: int | None = None
    """Seed of the sampler; none when decoding is greedy."""
    config: dict[str, Any] = Field(default_factory=dict)
    """Every option that changes the outcome: engine, device, scope, max_steps, ..."""


class TokenProbability(_Record):
    """A token of the vocabulary, as the model weighed it at one position."""

    token_id: int
    text: str
    probability: Number
    """Probability before the mask."""
    allowed: bool
    """Whether the mask let it through."""


class TokenRecord(_Record):
    """One token of a step and what the mask did to its distribution.

    The probabilities are those of the softmax of the model's logits at temperature 1: *before* over the
    whole vocabulary, *after* over the allowed tokens alone. They are null where the model was not asked:
    a forced token is the only one that grammar or canonical tokenisation leaves.
    """

    event: Literal["token"] = "token"
    step: int = 1
    """Number of the step in its run, from 1."""
    token_id: int
    text: str
    """The token's text; bytes that are no valid UTF-8 on their own are replaced, see `raw`."""
    raw: str | None = None
    """The token's bytes in hexadecimal, where `text` does not hold them exactly."""
    path: str
    """Where in the step's JSON the token begins: ``$.args.tense``; see `tutor.tracing.json_path`."""
    origin: Origin
    allowed: int | None = None
    """Number of tokens that the mask allowed."""
    logprob_before: Number | None = None
    """Natural logarithm of the token's probability before the mask."""
    logprob_after: Number | None = None
    """Natural logarithm of the token's probability after the mask."""
    blocked_mass: Number | None = None
    """Probability that the mask took away, 0 to 1."""
    best_blocked: TokenProbability | None = None
    """The likeliest token that the mask refused."""
    top: tuple[TokenProbability, ...] | None = None
    """The likeliest tokens before the mask, best first."""
    forward_us: Number | None = None
    """Time of the forward pass, in microseconds."""
    mask_us: Number | None = None
    """Time of computing the mask, in microseconds."""


class Alternative(_Record):
    """One whole alternative that a choice weighed, against leaving the sentence as it is."""

    text: str
    """The change, ``goed -> went``, or the sentence itself for leaving it."""
    fluency: Number | None = None
    """Gain in log-probability under the base model, in nats."""
    error_model: Number | None = None
    """Log-odds under the tuned model, in nats."""
    score: Number
    """What the choice ranks by: the log-odds that the change is right."""
    probability: Number
    """Probability that the change is right, 0 to 1."""
    chosen: bool = False


class ChoiceRecord(_Record):
    """A decision among whole alternatives, which were scored together."""

    event: Literal["choice"] = "choice"
    step: int = 1
    """Number of the step in its run, from 1."""
    path: str
    """The JSON value that was chosen: ``$.answer.corrected``."""
    alternatives: tuple[Alternative, ...]
    forward_us: Number | None = None
    """Time of the scoring, in microseconds."""


class StepRecord(_Record):
    """One step of the planner: what it cost and what it says."""

    event: Literal["step"] = "step"
    number: int
    """Number of the step in its run, from 1."""
    prompt_sha256: str
    """Digest of the whole prompt of this step."""
    schema_sha256: str
    """Digest of the step's JSON schema (rebuilt from sentence and observations, so not stored)."""
    prompt_tokens: int
    """Tokens of the prompt, the cached ones included."""
    cached_tokens: int
    """Tokens of the prompt that came from the cache."""
    decided: int
    """Tokens that the model decided."""
    forced: int
    """Tokens that were forced."""
    text: str
    """The step as decoded, to the letter."""
    parsed: dict[str, Any]
    """The step as parsed and validated."""
    seconds: Number | None = None
    """Wall time of prompt and decoding."""


class ObservationRecord(_Record):
    """What a tool answered."""

    event: Literal["observation"] = "observation"
    step: int
    """Number of the step that called it, from 1."""
    tool: str
    args: dict[str, Any]
    result: dict[str, Any]
    """The result's fields; ``{"error": ...}`` for a failed call."""
    text: str
    """The observation as the model read it."""
    seconds: Number | None = None


class FinalRecord(_Record):
    """How the run ended."""

    event: Literal["final"] = "final"
    status: str
    stop_reason: str
    correction: dict[str, Any]
    """The correction object, as ``tutor correct --json`` prints it."""


Record = Annotated[
    HeaderRecord | TokenRecord | ChoiceRecord | StepRecord | ObservationRecord | FinalRecord,
    Field(discriminator="event"),
]

RECORD: TypeAdapter[Record] = TypeAdapter(Record)
