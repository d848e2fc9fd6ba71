"""Which candidates are right: those whose change of the sentence a reference makes too."""

from __future__ import annotations

from tutor.evaluation.rightness import is_right
from tutor.training.weighed import WeighedSentence


def rightness(sentence: WeighedSentence) -> list[list[bool]]:
    """Return for each candidate of each stretch whether one reference makes all of its edits."""
    return [
        [
            is_right(sentence.source, sentence.references, candidate.start, candidate.end, candidate.text)
            for candidate in stretch
        ]
        for stretch in sentence.stretches
    ]
