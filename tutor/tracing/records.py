"""The records of a trace: plain data that the agent fills, one JSON line per event.

A run is `HeaderRecord`, then for each step its `TokenRecord` and `ChoiceRecord` in decoding order, one `StepRecord` and,
after a tool call, one `ObservationRecord`; at the end one `FinalRecord`. Several runs may follow each other in one file:
each header opens a new one.

A file does not say twice what it has said already (see `tutor.tracing.lines` and `tutor.tracing.compact`): tokens share lines
or have shorter ones, and what is marked *in a file absent where* is left out there. The reader puts all of it back.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainSerializer

SCHEMA_VERSION = 3


class Level(StrEnum):
    """How much a run records."""

    off = "off"
    steps = "steps"
    """Steps, observations, the answer."""
    decisions = "decisions"
    """Every token, with the distributions of those that were decided."""
    full = "full"
    """The distributions of forced tokens as well."""

    @property
    def top(self) -> int:
        """Number of likeliest tokens that a token record of this level holds."""
        return 10 if self is Level.full else 3


def _rounded(digits: int) -> PlainSerializer:
    return PlainSerializer(
        lambda value: float(f"{value:.{digits}g}"), return_type=float, when_used="json-unless-none"
    )


Number = Annotated[float, _rounded(6)]
"""A measured quantity; six significant digits reach the file."""

Rounded = Annotated[float, _rounded(4)]
"""A measured quantity of which a record holds many; four significant digits reach the file."""

Microseconds = Annotated[float, PlainSerializer(round, return_type=int, when_used="json-unless-none")]
"""A duration; whole microseconds reach the file."""

Digest = Annotated[str, AfterValidator(lambda digest: digest[:16])]
"""The first 16 hexadecimal digits of a SHA-256, which is enough to tell texts apart."""

Origin = Literal["decided", "forced_grammar", "forced_canonical"]
"""How a token came to be.

`decided`: the model chose it among those that the mask allowed. `forced_grammar`: the mask allowed no other token.
`forced_canonical`: the mask forced the bytes, and of the tokens that spell them the canonical one was taken.
"""

RAW_LOGITS = "raw_logits"


class BaseRecord(BaseModel):
    """Immutable; unknown fields of a newer writer are ignored on reading."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", ser_json_inf_nan="strings", use_attribute_docstrings=True
    )


class ModelInfo(BaseRecord):
    """The weights and the tokenizer that decoded a run."""

    name: str
    """Name or folder of the model."""
    sha256: str
    """Digest of the weights, over all files that were loaded."""
    tokenizer_sha256: Digest
    """Digest of the tokenizer's definition."""


class HeaderRecord(BaseRecord):
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
    prompt_sha256: Digest
    """Digest of the prompt's template, the same in all runs."""
    level: Level | None = None
    """How much the run records; set by the writer."""
    sampler_position: str = RAW_LOGITS
    """Where in the sampler chain the probabilities of the token records are read: ``raw_logits``, the softmax of the model's
    logits before temperature, top-k, top-p or any other processor. *Before* is over the whole vocabulary, *after* over the
    allowed tokens alone."""
    seed: int | None = None
    """Seed of the sampler; none when decoding is greedy."""
    config: dict[str, Any] = Field(default_factory=dict)
    """Every option that changes the outcome: engine, device, scope, max_steps, ..."""


class TokenProbability(NamedTuple):
    """A token of the vocabulary, as the model weighed it at one position; an array in the file."""

    token_id: int
    text: str
    probability: Rounded
    """Probability before the mask."""
    allowed: bool
    """Whether the mask let it through."""


class TokenRecord(BaseRecord):
    """One token of a step and what the mask did to its distribution.

    The probabilities are read at the header's `sampler_position`. They are null where the model was not asked: for forced
    tokens below level `full`, and for tokens of an alternative that was chosen as a whole (`joint`).
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
    joint: bool | None = None
    """True for a token of an alternative that was chosen as a whole; the `ChoiceRecord` before it has the rivals."""
    allowed: int | None = None
    """Number of tokens that the mask allowed."""
    logprob_before: Number | None = None
    """Natural logarithm of the token's probability before the mask."""
    logprob_after: Number | None = None
    """Natural logarithm of the token's probability after the mask."""
    blocked_mass: Number | None = None
    """Probability that the mask took away, 0 to 1."""
    entropy_before: Rounded | None = None
    """Entropy of the distribution before the mask, in nats."""
    entropy_after: Rounded | None = None
    """Entropy of the distribution over the allowed tokens, in nats."""
    best_blocked: TokenProbability | None = None
    """The likeliest token that the mask refused. In a file absent where it is the first of `top` that was refused."""
    best_rival: TokenProbability | None = None
    """The likeliest other token that the mask allowed. In a file absent where it is the first such of `top`."""
    top: tuple[TokenProbability, ...] | None = None
    """The likeliest tokens before the mask, best first."""
    forward_us: Microseconds | None = None
    """Time of the forward pass, in microseconds; of a pass over several positions, their share of it."""
    forward_tokens: int | None = None
    """Tokens that the pass ran; those of the context before them came from the cache."""
    mask_us: Microseconds | None = None
    """Time of computing the mask, in microseconds."""
    cached: bool | None = None
    """True where the prediction was kept from an earlier pass, so that nothing was computed for it."""


class Alternative(NamedTuple):
    """One whole alternative that a choice weighed, against leaving the sentence as it is; an array in the file."""

    text: str
    """The change, ``goed -> went``, or the sentence itself for leaving it."""
    score: Rounded
    """What the choice ranks by: the log-odds that the change is right."""
    probability: Rounded
    """Probability that the change is right, 0 to 1."""
    chosen: bool = False
    fluency: Rounded | None = None
    """Gain in log-probability under the base model, in nats."""
    error_model: Rounded | None = None
    """Log-odds under the tuned model, in nats."""


class ChoiceRecord(BaseRecord):
    """A decision among whole alternatives, which were scored together."""

    event: Literal["choice"] = "choice"
    step: int = 1
    """Number of the step in its run, from 1."""
    path: str
    """The JSON value that was chosen: ``$.answer.corrected``."""
    alternatives: tuple[Alternative, ...] = ()
    """In a file absent where they are those of the run's last choice."""
    forward_us: Microseconds | None = None
    """Time of the scoring, in microseconds."""
    cached: bool | None = None
    """True where the scores were kept from an earlier choice of the run, so that nothing was computed."""


class StepRecord(BaseRecord):
    """One step of the planner: what it cost and what it says."""

    event: Literal["step"] = "step"
    number: int
    """Number of the step in its run, from 1."""
    prompt_sha256: Digest
    """Digest of the whole prompt of this step."""
    schema_sha256: Digest
    """Digest of the step's JSON schema (rebuilt from sentence and observations, so not stored)."""
    prompt_tokens: int
    """Tokens of the prompt, the cached ones included."""
    cached_tokens: int
    """Tokens of the prompt that came from the cache."""
    decided: int
    """Tokens that the model decided."""
    forced: int
    """Tokens that were forced."""
    text: str = ""
    """The step as decoded, to the letter. In a file absent where the tokens hold it."""
    parsed: dict[str, Any] = Field(default_factory=dict)
    """The step as parsed and validated. In a file absent where it is what `text` says as JSON."""
    seconds: Number | None = None
    """Wall time of prompt and decoding."""

    @property
    def processed_tokens(self) -> int:
        """Tokens of the prompt that the model had to run."""
        return self.prompt_tokens - self.cached_tokens


class ObservationRecord(BaseRecord):
    """What a tool answered."""

    event: Literal["observation"] = "observation"
    step: int
    """Number of the step that called it, from 1."""
    tool: str
    args: dict[str, Any] = Field(default_factory=dict)
    """In a file absent where the step holds them."""
    result: dict[str, Any] = Field(default_factory=dict)
    """The result's fields; ``{"error": ...}`` for a failed call. At level `decisions` a long one is absent from a file:
    tools are pure functions, and `tutor.inspection.results` calls them again."""
    result_sha256: Digest | None = None
    """In the place of a long result: the digest of its JSON, keys sorted, compact."""
    text: str
    """The observation as the model read it."""
    seconds: Number | None = None


class FinalRecord(BaseRecord):
    """How the run ended."""

    event: Literal["final"] = "final"
    status: str
    stop_reason: str
    correction: dict[str, Any]
    """The correction object, as ``tutor correct --json`` prints it."""
    omitted: tuple[str, ...] | None = None
    """In a file: keys of `correction` that the header, the observations and the last step hold."""


Record = HeaderRecord | TokenRecord | ChoiceRecord | StepRecord | ObservationRecord | FinalRecord
