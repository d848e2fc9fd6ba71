"""Results as CSV for a spreadsheet: one line a sentence, and no cell that is a formula."""

from __future__ import annotations

import csv
import io
from typing import IO, Any

COLUMNS = (
    "id", "learner", "date", "file", "line", "status", "sentence", "corrected", "changes", "reasons", "spanish_gloss",
    "other_issues", "message",
)  # fmt: skip
_FORMULA = tuple("=+-@\t\r\n＝＋－＠")
_LONGEST = 32_000
"""Characters of a cell that every spreadsheet takes."""


class CsvSink:
    """Writes results as CSV in UTF-8 with its mark, each cell in quotes.

    Parameters
    ----------
    stream : binary file
        Where they go.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._stream.write("\N{ZERO WIDTH NO-BREAK SPACE}".encode())
        self._write(COLUMNS)

    def add(self, row: dict[str, Any]) -> None:
        """Take a row of the results."""
        changes = [
            f"{edit['original']} → {edit['replacement']} ({edit['type']}, {edit['confidence']:.0%})"
            for edit in row["edits"]
        ]
        issues = [issue["message"] for issue in row["additional_issues"]]
        flat = row | {"changes": "; ".join(changes), "reasons": "\n".join(row["rationale"])}
        flat |= {"other_issues": "\n".join(issues)}
        self._write([safe(flat[name]) for name in COLUMNS])

    def _write(self, cells: tuple[str, ...] | list[str | int]) -> None:
        line = io.StringIO()
        csv.writer(line, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n").writerow(cells)
        self._stream.write(line.getvalue().encode())


def safe(value: Any) -> str | int:
    """Return a cell that a spreadsheet shows and does not calculate (OWASP, CSV injection).

    A text that begins as a formula does, white space or not before it, gets an apostrophe in front.
    """
    if value is None or isinstance(value, int):
        return "" if value is None else value
    text = str(value).replace("\0", "\N{SYMBOL FOR NULL}")[:_LONGEST]
    return f"'{text}" if text.startswith(_FORMULA) or text.lstrip().startswith(_FORMULA) else text
