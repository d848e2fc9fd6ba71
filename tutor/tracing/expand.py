"""The lines of a file as the records that they were, the other way of `tutor.tracing.compact`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tutor.tracing.compact import Memory, bests, json_object, unasked
from tutor.tracing.lines import Line, TokensRecord, WeighedRecord
from tutor.tracing.records import (
    ChoiceRecord,
    FinalRecord,
    HeaderRecord,
    ObservationRecord,
    Origin,
    Record,
    StepRecord,
    TokenRecord,
)


class Expander:
    """Turns the lines of a file into the records that were written."""

    def __init__(self) -> None:
        self._memory = Memory()

    def records(self, line: Line) -> Iterator[Record]:
        """Yield the records that a line stands for.

        Raises
        ------
        ValueError
            When a line that this one rests on is missing.
        """
        for record in self._tokens(line) if isinstance(line, TokensRecord) else (self._whole(line),):
            self._memory.note(record)
            yield record

    def _tokens(self, line: TokensRecord) -> Iterator[TokenRecord]:
        memory, texts = self._memory, iter(line.texts)
        every = len(line.texts) == len(line.ids)
        for place, token in enumerate(line.ids):
            if every or token not in memory.shown:
                shown = next(texts, None), (line.raw or {}).get(place)
            else:
                shown = memory.shown[token]
            forced: Origin = "forced_canonical" if place in (line.canonical or ()) else "forced_grammar"
            yield self._token(token, *shown, line.step, None, "decided" if line.joint else forced, line.joint)

    def _token(
        self, token: int, text: str | None, raw: str | None, step: int | None, path: str | None, origin: Origin,
        joint: bool | None, **detail: Any,
    ) -> TokenRecord:  # fmt: skip
        """Return a token; what its line leaves out is as the memory has it."""
        memory = self._memory
        if text is None:
            if token not in memory.shown:
                raise ValueError(f"token {token} has no text; lines before it are missing")
            text, raw = memory.shown[token]
        return TokenRecord(
            step=step or memory.step or 1, token_id=token, text=text, raw=raw,
            path=str(memory.path) if path is None else path, origin=origin, joint=joint, **detail,
        )  # fmt: skip

    def _weighed(self, line: WeighedRecord) -> TokenRecord:
        rivals = {name: getattr(line, name) for name in ("best_blocked", "best_rival")}
        rivals |= {name: best for name, best in bests(line).items() if name not in line.model_fields_set}
        return self._token(
            line.token_id, line.text, line.raw, line.step, line.path, line.origin, line.joint,
            top=line.top, cached=line.cached, **rivals, **line.measures._asdict(),
        )  # fmt: skip

    def _whole(self, line: Line) -> Record:
        memory, said = self._memory, line.model_fields_set
        match line:
            case HeaderRecord():
                self._memory = Memory(line.sentence)
            case WeighedRecord():
                return self._weighed(line)
            case TokenRecord():  # of version 1 or 2
                if unasked(line):
                    return line.model_copy(update={"joint": True if line.origin == "decided" else None})
                rivals = {name: best for name, best in bests(line).items() if name not in said}
                return line.model_copy(update=rivals)
            case ChoiceRecord() if "alternatives" not in said:
                return line.model_copy(update={"alternatives": memory.alternatives})
            case StepRecord():
                text = line.text if "text" in said else memory.text
                parsed = line.parsed if "parsed" in said else json_object(text)
                return line.model_copy(update={"text": text, "parsed": parsed})
            case ObservationRecord() if "args" not in said:
                return line.model_copy(update={"args": memory.args})
            case FinalRecord(correction=correction, omitted=omitted) if omitted:
                implied = {key: memory.correction[key] for key in omitted}
                return line.model_copy(update={"correction": implied | correction, "omitted": None})
        assert not isinstance(line, TokensRecord)
        return line
