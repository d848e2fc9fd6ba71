"""Places where a base form is a learner's verb rather than a noun: "am concern about", "need test it"."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from tutor.language.lexicon import AUXILIARY_LEMMAS, lemmas, paradigm, word_count
from tutor.language.tokens import Token
from tutor.language.word_classes import closed_class, shares

_BE, _HAVE = closed_class("be"), closed_class("have")
_OBJECTS = frozenset().union(
    *(closed_class(name) for name in ("determiner", "possessive", "object_pronoun", "reflexive_pronoun"))
) | {"it", "you", "this", "that", "these", "those"}
_PHRASES = frozenset().union(
    *(closed_class(name) for name in ("preposition", "subordinator", "coordinator", "adverb"))
) - {"of"}
_PREPOSITIONS = closed_class("preposition") - {"to", "than", "like", "as"}
_TAKE_INFINITIVES = frozenset(
    {
        *("want", "need", "try", "like", "love", "hope", "decide", "plan", "refuse", "learn", "agree"),
        *("forget", "manage", "wish", "prefer", "expect", "promise", "afford", "choose", "attempt"),
    }
)
_USUAL_PARTICIPLE = 0.15
"""A verb whose participle is used this often, against its base, is more than a noun that may be a verb."""


def selection_log_odds(tokens: Sequence[Token], place: int) -> float:
    """Return the log-odds that a base form gains where no noun could stand but a verb in another form could.

    Parameters
    ----------
    tokens : sequence of Token
        The sentence.
    place : int
        Position of a form that can be a verb.
    """
    norm = tokens[place].norm
    if place == 0 or norm not in lemmas(norm) or norm in AUXILIARY_LEMMAS:
        return 0.0
    before = _before(tokens, place)
    after = tokens[place + 1].norm if place + 1 < len(tokens) else "."
    governs = after in _OBJECTS
    if before in _BE:
        ends = governs or after in _PHRASES or not after[0].isalpha()
        return 5.0 if ends and not _is_adjective(norm) and _has_usual_participle(norm) else 0.0
    if not governs:
        return 0.0
    if before in _HAVE | _PREPOSITIONS or not _TAKE_INFINITIVES.isdisjoint(lemmas(before)):
        return 3.0
    return 3.0 if _is_adjective(before) and any(token.norm in _BE for token in tokens[:place]) else 0.0


def _before(tokens: Sequence[Token], place: int) -> str:
    """Return the word before a place, adverbs left out."""
    index = place - 1
    while index > 0 and tokens[index].norm in closed_class("adverb"):
        index -= 1
    return tokens[index].norm


def _is_adjective(norm: str) -> bool:
    share = shares().get(norm)
    return share is not None and share.adjective > 0.2


@lru_cache(maxsize=16384)
def _has_usual_participle(base: str) -> bool:
    participle = paradigm(base).participle
    return max(map(word_count, participle)) >= _USUAL_PARTICIPLE * word_count(base)
