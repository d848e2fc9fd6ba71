"""A file of results, one JSON line a sentence, that an interrupted job goes on from."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Generic, Protocol, Self, TypeVar

from tutor.evaluation.readers import Item, read, targets


class Row(Protocol):
    """A result: a pydantic model that names its set and its sentence."""

    @property
    def set(self) -> str:
        """Name of the evaluation set."""

    @property
    def source(self) -> str:
        """The sentence."""

    def model_dump_json(self) -> str:
        """Write the row as JSON."""

    @classmethod
    def model_validate_json(cls, json_data: str) -> Self:
        """Read the row from JSON."""


R = TypeVar("R", bound=Row)

NamedItem = tuple[str, Item]
"""A sentence with the name of its set."""


def named_items(
    paths: Iterable[Path], limit: int | None = None, seed: int = 0, *, with_targets: bool = False
) -> list[NamedItem]:
    """Return the sentences of evaluation sets, each named after its file.

    Parameters
    ----------
    paths : iterable of Path
        The files.
    limit : int, optional
        Draw this many of each set; a larger sample holds the smaller one.
    seed : int
        Seed of the draw.
    with_targets : bool
        After each set add its corrections as a set to leave alone, ``NAME_targets``.

    Raises
    ------
    ValueError
        If a file does not fit, or two files have the same name.
    """
    found: dict[str, list[Item]] = {}
    for path in paths:
        if path.stem in found:
            raise ValueError(
                f"{path}: another file is named {path.stem} too; sets are told apart by their names"
            )
        items = read(path)
        found[path.stem] = items
        if with_targets:
            found[f"{path.stem}_targets"] = targets(items)
    if limit is not None:
        for items in found.values():
            random.Random(seed).shuffle(items)
    return [(name, item) for name, items in found.items() for item in items[:limit]]


class Ledger(Generic[R]):
    """The results of a job so far.

    Parameters
    ----------
    path : Path or None
        The file; a last line that was cut off is dropped. None keeps the results in memory only.
    kind : type
        What a line holds.

    Raises
    ------
    ValueError
        If another line does not fit.
    """

    def __init__(self, path: Path | None, kind: type[R]) -> None:
        self._path = path
        self._rows: dict[tuple[str, str], R] = {}
        if path is None or not path.is_file():
            return
        whole, end, _ = path.read_bytes().rpartition(b"\n")
        with path.open("r+b") as file:
            file.truncate(len(whole + end))
        for number, line in enumerate(whole.decode("utf-8").split("\n") if end else (), start=1):
            try:
                row = kind.model_validate_json(line)
            except ValueError as error:
                raise ValueError(
                    f"{path}: line {number} is none of this job's; choose another folder"
                ) from error
            self._rows[row.set, row.source] = row

    def fill(
        self, items: Sequence[NamedItem], work: Callable[[Sequence[NamedItem]], Iterator[R]]
    ) -> Iterator[R]:
        """Do the work on those items that have no result yet, and yield each result once it is kept."""
        for row in work([(name, item) for name, item in items if (name, item.source) not in self._rows]):
            self._rows[row.set, row.source] = row
            if self._path is not None:
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(row.model_dump_json() + "\n")
            yield row

    def missing(self, items: Iterable[NamedItem]) -> int:
        """Return how many of the items have no result yet."""
        return sum((name, item.source) not in self._rows for name, item in items)

    def rows(self, items: Iterable[NamedItem]) -> list[R]:
        """Return the results of items, in their order, whenever they were made."""
        return [self._rows[name, item.source] for name, item in items]
