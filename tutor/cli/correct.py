"""``tutor correct``: sentences in, grounded corrections out."""

from __future__ import annotations


def correct() -> None:
    """Correct the verbs of English sentences."""
