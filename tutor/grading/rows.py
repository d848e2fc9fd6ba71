"""A row of the input: a text, where it stands, and what is known about it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tutor.agent.tutor import MAX_CHARACTERS

MAX_NAME = 200
"""Characters of an id, a learner or a date that are kept."""
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Row:
    """A text to correct.

    Attributes
    ----------
    file : str
        File that it comes from.
    line : int
        Line or row of the file where it begins, from 1.
    text : str
        The text; of a bad row, what could be read of it.
    id : str
        What the input calls it, or else its position.
    learner, date : str or None
        Who wrote it, and when.
    references : tuple of str
        Accepted corrections.
    problem : str or None
        Why the row cannot be corrected.
    """

    file: str
    line: int
    text: str
    id: str
    learner: str | None = None
    date: str | None = None
    references: tuple[str, ...] = ()
    problem: str | None = None


def checked(row: Row) -> Row:
    """Return the row as valid Unicode of bounded length; what is wrong with its text becomes its problem."""
    problem = row.problem
    if problem is None and not is_valid(row.text):
        problem = "the text holds bytes that its encoding does not know, or half of a surrogate pair"
    if problem is None and len(row.text) > MAX_CHARACTERS:
        problem = f"the text has {len(row.text)} characters; at most {MAX_CHARACTERS} are read: split it"
    return replace(
        row,
        text=valid(row.text[:MAX_CHARACTERS]),
        id=valid(row.id[:MAX_NAME]),
        learner=row.learner and valid(row.learner[:MAX_NAME]),
        date=row.date and valid(row.date[:MAX_NAME]),
        references=tuple(valid(text[:MAX_CHARACTERS]) for text in row.references),
        problem=problem,
    )


def is_valid(text: str) -> bool:
    """Return whether the text can be written as UTF-8."""
    return not _SURROGATE.search(text)


def valid(text: str) -> str:
    """Return the text with U+FFFD for each half of a surrogate pair, so that it can be written as UTF-8."""
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)
