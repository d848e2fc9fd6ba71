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
from tutor.tracing.records import (
    Alternative,
    ChoiceRecord,
    FinalRecord,
    HeaderRecord,
    Level,
    ObservationRecord,
    Origin,
    Record,
    StepRecord,
    TokenProbability,
    TokenRecord,
    TokensRecord,
)

LONG_RESULT = 200
"""Characters of a tool result's JSON from which level `decisions` keeps a digest instead."""


@dataclass(slots=True)
class _Memory:
    """What a run has said so far."""

    sentence: str = ""
    data: bytes = b""
    """Bytes of the tokens of the step that is under way."""
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
            case ChoiceRecord():
                self.alternatives = record.alternatives
            case StepRecord():
                self.data, self.parsed = b"", record.parsed
            case ObservationRecord():
                self.observations.append(record)

    @property
    def text(self) -> str:
        return self.data.decode("utf-8", "replace")

    @property
    def args(self) -> Any:
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


def _json_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _unasked(token: TokenRecord) -> bool:
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
        self._memory = _Memory()
        self._waiting: list[TokenRecord] = []

    def lines(self, record: Record) -> Iterator[bytes]:
        """Yield the lines that are complete once a record has come; unasked tokens wait for others of their kind."""
        if self._level in (Level.off, Level.steps) and isinstance(record, TokenRecord | ChoiceRecord):
            return
        if isinstance(record, TokenRecord) and _unasked(record):
            if self._waiting and not _alike(self._waiting[-1], record):
                yield from self.rest()
            self._waiting.append(record)
            return
        yield from self.rest()
        yield self._line(record)

    def _without_long_result(self, record: ObservationRecord) -> ObservationRecord:
        if self._level is not Level.decisions or len(_result_json(record.result)) <= LONG_RESULT:
            return record
        return record.model_copy(update={"result": {}, "result_sha256": result_digest(record.result)})

    def rest(self) -> Iterator[bytes]:
        """Yield the line of the tokens that wait."""
        if self._waiting:
            for token in self._waiting:
                self._memory.note(token)
            yield _dump(_together(self._waiting))
            self._waiting = []

    def _line(self, record: Record) -> bytes:
        memory, absent = self._memory, set()
        match record:
            case HeaderRecord():
                self._memory = memory = _Memory(record.sentence)
                record = record.model_copy(update={"level": self._level})
            case TokenRecord(top=top) if top is not None:
                record = record.model_copy(update={"top": top[: self._level.top]})
                absent = {name for name, best in _bests(record).items() if best == getattr(record, name)}
            case ChoiceRecord() if record.alternatives == memory.alternatives:
                absent = {"alternatives"}
            case StepRecord():
                absent = {"text"} if record.text == memory.text else set()
                absent |= {"parsed"} if record.parsed == _json_object(record.text) else set()
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


def _together(tokens: list[TokenRecord]) -> TokensRecord:
    canonical = tuple(place for place, token in enumerate(tokens) if token.origin == "forced_canonical")
    return TokensRecord(
        step=tokens[0].step,
        ids=tuple(token.token_id for token in tokens),
        texts=tuple(token.text for token in tokens),
        raw={place: token.raw for place, token in enumerate(tokens) if token.raw is not None} or None,
        canonical=canonical or None,
        joint=True if tokens[0].origin == "decided" else None,
    )


def _bests(token: TokenRecord) -> dict[str, TokenProbability | None]:
    """Return the fields of a token record that its `top` implies."""
    others = [candidate for candidate in token.top or () if candidate.token_id != token.token_id]
    return {
        "best_blocked": next((candidate for candidate in others if not candidate.allowed), None),
        "best_rival": next((candidate for candidate in others if candidate.allowed), None),
    }


def _dump(record: Record, absent: set[str] | None = None) -> bytes:
    return record.model_dump_json(exclude_none=True, exclude=absent).encode() + b"\n"


class Expander:
    """Turns the records of a file's lines into what was written."""

    def __init__(self) -> None:
        self._memory = _Memory()
        self._path = JsonPath()

    def records(self, line: Record) -> Iterator[Record]:
        """Yield the records that a line stands for."""
        for record in self._tokens(line) if isinstance(line, TokensRecord) else (self._whole(line),):
            self._memory.note(record)
            yield record

    def _tokens(self, line: TokensRecord) -> Iterator[TokenRecord]:
        for place, (token, text) in enumerate(zip(line.ids, line.texts, strict=True)):
            forced: Origin = "forced_canonical" if place in (line.canonical or ()) else "forced_grammar"
            yield TokenRecord(
                step=line.step, token_id=token, text=text, raw=(line.raw or {}).get(place), path=str(self._path),
                origin="decided" if line.joint else forced, joint=line.joint,
            )  # fmt: skip
            self._path.feed(text)

    def _whole(self, line: Record) -> Record:
        memory, said = self._memory, line.model_fields_set
        match line:
            case HeaderRecord():
                self._memory, self._path = _Memory(line.sentence), JsonPath()
            case TokenRecord():
                self._path.feed(line.text)
                if _unasked(line):  # of version 1, where a line of its own did not tell
                    return line.model_copy(update={"joint": True if line.origin == "decided" else None})
                bests = {name: best for name, best in _bests(line).items() if name not in said}
                return line.model_copy(update=bests)
            case ChoiceRecord() if "alternatives" not in said:
                return line.model_copy(update={"alternatives": memory.alternatives})
            case StepRecord():
                self._path = JsonPath()
                text = line.text if "text" in said else memory.text
                parsed = line.parsed if "parsed" in said else _json_object(text)
                return line.model_copy(update={"text": text, "parsed": parsed})
            case ObservationRecord() if "args" not in said:
                return line.model_copy(update={"args": memory.args})
            case FinalRecord(correction=correction, omitted=omitted) if omitted:
                implied = {key: memory.correction[key] for key in omitted}
                return line.model_copy(update={"correction": implied | correction, "omitted": None})
        return line
