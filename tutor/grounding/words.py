"""What the checker takes for a verb, an auxiliary and a clitic. Its own reading, not the planner's."""

from __future__ import annotations

from tutor.language.morphology import learner_lemmas, lemmas
from tutor.language.tokens import Token

MODAL_LEMMAS = frozenset(
    {"can", "could", "will", "would", "shall", "should", "may", "might", "must", "ought"}
)
ALWAYS_AT_HAND = frozenset({"be", "do", "have"})
AUXILIARY_LEMMAS = MODAL_LEMMAS | ALWAYS_AT_HAND

_CLITIC_LEMMAS = {"'s": ("be", "have"), "'d": ("have", "will", "would")}
APOSTROPHES = "'’ʼ‘`´"


def straight(text: str) -> str:
    """Return the text with every kind of apostrophe made straight."""
    return text.translate(dict.fromkeys(map(ord, APOSTROPHES), "'"))


def verb_lemmas(token: Token) -> tuple[str, ...]:
    """Return every lemma that a token may be a form of, or a learner's attempt at a form of."""
    if not token.is_word:
        return ()
    found = _CLITIC_LEMMAS.get(token.norm) or (*lemmas(token.norm), *learner_lemmas(token.norm))
    if token.norm in AUXILIARY_LEMMAS and token.norm not in found:  # "could" is a form of "can", and itself
        found = (*found, token.norm)
    return tuple(dict.fromkeys(found))


def can_precede_head(token: Token) -> bool:
    """Return whether a token may stand in a verb group before its head: an auxiliary, "to" or "not"."""
    return token.norm in ("to", "not") or not AUXILIARY_LEMMAS.isdisjoint(verb_lemmas(token))


def is_clitic(token: Token) -> bool:
    """Return whether a token is written onto the word before it: ``'s``, ``'ll``, ``n't``."""
    text = straight(token.text)
    return text.startswith("'") or text.lower() == "n't"


def is_negative_clitic(token: Token) -> bool:
    """Return whether a token is ``n't``."""
    return straight(token.text).lower() == "n't"
