"""Which candidates are right: those whose change of the sentence a reference makes too."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from tutor.training.weighed import WeighedSentence

_WORD = re.compile(r"\w+|[^\w\s]")

WordEdit = tuple[int, int, str]


def word_edits(source: str, target: str) -> frozenset[WordEdit]:
    """Return the edits between two sentences as word spans of the source and what stands there instead."""
    a, b = _WORD.findall(source), _WORD.findall(target)
    codes = SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    return frozenset((i1, i2, " ".join(b[j1:j2])) for tag, i1, i2, j1, j2 in codes if tag != "equal")


def rightness(sentence: WeighedSentence) -> list[list[bool]]:
    """Return for each candidate of each stretch whether one reference makes all of its edits."""
    wanted = [word_edits(sentence.source, reference) for reference in sentence.references]
    result = []
    for stretch in sentence.stretches:
        row = []
        for candidate in stretch:
            text = sentence.source[: candidate.start] + candidate.text + sentence.source[candidate.end :]
            made = word_edits(sentence.source, text)
            row.append(bool(made) and any(made <= edits for edits in wanted))
        result.append(row)
    return result
