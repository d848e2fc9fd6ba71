"""Rows of CSV and TSV files, their delimiter sniffed, their broken quotes contained."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterable, Iterator

from tutor.grading.encoding import LONGEST

_DELIMITERS = ",;\t|"

Record = tuple[int, list[str], str | None]
"""Line where it begins, cells, and why it cannot be used."""


def sniffed(header: str) -> str:
    """Return the delimiter that splits a header line into most cells."""
    return max(_DELIMITERS, key=lambda mark: len(next(csv.reader([header], delimiter=mark), [])))


def tab_separated(lines: Iterable[str]) -> Iterator[Record]:
    """Yield the records of a TSV file, in which quotes are text (IANA text/tab-separated-values)."""
    for number, line in enumerate(lines, start=1):
        if text := line.rstrip("\r\n"):
            yield number, text.split("\t"), None


def comma_separated(lines: Iterable[str]) -> Iterator[Record]:
    """Yield the records of a CSV file; the first line says by its number of cells which delimiter it is.

    A quoted cell may go over many lines. Where a quote is not closed, or is closed within a cell, only the line in which it
    opens is lost: reading goes on behind it.
    """
    csv.field_size_limit(LONGEST)
    coming = iter(lines)
    again: deque[str] = deque()
    delimiter, number = "", 1
    while line := again.popleft() if again else next(coming, ""):
        delimiter = delimiter or sniffed(line)
        if '"' not in line:
            if text := line.rstrip("\r\n"):
                yield number, text.split(delimiter), None
            number += 1
            continue
        taken: list[str] = []
        reader = csv.reader(_taking(line, again, coming, taken), delimiter=delimiter, strict=True)
        try:
            cells = next(reader)
        except csv.Error as error:
            again.extendleft(reversed(taken[1:]))
            yield number, line.rstrip("\r\n").split(delimiter), f"not CSV: {error}"
            number += 1
        else:
            yield number, cells, None
            number += len(taken)


def _taking(first: str, again: deque[str], coming: Iterator[str], taken: list[str]) -> Iterator[str]:
    """Yield a line and those after it, and keep in `taken` what was asked for."""
    line = first
    while line:
        taken.append(line)
        yield line
        line = again.popleft() if again else next(coming, "")
