"""The subjunctive: verb forms that agree with no subject, and are right ("if I were", "suggest that he go")."""

from __future__ import annotations

from collections.abc import Sequence

from tutor.language.lexicon import lemmas
from tutor.language.tokens import Token

_UNREAL = frozenset(
    {"if", "wish", "wishes", "wished", "though", "unless", "suppose", "supposing", "imagine", "were"}
)
_DEMANDS = frozenset(
    {"suggest", "recommend", "insist", "demand", "require", "request", "propose", "urge", "prefer"}
)
_DEMANDING = frozenset(
    {
        *(
            "essential",
            "important",
            "necessary",
            "vital",
            "crucial",
            "imperative",
            "better",
            "best",
            "desirable",
        ),
        *(
            "suggestion",
            "recommendation",
            "demand",
            "requirement",
            "request",
            "proposal",
            "condition",
            "possibility",
        ),
    }
)
_REACH = 8
"""Words before the verb among which the word that asks for the subjunctive stands."""


def is_subjunctive(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a finite form may stand for every person where it is.

    Parameters
    ----------
    tokens : sequence of Token
        The sentence.
    place : int
        Position of the verb, or of its first auxiliary.
    """
    norm, before = tokens[place].norm, [token.norm for token in tokens[max(0, place - _REACH) : place]]
    if norm in ("were", "was"):
        return norm == "were" and not _UNREAL.isdisjoint(before)
    if norm != "be" and norm not in lemmas(norm):
        return False
    if "lest" in before:
        return True
    words = before[: before.index("that")] if "that" in before else before
    return any(word in _DEMANDING or not _DEMANDS.isdisjoint(lemmas(word)) for word in words)
