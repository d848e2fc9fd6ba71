"""What is wrong in a sentence but is no verb group, found by rules that rather miss than mistake."""

from __future__ import annotations

from collections.abc import Sequence

from tutor.language.issue import Issue
from tutor.language.phrase_issues import double_negation, wrong_articles, wrong_idioms, wrong_plurals
from tutor.language.tokens import Token
from tutor.language.word_issues import missing_capitals, missing_final_mark, misspelled_words, repeated_words

__all__ = ["Issue", "additional_issues"]

_DETECTORS = (
    wrong_plurals,
    wrong_idioms,
    double_negation,
    wrong_articles,
    misspelled_words,
    missing_capitals,
    repeated_words,
    missing_final_mark,
)


def additional_issues(sentence: str, tokens: Sequence[Token]) -> tuple[Issue, ...]:
    """Return the issues of a sentence in order of position; of two that overlap, the more specific.

    Parameters
    ----------
    sentence : str
        The sentence.
    tokens : sequence of Token
        Its tokens.
    """
    found: list[Issue] = []
    for detector in _DETECTORS:
        for issue in detector(sentence, tuple(tokens)):
            if all(issue.end <= other.start or issue.start >= other.end for other in found):
                found.append(issue)
    return tuple(sorted(found, key=lambda issue: issue.start))
