"""Read evaluation sets: sentences with the corrections that people accept."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from tutor.evaluation.m2 import blocks, read_block
from tutor.planner.steps import ToolCall


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence to correct.

    Attributes
    ----------
    source : str
        The sentence as written.
    references : tuple of str
        Every accepted correction, the first one preferred; just the source itself if it is right.
    calls : tuple of ToolCall or None
        The tool calls of a good run, where the set is of oracle traces.
    """

    source: str
    references: tuple[str, ...]
    calls: tuple[ToolCall, ...] | None = None

    @property
    def is_correct(self) -> bool:
        """Whether nothing may be changed."""
        return set(self.references) == {self.source}


def read(path: Path) -> list[Item]:
    """Read an evaluation set; rows that share a source become one item with several references.

    Parameters
    ----------
    path : Path
        ``.tsv`` with columns ``source`` and ``target``, optionally ``accepted`` (joined by a bar);
        ``.m2``; or ``.jsonl`` with ``source`` and either ``target`` or ``references``, optionally ``steps``, each of a
        ``tool`` and its ``args``.

    Raises
    ------
    ValueError
        If the file is of another kind, or a row does not fit.
    """
    readers = {".tsv": _tsv, ".m2": _m2, ".jsonl": _jsonl}
    reader = readers.get(path.suffix)
    if reader is None:
        raise ValueError(f"{path}: neither .tsv, .m2 nor .jsonl")
    merged: dict[str, dict[str, None]] = {}
    calls: dict[str, tuple[ToolCall, ...]] = {}
    with path.open(encoding="utf-8", newline="") as lines:
        try:
            for source, references, steps in reader(lines):
                merged.setdefault(source, {}).update(dict.fromkeys(references))
                if steps is not None:
                    calls[source] = steps
        except UnicodeDecodeError as error:
            raise ValueError(f"{path}: not UTF-8 text") from error
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error
    return [Item(source, tuple(found), calls.get(source)) for source, found in merged.items()]


def targets(items: Iterable[Item]) -> list[Item]:
    """Return the preferred corrections as sentences to leave alone, each once."""
    right = dict.fromkeys(item.references[0] for item in items)
    return [Item(sentence, (sentence,)) for sentence in right]


_Row = tuple[str, Sequence[str], tuple[ToolCall, ...] | None]


def _tsv(lines: Iterable[str]) -> Iterator[_Row]:
    rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    if not {"source", "target"} <= set(rows.fieldnames or ()):
        raise ValueError("the first line must name the columns 'source' and 'target'")
    for number, row in enumerate(rows, start=2):
        if row["source"] is None or row["target"] is None:
            raise ValueError(f"line {number}: too few columns")
        accepted = (row.get("accepted") or "").split("|")
        yield row["source"], [row["target"], *filter(None, accepted)], None


def _jsonl(lines: Iterable[str]) -> Iterator[_Row]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise ValueError(f"line {number}: not JSON ({error.msg})") from error
        if not isinstance(row, dict) or not isinstance(row.get("source"), str):
            raise ValueError(f"line {number}: no 'source'")
        references = row.get("references", [row.get("target")])
        if (
            not isinstance(references, list)
            or not references
            or not all(isinstance(r, str) for r in references)
        ):
            raise ValueError(f"line {number}: neither a 'target' nor a list of 'references'")
        yield row["source"], references, _steps(row.get("steps"), number)


def _steps(steps: object, number: int) -> tuple[ToolCall, ...] | None:
    if steps is None:
        return None
    try:
        if isinstance(steps, list):
            return tuple(ToolCall.model_validate(step) for step in steps)
    except ValidationError:
        pass
    raise ValueError(f"line {number}: 'steps' is no list of objects with a 'tool' and its 'args'")


def _m2(lines: Iterable[str]) -> Iterator[_Row]:
    """Yield sentences of an M2 file, each with one reference an annotator (tokens joined by spaces)."""
    for number, block in blocks(lines):
        try:
            source, references = read_block(block)
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from error
        yield source, references, None
