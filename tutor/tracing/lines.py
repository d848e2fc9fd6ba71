"""The lines of a trace file: records, and what stands there in the place of `TokenRecord`, which is most of a trace."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, TypeAdapter

from tutor.tracing.records import (
    SCHEMA_VERSION,
    BaseRecord,
    ChoiceRecord,
    FinalRecord,
    HeaderRecord,
    Microseconds,
    Number,
    ObservationRecord,
    Origin,
    Rounded,
    StepRecord,
    TokenProbability,
    TokenRecord,
)


class TokensRecord(BaseRecord):
    """A run of tokens that the model was not asked about: each stands for a `TokenRecord`.

    They are `joint`, or forced by the grammar but for those listed in `canonical`.
    """

    event: Literal["tokens"] = "tokens"
    step: int | None = None
    """Number of the step in its run, from 1; absent where it is that of the line before."""
    ids: tuple[int, ...]
    texts: tuple[str, ...] = ()
    """The texts of the tokens, as in `TokenRecord`: of all of them, or of those that the run has not shown before.
    Absent where it has shown all of them."""
    raw: dict[int, str] | None = None
    """The bytes, in hexadecimal, of those tokens (by place, from 0) whose text is here but does not hold them exactly."""
    canonical: tuple[int, ...] | None = None
    """The places, from 0, of the tokens that are forced by canonical tokenisation."""
    joint: bool | None = None
    """True for the tokens of an alternative that was chosen as a whole."""


class Measures(NamedTuple):
    """The numbers of a `TokenRecord`, where they are explained; an array in the file."""

    allowed: int | None
    logprob_before: Number | None
    logprob_after: Number | None
    blocked_mass: Number | None
    entropy_before: Rounded | None
    entropy_after: Rounded | None
    forward_us: Microseconds | None
    forward_tokens: int | None
    mask_us: Microseconds | None


class WeighedRecord(BaseRecord):
    """A token that the model was asked about: it stands for a `TokenRecord`, where its fields are explained."""

    event: Literal["weighed"] = "weighed"
    step: int | None = None
    """Absent where it is that of the line before."""
    token_id: int
    text: str | None = None
    """Absent where the run has shown the token before, as is `raw`."""
    raw: str | None = None
    path: str | None = None
    """Absent where it is what the tokens before it lead to."""
    origin: Origin = "decided"
    """Absent where it is `decided`."""
    joint: bool | None = None
    measures: Measures
    best_blocked: TokenProbability | None = None
    """Absent where it is the first of `top` that was refused."""
    best_rival: TokenProbability | None = None
    """Absent where it is the first other of `top` that was allowed."""
    top: tuple[TokenProbability, ...] | None = None
    cached: bool | None = None


Line = Annotated[
    HeaderRecord
    | TokenRecord  # written by versions 1 and 2
    | TokensRecord
    | WeighedRecord
    | ChoiceRecord
    | StepRecord
    | ObservationRecord
    | FinalRecord,
    Field(discriminator="event"),
]

LINE: TypeAdapter[Line] = TypeAdapter(Line)


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of one line of a trace file of this version."""
    schema = LINE.json_schema(mode="serialization")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"One line of a trace of tutor, schema version {SCHEMA_VERSION}",
        **schema,
    }
