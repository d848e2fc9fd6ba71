"""Cut a sentence into shallow noun phrases: a pronoun, or determiner, adjectives and nouns."""

from __future__ import annotations

from collections.abc import Sequence

from tutor.language.tokens import Token
from tutor.language.verb_chains import candidates, is_adverb
from tutor.language.word_classes import closed_class, function_words, shares

Span = tuple[int, int]

PERSONAL = closed_class("subject_pronoun") | closed_class("either_pronoun")
PRONOUNS = (
    PERSONAL
    | closed_class("object_pronoun")
    | closed_class("indefinite_pronoun")
    | closed_class("personal_possessive_pronoun")
    | closed_class("reflexive_pronoun")
)
DETERMINERS = closed_class("determiner") | closed_class("possessive") | closed_class("demonstrative")
_QUANTIFIERS = frozenset(
    "some any all both each many few several most more none enough half either neither".split()
)
_STANDALONE = closed_class("demonstrative") | _QUANTIFIERS | {"another", "much", "little", "other", "such"}
_PREPOSITIONS = closed_class("preposition")


def noun_phrases(tokens: tuple[Token, ...]) -> dict[int, Span]:
    """Return the noun phrases of a sentence by the position where they start; no two overlap."""
    found: dict[int, Span] = {}
    place = 0
    while place < len(tokens):
        end = noun_phrase_end(tokens, place)
        if end > place:
            found[place] = (place, end)
        place = max(end, place + 1)
    return found


def noun_phrase_end(tokens: tuple[Token, ...], start: int) -> int:
    """Return where the noun phrase that starts here ends; ``start`` if none does."""
    norm = tokens[start].norm
    if _is_verb(tokens, start):
        return start
    if norm in PRONOUNS and not (norm == "her" and _starts_nominal(tokens, start + 1)):
        return start + 1
    if norm in closed_class("demonstrative") and not _starts_nominal(tokens, start + 1):
        return start + 1 if norm != "that" or _is_verb(tokens, start + 1) else start
    place = start + 1 if norm in DETERMINERS else start
    while place < len(tokens) and (norm := tokens[place].norm) in closed_class("number") | _QUANTIFIERS | {
        "such", "the", "other", "little", "few", "much", "my", "his", "her", "their", "our", "your", "these", "those", "own",
    } and (place == start or norm not in ("the", "these", "those") or tokens[place - 1].norm in ("all", "both", "half")):  # fmt: skip
        place += 1
    end = place
    while place < len(tokens) and _is_nominal(tokens, place):
        if not is_adverb(tokens[place]):
            end = place + 1
        place += 1
    if end > start:
        has_determiner_only = end == start + 1 and tokens[start].norm in DETERMINERS
        if has_determiner_only and tokens[start].norm not in _STANDALONE:
            return start
    return end


def _starts_nominal(tokens: tuple[Token, ...], place: int) -> bool:
    if place >= len(tokens):
        return False
    return _is_nominal(tokens, place) or tokens[place].norm in closed_class("number") | {
        "own",
        "other",
        "few",
    }


def _is_nominal(tokens: tuple[Token, ...], place: int) -> bool:
    """Return whether a word can stand inside a noun phrase after its determiner."""
    token = tokens[place]
    if _is_verb(tokens, place):
        share = shares().get(token.norm)
        # "the broken window", "my sleeping dog": a participle before a noun modifies it
        return bool(
            share
            and token.norm.endswith(("ing", "ed", "en"))
            and place > 0
            and tokens[place - 1].norm in DETERMINERS
            and _is_plain_noun(tokens, place + 1)
        )
    if not token.is_word:
        hyphen = token.text == "-" and 0 < place < len(tokens) - 1
        glued = hyphen and tokens[place - 1].end == token.start and tokens[place + 1].start == token.end
        return token.text[0].isdigit() or token.text in "$€£%" or glued
    if token.norm == "'s":
        return place > 0 and tokens[place - 1].is_word
    if is_adverb(token):
        return place + 1 < len(tokens) and tokens[place + 1].is_word and _is_nominal(tokens, place + 1)
    return token.norm not in function_words() or token.norm in closed_class("number") | {
        "own",
        "other",
        "others",
        "one",
        "ones",
    }


def _is_plain_noun(tokens: Sequence[Token], place: int) -> bool:
    if place >= len(tokens) or not tokens[place].is_word or tokens[place].norm in function_words():
        return False
    share = shares().get(tokens[place].norm)
    return share is None or share.noun > 0.4


def _is_verb(tokens: tuple[Token, ...], place: int) -> bool:
    candidate = candidates(tokens).get(place)
    return candidate is not None and candidate.likely


def is_preposition(tokens: tuple[Token, ...], place: int) -> bool:
    """Return whether a word introduces a noun phrase: a preposition, or ``to`` without a verb after it."""
    if _is_verb(tokens, place):
        return False
    norm = tokens[place].norm
    if norm == "to":
        return not (place + 1 < len(tokens) and _is_verb(tokens, place + 1))
    return norm in _PREPOSITIONS
