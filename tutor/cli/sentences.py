"""Where the sentences come from: arguments, or lines of the standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

STDIN = "-"


def read_sentences(arguments: Sequence[str]) -> Iterator[str]:
    """Yield each argument, and in the place of ``-`` the lines of the standard input as they arrive.

    Lines are UTF-8; a byte that is not becomes U+FFFD. Blank lines are skipped: they get no answer.

    Parameters
    ----------
    arguments : sequence of str
        Sentences and ``-``; none at all means the standard input alone.
    """
    for argument in arguments or (STDIN,):
        if argument == STDIN:
            yield from _lines()
        else:
            yield argument.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _lines() -> Iterator[str]:
    for number, raw in enumerate(sys.stdin.buffer):
        line = raw.decode("utf-8-sig" if number == 0 else "utf-8", "replace").rstrip("\r\n")
        if line.strip():
            yield line
