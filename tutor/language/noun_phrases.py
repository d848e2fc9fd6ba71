"""Shallow noun phrases: a pronoun, or determiner, adjectives and nouns."""

from __future__ import annotations

from tutor.language.tagged import Tagged, is_adverb
from tutor.language.word_classes import closed_class, function_words, shares

Span = tuple[int, int]

_PRONOUNS = frozenset().union(
    *(
        closed_class(f"{kind}_pronoun")
        for kind in ("subject", "object", "either", "indefinite", "personal_possessive", "reflexive")
    )
)
_DETERMINERS = closed_class("determiner") | closed_class("possessive") | closed_class("demonstrative")
_NUMBERS = closed_class("number")
_BETWEEN_DETERMINER_AND_NOUN = _NUMBERS | closed_class("quantifier") | {"own", "other", "such"}
_AFTER_PREDETERMINER = closed_class("possessive") | {"the", "these", "those", "this", "that"}
_STANDALONE = closed_class("quantifier") | closed_class("demonstrative") | {"another", "other", "such"}
_NOMINAL_FUNCTION_WORDS = _NUMBERS | {"own", "other", "others", "one", "ones"}


def noun_phrase_end(sentence: Tagged, start: int) -> int:
    """Return where the noun phrase that starts here ends (exclusive); ``start`` if none does."""
    if start >= len(sentence.tokens) or start in sentence.verbs:
        return start
    norm = sentence.norm(start)
    if norm in _PRONOUNS and not (norm in _DETERMINERS and _starts_nominal(sentence, start + 1)):
        return start + 1
    if norm in closed_class("demonstrative") and not _starts_nominal(sentence, start + 1):
        return start + 1 if norm != "that" or skip_adverbs(sentence, start + 1) in sentence.verbs else start
    place = start + 1 if norm in _DETERMINERS else start
    while sentence.norm(place) in _BETWEEN_DETERMINER_AND_NOUN or _follows_predeterminer(sentence, place):
        place += 1
    end = place
    while _is_nominal(sentence, place):
        if not is_adverb(sentence.tokens[place]):
            end = place + 1
        place += 1
    only_determiner = end == start + 1 and norm in _DETERMINERS and norm not in _STANDALONE
    return start if only_determiner or _is_bare_adjective(sentence, start, end) else end


def _is_bare_adjective(sentence: Tagged, start: int, end: int) -> bool:
    """Recognise a predicate, "is | very tall", which is no noun phrase."""
    for place in range(start, end):
        share = shares().get(sentence.norm(place))
        if sentence.norm(place) in function_words() or share is None or share.adjective + share.adverb < 0.6:
            return False
    return end > start


def skip_adverbs(sentence: Tagged, place: int) -> int:
    """Return the first position from here that holds neither an adverb nor ``not``."""
    while place < len(sentence.tokens) and place not in sentence.verbs:
        if sentence.norm(place) != "not" and not is_adverb(sentence.tokens[place]):
            break
        place += 1
    return place


def is_preposition(sentence: Tagged, place: int) -> bool:
    """Return whether a word introduces a noun phrase: a preposition, "such as", ``to`` without a verb."""
    if place in sentence.verbs:
        return False
    if sentence.norm(place) == "such":
        return sentence.norm(place + 1) == "as"
    if sentence.norm(place) == "to":
        return place + 1 not in sentence.verbs
    return sentence.norm(place) in closed_class("preposition")


def _follows_predeterminer(sentence: Tagged, place: int) -> bool:
    """Accept the second determiner of "all the", "both my", "half of" is no case of it."""
    return sentence.norm(place) in _AFTER_PREDETERMINER and sentence.norm(place - 1) in (
        "all",
        "both",
        "half",
        "such",
    )


def _starts_nominal(sentence: Tagged, place: int) -> bool:
    return _is_nominal(sentence, place) or sentence.norm(place) in _BETWEEN_DETERMINER_AND_NOUN


def _is_nominal(sentence: Tagged, place: int) -> bool:
    """Return whether a word can stand inside a noun phrase after its determiner."""
    if place >= len(sentence.tokens):
        return False
    token = sentence.tokens[place]
    if place in sentence.verbs:
        return _is_modifying_participle(sentence, place)
    if not token.is_word:
        return token.text[0].isdigit() or token.text in "$€£%" or _is_inner_hyphen(sentence, place)
    if token.norm == "'s":
        return place > 0 and sentence.tokens[place - 1].is_word
    if is_adverb(token):
        following = place + 1 < len(sentence.tokens) and sentence.tokens[place + 1].is_word
        return following and _is_nominal(sentence, place + 1)
    return token.norm not in function_words() or token.norm in _NOMINAL_FUNCTION_WORDS


def _is_modifying_participle(sentence: Tagged, place: int) -> bool:
    """Recognise "the broken window", "my sleeping dog": a participle between determiner and noun."""
    determined = sentence.norm(place - 1) in _DETERMINERS - closed_class("wh_word")
    if not determined or not sentence.norm(place).endswith(("ing", "ed", "en")):
        return False
    after = place + 1
    if after in sentence.verbs or after >= len(sentence.tokens) or sentence.norm(after) in function_words():
        return False
    share = shares().get(sentence.norm(after))
    return sentence.tokens[after].is_word and (share is None or share.noun > 0.4)


def _is_inner_hyphen(sentence: Tagged, place: int) -> bool:
    tokens = sentence.tokens
    if tokens[place].text != "-" or not 0 < place < len(tokens) - 1:
        return False
    return tokens[place - 1].end == tokens[place].start and tokens[place + 1].start == tokens[place].end
