"""Whether a single change is right: a reference makes it too."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache

_WORD = re.compile(r"\w+|[^\w\s]")

WordEdit = tuple[int, int, str]


@lru_cache(maxsize=100_000)
def word_edits(source: str, target: str) -> frozenset[WordEdit]:
    """Return the edits between two sentences as word spans of the source and what stands there instead."""
    a, b = _WORD.findall(source), _WORD.findall(target)
    codes = SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    return frozenset((i1, i2, " ".join(b[j1:j2])) for tag, i1, i2, j1, j2 in codes if tag != "equal")


def is_right(source: str, references: Sequence[str], start: int, end: int, text: str) -> bool:
    """Tell whether one of the references makes all the word edits that a replacement makes.

    Parameters
    ----------
    source : str
        The sentence as written.
    references : sequence of str
        Its accepted corrections.
    start, end : int
        Characters of the source that are replaced.
    text : str
        What stands there instead.
    """
    made = word_edits(source, source[:start] + text + source[end:])
    return bool(made) and any(made <= word_edits(source, reference) for reference in references)
