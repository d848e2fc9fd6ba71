"""The M2 format of corrections (Dahlmeier & Ng 2012): a block of lines for each sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

Block = tuple[int, list[str]]
"""Number of the first line, from 1, and the lines that are not blank."""


def blocks(lines: Iterable[str]) -> Iterator[Block]:
    """Yield the blocks of lines between blank lines."""
    first, block = 1, list[str]()
    for number, line in enumerate(lines, start=1):
        if line := line.rstrip("\r\n"):
            first = first if block else number
            block.append(line)
        elif block:
            yield first, block
            block = []
    if block:
        yield first, block


def read_block(block: Sequence[str]) -> tuple[str, list[str]]:
    """Return the sentence of a block, tokens joined by spaces, and its correction by each annotator.

    Raises
    ------
    ValueError
        If the block is no sentence with its edits.
    """
    if block[0] != "S" and not block[0].startswith("S "):
        raise ValueError("a block begins with a sentence (S)")
    tokens = block[0][2:].split()
    edits: dict[str, list[tuple[int, int, list[str]]]] = {}
    for line in block[1:]:
        fields = line[2:].split("|||")
        if not line.startswith("A ") or len(fields) < 6:
            raise ValueError(f"not an edit (A) of six fields: {line[:80]!r}")
        start, end = map(int, fields[0].split())
        made = edits.setdefault(fields[5], [])
        if fields[1] != "noop" and start >= 0:
            if not start <= end <= len(tokens):
                raise ValueError(f"an edit of tokens {start} to {end} in a sentence of {len(tokens)}")
            made.append((start, end, [] if fields[2] == "-NONE-" else fields[2].split()))
    source = " ".join(tokens)
    return source, [_applied(tokens, made) for made in edits.values()] or [source]


def _applied(tokens: Sequence[str], edits: Iterable[tuple[int, int, list[str]]]) -> str:
    words = list(tokens)
    for start, end, text in sorted(edits, key=lambda edit: edit[:2], reverse=True):
        words[start:end] = text
    return " ".join(words)
