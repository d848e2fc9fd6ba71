"""The lattice of a choice: the sentence in pieces, with the ways that a stretch of it may go."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tutor.tracing.records import Alternative

ARROW = " -> "
_NOT = r"n['’]t\b|not\b"  # what an auxiliary is joined with: "don't", "cannot"


@dataclass(slots=True)
class _Stretch:
    """Characters of the sentence for which alternatives compete."""

    start: int
    end: int
    rivals: list[tuple[int, int, str, Alternative]] = field(default_factory=list)


def lattice(alternatives: Sequence[Alternative], sentence: str) -> list[str | dict[str, Any]] | None:
    """Return the sentence in pieces, or None where the alternatives are no changes of it.

    Parameters
    ----------
    alternatives : sequence of Alternative
        Changes ``goed -> went`` in the order of the sentence, and the sentence itself.
    sentence : str
        The sentence.

    Returns
    -------
    list
        Text that stays, and for each stretch that may change ``{"ways": [...]}``, likeliest first: its text, the probability
        that it is right, whether it was chosen and whether it is what was written.
    """
    stretches: list[_Stretch] = []
    seen: set[tuple[int, str]] = set()
    for alternative in alternatives:
        if alternative.text == sentence:
            continue
        written, arrow, replacement = alternative.text.rpartition(ARROW)
        start = _place(sentence, written, replacement, stretches, seen)
        if not arrow or start is None:
            return None
        seen.add((start, alternative.text))
        _put(stretches, start, start + len(written), replacement, alternative)
    if not stretches:
        return None
    pieces: list[str | dict[str, Any]] = []
    end = 0
    for stretch in stretches:
        pieces += [sentence[end : stretch.start], {"ways": _ways(stretch, sentence)}]
        end = stretch.end
    return [*pieces, sentence[end:]]


def _place(
    sentence: str, written: str, replacement: str, stretches: list[_Stretch], seen: set[tuple[int, str]]
) -> int | None:
    """Return where a change applies: the records name what is replaced, stretch by stretch, but not its place."""
    before = r"(?<!\w)" if written[:1].isalnum() else ""
    words = re.compile(f"{before}{re.escape(written)}(?!(?!{_NOT})\\w)")
    for found in words.finditer(sentence, stretches[-1].start if stretches else 0):
        if (found.start(), f"{written}{ARROW}{replacement}") not in seen:
            return found.start()
    return None


def _put(stretches: list[_Stretch], start: int, end: int, replacement: str, alternative: Alternative) -> None:
    if not stretches or start >= stretches[-1].end:
        stretches.append(_Stretch(start, end))
    last = stretches[-1]
    last.start, last.end = min(last.start, start), max(last.end, end)
    last.rivals.append((start, end, replacement, alternative))


def _ways(stretch: _Stretch, sentence: str) -> list[dict[str, Any]]:
    ways = [
        {
            "text": sentence[stretch.start : start] + replacement + sentence[end : stretch.end],
            "probability": alternative.probability,
            "chosen": alternative.chosen,
            "written": False,
        }
        for start, end, replacement, alternative in stretch.rivals
    ]
    ways.append({
        "text": sentence[stretch.start : stretch.end],
        "probability": max(0.0, 1 - sum(alternative.probability for *_, alternative in stretch.rivals)),
        "chosen": not any(alternative.chosen for *_, alternative in stretch.rivals),
        "written": True,
    })  # fmt: skip
    return sorted(ways, key=lambda way: -way["probability"])
