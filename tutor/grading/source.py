"""The input of a run: its format, its columns, and its rows as a stream."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, Literal, get_args

from tutor.evaluation.m2 import blocks, read_block
from tutor.grading.encoding import lines, survey
from tutor.grading.essays import digest, essay_rows, folder_rows
from tutor.grading.parquet import parquet_records
from tutor.grading.rows import Row, checked, is_valid
from tutor.grading.tables import Record, comma_separated, tab_separated

Format = Literal["txt", "csv", "tsv", "jsonl", "parquet", "m2", "docx", "essays"]

Among = Callable[[Sequence[str]], dict[str, str]]

_NAMES = {
    "text": ("text", "sentence", "source", "essay", "original"),
    "id": ("id",),
    "learner": ("learner", "student", "author"),
    "target": ("target", "references", "reference", "gold"),
    "date": ("date", "time", "timestamp"),
}


@dataclass(frozen=True, slots=True)
class Columns:
    """Names of the columns; None stands for the usual names."""

    text: str | None = None
    id: str | None = None
    learner: str | None = None
    target: str | None = None
    date: str | None = None

    def among(self, names: Sequence[str]) -> dict[str, str]:
        """Return which of some names stands for what.

        Raises
        ------
        ValueError
            If one that was asked for is missing, or there is none for the text.
        """
        if not names:
            raise ValueError("it is empty: there is no line that names the columns")
        folded = {name.strip().casefold(): name for name in reversed(names)}
        found: dict[str, str] = {}
        for role, usual in _NAMES.items():
            asked = getattr(self, role)
            fitting = [name for name in ([asked] if asked else usual) if name.strip().casefold() in folded]
            if fitting:
                found[role] = folded[fitting[0].strip().casefold()]
            elif asked or role == "text":
                there = ", ".join(map(repr, names[:20]))
                raise ValueError(f"no column {asked or usual[0]!r}; name one of {there} with --{role}")
        return found


@dataclass(frozen=True, slots=True)
class Source:
    """What is graded.

    Attributes
    ----------
    path : Path
        File or folder.
    name : str
        What it is called in the results.
    format : str
        How it is read.
    encoding : str or None
        How its text is encoded, where it is one file of text.
    sha256 : str
        Digest of what it holds.
    columns : Columns
        Names of the columns of a table.
    split : bool
        Whether texts are split into sentences.
    limit : int or None
        How many rows are read at most.
    """

    path: Path = field(compare=False)
    name: str
    format: Format
    encoding: str | None
    sha256: str
    columns: Columns
    split: bool
    limit: int | None

    def identity(self) -> dict[str, Any]:
        """Return all that the rows depend on."""
        return {name: value for name, value in asdict(self).items() if name != "path"}

    def rows(self) -> Iterator[Row]:
        """Yield the rows in order, bad ones with their problem; memory does not grow with their number.

        Raises
        ------
        ValueError
            If a table has no column for the text.
        """
        found = self._rows()
        return islice(map(checked, _split(found) if self.split else found), self.limit)

    def _rows(self) -> Iterator[Row]:
        match self.format:
            case "essays":
                return folder_rows(self.path)
            case "docx":
                return essay_rows(self.path, self.name, None)
            case "parquet":
                return self._records(parquet_records(self.path, self._among))
            case "jsonl":
                return self._records(_json_records(self._lines(), self.columns))
            case "csv" | "tsv":
                read = comma_separated if self.format == "csv" else tab_separated
                return self._records(_table_records(read(self._lines()), self._among))
            case "m2":
                return self._records(_m2_records(self._lines()))
            case "txt":
                stripped = (line.rstrip("\r\n") for line in self._lines())
                return self._records(
                    (n, {"text": text}) for n, text in enumerate(stripped, 1) if text.strip()
                )

    def _lines(self) -> Iterator[str]:
        return lines(self.path, self.encoding or "utf-8-sig")

    def _among(self, names: Sequence[str]) -> dict[str, str]:
        try:
            return self.columns.among(names)
        except ValueError as error:
            raise ValueError(f"{self.name}: {error}") from error

    def _records(self, records: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[Row]:
        for line, record in records:
            text, problem = record.get("text"), record.get("problem")
            if not isinstance(text, str):
                text, problem = "", problem or "no text"
            yield Row(
                self.name, line, text, id=_name(record.get("id")) or str(line),
                learner=_name(record.get("learner")), date=_name(record.get("date")),
                references=_references(record.get("target")), problem=problem,
            )  # fmt: skip


def open_source(
    path: Path, name: str, kind: Format | None, columns: Columns, split: bool | None, limit: int | None
) -> Source:
    """Return what there is to grade, after one pass over its bytes.

    Parameters
    ----------
    path : Path
        File or folder of essays.
    name : str
        What it is called in the results.
    kind : str, optional
        Its format; by its ending unless given.
    columns : Columns
        Names of the columns of a table.
    split : bool or None
        Whether to split texts into sentences; None does so for essays and Word documents.
    limit : int or None
        How many rows to read at most.

    Raises
    ------
    ValueError
        If the format is unknown, or whole texts have corrections and are to be split.
    """
    if path.is_dir():
        kind, encoding, content = "essays", None, digest(path)
    else:
        kind = kind or _by_ending(path)
        surveyed = survey(path)
        encoding, content = None if kind in ("parquet", "docx") else surveyed.encoding, surveyed.sha256
    split = kind in ("essays", "docx") if split is None else split
    if split and (columns.target or kind == "m2"):
        raise ValueError(f"{name}: its corrections are of whole texts; leave --split out")
    return Source(path, name, kind, encoding, content, columns, split, limit)


def _by_ending(path: Path) -> Format:
    ending = path.suffix.lower().removeprefix(".")
    formats: dict[str, Format] = {each: each for each in get_args(Format) if each != "essays"}
    if kind := formats.get(ending):
        return kind
    raise ValueError(f"{path}: .{ending} is none of {', '.join(formats)}; say which one it is with --format")


def _table_records(records: Iterator[Record], among: Among) -> Iterator[tuple[int, dict[str, Any]]]:
    _, header, _ = next(records, (1, [], None))
    places = {role: header.index(name) for role, name in among(header).items()}
    for line, cells, problem in records:
        while len(cells) > len(header) and not cells[-1].strip():
            cells.pop()
        if len(cells) != len(header):
            problem = problem or f"{len(cells)} cells where the first line has {len(header)}"
        found: dict[str, Any] = {role: cells[at] for role, at in places.items() if at < len(cells)}
        yield line, found | {"problem": problem}


def _json_records(found: Iterable[str], columns: Columns) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(found, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            if not isinstance(record, Mapping):
                raise ValueError("not an object")
            yield number, {role: record[name] for role, name in columns.among(list(record)).items()}
        except (ValueError, RecursionError) as error:
            yield (
                number,
                {
                    "text": line.strip(),
                    "problem": f"not a JSON object with a text: {getattr(error, 'msg', error)}",
                },
            )


def _m2_records(found: Iterable[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, block in blocks(found):
        try:
            source, references = read_block(block)
            yield number, {"text": source, "target": references}
        except ValueError as error:
            yield number, {"text": block[0], "problem": f"not M2: {error}"}


def _name(value: object) -> str | None:
    """Return an id, a learner or a date as text."""
    return str(value) if value is not None and str(value).strip() else None


def _references(value: object) -> tuple[str, ...]:
    given = value if isinstance(value, list) else [value]
    return tuple(each for each in given if isinstance(each, str) and each.strip())


def _split(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield a row for each sentence of each text."""
    from sentencex import segment

    for row in rows:
        if row.problem or not is_valid(row.text):
            yield row
            continue
        sentences = [text for piece in segment("en", row.text) if (text := piece.strip())]
        for number, sentence in enumerate(sentences, start=1):
            yield replace(row, text=sentence, id=f"{row.id}.{number}", references=())
        if not sentences:
            yield row
