"""Traces on disk: JSON lines, written as the run goes, read back as runs and steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import ValidationError

from tutor.tracing.compact import Compactor, token_bytes
from tutor.tracing.expand import Expander
from tutor.tracing.lines import LINE
from tutor.tracing.records import (
    SCHEMA_VERSION,
    ChoiceRecord,
    FinalRecord,
    HeaderRecord,
    Level,
    ObservationRecord,
    Record,
    StepRecord,
    TokenRecord,
)


class TraceError(ValueError):
    """A file that is no trace, or one that this version cannot read."""


class TraceWriter:
    """Writes records as they come; a crash loses at most the last line.

    The tokens that the model was not asked about wait for the next record, as they share a line.

    Parameters
    ----------
    path : Path
        File to write; one that exists is replaced.
    level : Level
        What to keep: at `Level.steps` the records of tokens and choices are left out.
    """

    def __init__(self, path: Path, level: Level = Level.decisions) -> None:
        self.level = level
        self._compactor = Compactor(level)
        self._file = path.open("wb", buffering=0)

    def write(self, record: Record) -> None:
        """Write what is complete with one more record, straight to the operating system."""
        if self.level is not Level.off and (lines := b"".join(self._compactor.lines(record))):
            self._file.write(lines)

    def close(self) -> None:
        """Write what waits and close the file."""
        self._file.write(b"".join(self._compactor.rest()))
        self._file.close()

    def __enter__(self) -> Self:
        """Return the writer."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        self.close()


@dataclass(slots=True)
class StepTrace:
    """The records of one step; `step` is missing where a crash cut it short."""

    number: int
    tokens: list[TokenRecord] = field(default_factory=list)
    choices: list[ChoiceRecord] = field(default_factory=list)
    step: StepRecord | None = None
    observation: ObservationRecord | None = None

    @property
    def text(self) -> str:
        """The step's JSON, as far as it goes."""
        if self.step is not None:
            return self.step.text
        return b"".join(token_bytes(token) for token in self.tokens).decode("utf-8", "replace")


@dataclass(slots=True)
class RunTrace:
    """The records of one run; `final` is missing where a crash cut it short."""

    header: HeaderRecord
    steps: list[StepTrace] = field(default_factory=list)
    final: FinalRecord | None = None

    def step(self, number: int) -> StepTrace:
        """Return the step of that number, a new one if there is none yet."""
        for step in self.steps:
            if step.number == number:
                return step
        self.steps.append(StepTrace(number))
        return self.steps[-1]

    def add(self, record: Record) -> None:
        """Put a record where it belongs."""
        match record:
            case TokenRecord():
                self.step(record.step).tokens.append(record)
            case ChoiceRecord():
                self.step(record.step).choices.append(record)
            case StepRecord():
                self.step(record.number).step = record
            case ObservationRecord():
                self.step(record.step).observation = record
            case FinalRecord():
                self.final = record


def read_records(path: Path) -> Iterator[Record]:
    """Yield the records of a trace file as they were written, whatever its lines leave out; a last line without end is skipped.

    Raises
    ------
    TraceError
        If a line is no record, or a header names a newer schema version than this one.
    """
    expander = Expander()
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                return  # the writer ends each record with its newline: this one was cut off
            try:
                record = LINE.validate_json(line)
            except ValidationError as error:
                first = error.errors()[0]
                where = ".".join(str(part) for part in first["loc"])
                raise TraceError(
                    f"{path}, line {number}: not a trace record" + (f" ({where})" if where else "")
                ) from error
            if isinstance(record, HeaderRecord) and record.schema_version > SCHEMA_VERSION:
                raise TraceError(
                    f"{path}, line {number}: schema version {record.schema_version} is newer than "
                    f"{SCHEMA_VERSION}; upgrade tutor to read it"
                )
            try:
                yield from expander.records(record)
            except ValueError as error:
                raise TraceError(f"{path}, line {number}: {error}") from error


def read_runs(path: Path) -> Iterator[RunTrace]:
    """Yield the runs of a trace file in order, the last one as far as it goes.

    Raises
    ------
    TraceError
        As `read_records`, or if the file does not begin with a header.
    """
    run: RunTrace | None = None
    for record in read_records(path):
        if isinstance(record, HeaderRecord):
            if run is not None:
                yield run
            run = RunTrace(record)
        elif run is None:
            raise TraceError(f"{path}: a trace begins with a header, this file with {record.event!r}")
        else:
            run.add(record)
    if run is not None:
        yield run
