"""Records as a file holds them: nothing that the lines before have said already.

Writer and reader keep the same memory of a run. The writer leaves out what that memory implies, and only where it implies
exactly what the record says; the reader puts it back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from tutor.tracing.json_path import JsonPath
from tutor.tracing.lines import Line, Measures, TokensRecord, WeighedRecord
from tutor.tracing.records import (
    Alternative,
    ChoiceRecord,
    FinalRecord,
    HeaderRecord,
    Level,
    ObservationRecord,
    Record,
    StepRecord,
    TokenProbability,
    TokenRecord,
)

LONG_RESULT = 200
"""Characters of a tool result's JSON from which level `decisions` keeps a digest instead."""

_SHARED = WeighedRecord.model_fields.keys() & TokenRecord.model_fields.keys() - {"event", "step"}
"""Fields that a line has as its record has them."""


@dataclass(slots=True)
class Memory:
    """What a run has said so far."""

    sentence: str = ""
    data: bytes = b""
    """Bytes of the tokens of the step that is under way."""
    path: JsonPath = field(default_factory=JsonPath)
    """Where these bytes lead to."""
    step: int | None = None
    """Number of the step of the last record."""
    shown: dict[int, tuple[str, str | None]] = field(default_factory=dict)
    """Text and raw bytes of each token so far."""
    parsed: dict[str, Any] = field(default_factory=dict)
    """The last step."""
    alternatives: tuple[Alternative, ...] = ()
    """Of the last choice."""
    observations: list[ObservationRecord] = field(default_factory=list)

    def note(self, record: Record) -> None:
        """Remember a record, which has everything that its line may lack."""
        match record:
            case TokenRecord():
                self.data += token_bytes(record)
                self.path.feed(record.text)
                self.step = record.step
                self.shown[record.token_id] = record.text, record.raw
            case ChoiceRecord():
                self.alternatives, self.step = record.alternatives, record.step
            case StepRecord():
                self.data, self.path = b"", JsonPath()
                self.parsed, self.step = record.parsed, record.number
            case ObservationRecord():
                self.observations.append(record)
                self.step = record.step

    @property
    def text(self) -> str:
        """What these bytes say."""
        return self.data.decode("utf-8", "replace")

    @property
    def args(self) -> Any:
        """The arguments of the last step."""
        return self.parsed.get("args")

    @property
    def correction(self) -> dict[str, Any]:
        """The keys of the correction that need not be said."""
        steps = [
            {
                "number": seen.step, "tool": seen.tool, "args": seen.args,
                "observation": seen.result, "summary": seen.text,
            }
            for seen in self.observations
        ]  # fmt: skip
        return {"sentence": self.sentence, **self.parsed.get("answer", {}), "steps": steps}


def token_bytes(token: TokenRecord) -> bytes:
    """Return the exact bytes of a token."""
    return token.text.encode() if token.raw is None else bytes.fromhex(token.raw)


def _result_json(result: dict[str, Any]) -> str:
    return json.dumps(result, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def result_digest(result: dict[str, Any]) -> str:
    """Return the digest that stands in a file for a long tool result."""
    return sha256(_result_json(result).encode()).hexdigest()[:16]


def json_object(text: str) -> dict[str, Any]:
    """Return what a text says as JSON, if that is an object; else an empty one."""
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def unasked(token: TokenRecord) -> bool:
    """Return whether the model was not asked about a token."""
    return token.logprob_before is None and token.allowed is None


class Compactor:
    """Turns records into the lines of a file.

    Parameters
    ----------
    level : Level
        What to keep.
    """

    def __init__(self, level: Level) -> None:
        self._level = level
        self._memory = Memory()
        self._waiting: list[TokenRecord] = []

    def lines(self, record: Record) -> Iterator[bytes]:
        """Yield the lines that are complete once a record has come; unasked tokens wait for others of their kind."""
        if self._level in (Level.off, Level.steps) and isinstance(record, TokenRecord | ChoiceRecord):
            return
        if isinstance(record, TokenRecord) and unasked(record):
            if self._waiting and not _alike(self._waiting[-1], record):
                yield from self.rest()
            self._waiting.append(record)
            return
        yield from self.rest()
        yield self._weighed(record) if isinstance(record, TokenRecord) else self._line(record)

    def _without_long_result(self, record: ObservationRecord) -> ObservationRecord:
        if self._level is not Level.decisions or len(_result_json(record.result)) <= LONG_RESULT:
            return record
        return record.model_copy(update={"result": {}, "result_sha256": result_digest(record.result)})

    def rest(self) -> Iterator[bytes]:
        """Yield the line of the tokens that wait."""
        if self._waiting:
            line = self._together(self._waiting)
            yield _dump(line, None if line.texts else {"texts"})
            self._waiting = []

    def _together(self, tokens: list[TokenRecord]) -> TokensRecord:
        """Return the line of some tokens, and note them."""
        memory, new = self._memory, list[int]()
        said, every = self._step(tokens[0]), False
        for place, token in enumerate(tokens):
            known = memory.shown.get(token.token_id)
            every = every or (known is not None and known != (token.text, token.raw))
            if known is None:
                new.append(place)
            memory.note(token)
        places = range(len(tokens)) if every else new
        canonical = tuple(place for place, token in enumerate(tokens) if token.origin == "forced_canonical")
        return TokensRecord(
            step=said,
            ids=tuple(token.token_id for token in tokens),
            texts=tuple(tokens[place].text for place in places),
            raw={place: raw for place in places if (raw := tokens[place].raw) is not None} or None,
            canonical=canonical or None,
            joint=True if tokens[0].origin == "decided" else None,
        )

    def _weighed(self, token: TokenRecord) -> bytes:
        memory, absent = self._memory, {"origin"} if token.origin == "decided" else set()
        if token.top is not None and len(token.top) > self._level.top:
            token = token.model_copy(update={"top": token.top[: self._level.top]})
        shown = memory.shown.get(token.token_id) == (token.text, token.raw)
        absent |= {"text", "raw"} if shown else set()
        absent |= {"path"} if token.path == str(memory.path) else set()
        if token.top is not None:
            absent |= {name for name, best in bests(token).items() if best == getattr(token, name)}
        values = {name: getattr(token, name) for name in WeighedRecord.model_fields if name in _SHARED}
        line = WeighedRecord.model_construct(
            **values | {"step": self._step(token)},
            measures=Measures(*(getattr(token, name) for name in Measures._fields)),
        )
        memory.note(token)
        return _dump(line, absent)

    def _step(self, token: TokenRecord) -> int | None:
        return None if token.step == self._memory.step else token.step

    def _line(self, record: Record) -> bytes:
        memory, absent = self._memory, set()
        match record:
            case HeaderRecord():
                self._memory = memory = Memory(record.sentence)
                record = record.model_copy(update={"level": self._level})
            case ChoiceRecord() if record.alternatives == memory.alternatives:
                absent = {"alternatives"}
            case StepRecord():
                absent = {"text"} if record.text == memory.text else set()
                absent |= {"parsed"} if record.parsed == json_object(record.text) else set()
            case ObservationRecord():
                memory.note(record)
                absent = {"args"} if record.args == memory.args else set()
                return _dump(self._without_long_result(record), absent)
            case FinalRecord(correction=correction):
                implied = memory.correction
                omitted = [
                    key for key, value in correction.items() if key in implied and implied[key] == value
                ]
                said = {key: value for key, value in correction.items() if key not in omitted}
                record_said = record.model_copy(update={"correction": said, "omitted": tuple(omitted)})
                return _dump(record_said)
        memory.note(record)
        return _dump(record, absent)


def _alike(one: TokenRecord, other: TokenRecord) -> bool:
    return one.step == other.step and (one.origin == "decided") == (other.origin == "decided")


def bests(token: TokenRecord | WeighedRecord) -> dict[str, TokenProbability | None]:
    """Return the fields of a token record that its `top` implies."""
    others = [candidate for candidate in token.top or () if candidate.token_id != token.token_id]
    return {
        "best_blocked": next((candidate for candidate in others if not candidate.allowed), None),
        "best_rival": next((candidate for candidate in others if candidate.allowed), None),
    }


def _dump(record: Line, absent: set[str] | None = None) -> bytes:
    return record.model_dump_json(exclude_none=True, exclude=absent).encode() + b"\n"
