"""Whether a sentence is one that the tutor can correct."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from tutor.language.tokens import Token


class ScopeReason(StrEnum):
    """Why a sentence is out of scope."""

    no_verb = "no verb"


def scope_reasons(sentence: str, tokens: Sequence[Token], scope: str = "all") -> tuple[ScopeReason, ...]:
    """Return the reasons that hold."""
    return () if tokens else (ScopeReason.no_verb,)
