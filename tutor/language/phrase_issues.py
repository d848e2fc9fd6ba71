"""Issues of phrases: articles, plurals, fixed expressions, double negation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise

from tutor.language.issue import Issue, issue
from tutor.language.morphology import Tense, conjugate, paradigm
from tutor.language.nouns import is_noun, noun_number, plural_of
from tutor.language.tagged import AUXILIARY, candidates
from tutor.language.tenses import form_kinds
from tutor.language.tokens import Token
from tutor.language.verb_groups import VerbGroup, analyse, verb_groups
from tutor.language.word_classes import closed_class, function_words, noun_class, rows, shares

# Spelled with a vowel but said with a consonant, and the other way round.
_SAID_WITH_CONSONANT = re.compile(
    r"(uni(?!n|m|d)|unanim|us[aeu]|uk|ur[aeio]n|eu|ew|one\b|once\b|ut[eio]|ubi|ufo|ouija)"
)
_SAID_WITH_VOWEL = re.compile(r"(hour|honest|honou?r|heir|herb|hors d)")
_AFTER_NOT = {"nothing": "anything", "nobody": "anybody", "nowhere": "anywhere", "none": "any"}
_CLAUSE_BREAKS = closed_class("coordinator") | closed_class("subordinator") | closed_class("wh_word")
_AFTER_LONE_NOUN = closed_class("preposition") - {"of"} | closed_class("be") | closed_class("have")
_MANY = frozenset(
    {"many", "several", "these", "those", "two", "three", "four", "five", "six", "seven", "eight"}
)


def wrong_articles(sentence: str, tokens: tuple[Token, ...]) -> Iterator[Issue]:
    """Yield "a" before a vowel sound and "an" before a consonant."""
    for article, word in pairwise(tokens):
        spaced = sentence[article.end : word.start].isspace()
        if article.norm not in ("a", "an") or (article.text == "A" and article.start) or not spaced:
            continue
        if len(word.text) < 3 or not word.text.isalpha() or not word.text[1:].islower():
            continue
        right = "an" if _starts_with_vowel_sound(word.norm) else "a"
        if article.norm != right:
            now = right.capitalize() if article.text[0].isupper() else right
            yield issue(sentence, article.start, article.end, "article", now)


def _starts_with_vowel_sound(word: str) -> bool:
    if word[0] in "aeiou":
        return not _SAID_WITH_CONSONANT.match(word)
    return bool(_SAID_WITH_VOWEL.match(word))


def wrong_plurals(sentence: str, tokens: tuple[Token, ...]) -> Iterator[Issue]:
    """Yield learners' plurals ("informations") and the singular after a plural word ("two dog")."""
    for place, token in enumerate(tokens):
        if right := _plurals().get(token.text.lower()):
            after = tokens[place + 1].norm if place + 1 < len(tokens) else ""
            if after != "'s":
                yield issue(sentence, token.start, token.end, "plural", right)
        elif _is_lone_singular(tokens, place) and (plural := plural_of(token.norm)):
            yield issue(sentence, token.start, token.end, "plural", plural)


def _is_lone_singular(tokens: tuple[Token, ...], place: int) -> bool:
    """Return whether a word is a countable noun in the singular that ends a noun phrase with "many", "two"."""
    if place == 0 or tokens[place - 1].norm not in _MANY:
        return False
    token = tokens[place]
    share = shares().get(token.norm)
    if not token.text.islower() or not token.text.isalpha() or not is_noun(token.norm):
        return False
    if share is not None and share.noun < 0.9:
        return False
    if noun_number(token.norm) != "singular" or token.norm in noun_class("uncountable") | function_words():
        return False
    after = tokens[place + 1] if place + 1 < len(tokens) else None
    if place > 1 and tokens[place - 2].norm in ("a", "an", "the", "-"):
        return False
    return (
        after is None
        or after.text in (".", ",", "?", "!")
        or after.norm in closed_class("preposition") - {"of"}
    )


def double_negation(sentence: str, tokens: tuple[Token, ...]) -> Iterator[Issue]:
    """Yield "nothing" and its kind after "not" in one clause: "don't have nothing"."""
    negated: int | None = None
    for place, token in enumerate(tokens):
        if token.norm == "not" and place and tokens[place - 1].norm in AUXILIARY:
            negated = place
        elif not token.is_word or token.norm in _CLAUSE_BREAKS or token.norm in ("to", "than"):
            negated = None
        elif negated is not None and token.norm in _AFTER_NOT and place > negated + 1:
            yield issue(sentence, token.start, token.end, "negation", _AFTER_NOT[token.norm])


def wrong_idioms(sentence: str, tokens: tuple[Token, ...]) -> Iterator[Issue]:
    """Yield expressions put together from another language: "have 20 years", "make a question"."""
    for group in verb_groups(tokens):
        if not group.likely or group.is_auxiliary:
            continue
        head, lemma = group.head, group.lemmas[0]
        if lemma == "have" and (end := _age_end(tokens, head)):
            age = f"be {tokens[head + 1].text} years old"
            now = _inflected(tokens, group, age)
            yield issue(sentence, tokens[head].start, tokens[end - 1].end, "idiom", now)
            continue
        place = head + 1
        while place < len(tokens) and tokens[place].norm in _BEFORE_NOUN:
            place += 1
        right = _idioms().get((lemma, tokens[place].norm)) if place < len(tokens) else None
        if right and not _noun_follows(tokens, place + 1):
            now = _inflected(tokens, group, right)
            yield issue(sentence, tokens[head].start, tokens[place].end, "idiom", now)


def _inflected(tokens: tuple[Token, ...], group: VerbGroup, expression: str) -> str:
    """Put the verb of an expression into the form of the verb that it replaces."""
    verb, _, rest = expression.partition(" ")
    analysis = analyse(tokens, group)
    simple = analysis.tense in (Tense.present_simple, Tense.past_simple) and analysis.finite == group.head
    if simple and analysis.tense and analysis.person:
        return f"{conjugate(verb, analysis.tense, analysis.person)[0]} {rest}"
    kinds = form_kinds(tokens[group.head].norm, group.lemmas[0])
    forms = paradigm(verb)
    if "gerund" in kinds:
        return f"{forms.gerund[0]} {rest}"
    return f"{forms.participle[0]} {rest}" if "participle" in kinds and "base" not in kinds else expression


_BEFORE_NOUN = closed_class("possessive") | {
    "a",
    "an",
    "the",
    "some",
    "many",
    "much",
    "lot",
    "of",
    "this",
    "any",
}


def _age_end(tokens: tuple[Token, ...], head: int) -> int | None:
    """Return where "20 years" or "20 years old" after a form of have ends, if the clause ends there too."""
    number, years = tokens[head + 1 : head + 2], tokens[head + 2 : head + 3]
    if not number or not years or years[0].norm not in ("year", "years"):
        return None
    if not number[0].text.isdigit() and number[0].norm not in closed_class("number"):
        return None
    if tokens[head + 3 : head + 4] and tokens[head + 3].norm == "old":
        return head + 4
    after = tokens[head + 3 : head + 4]
    return head + 3 if not after or after[0].norm in (".", ",", "and", "but", "!", "?") else None


def _noun_follows(tokens: tuple[Token, ...], place: int) -> bool:
    if place >= len(tokens) or not tokens[place].is_word:
        return False
    return tokens[place].norm not in function_words() and place not in candidates(tokens)


@cache
def _plurals() -> Mapping[str, str]:
    return {wrong: right for kind, wrong, right in rows("issues.tsv") if kind == "plural"}


@cache
def _idioms() -> Mapping[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for kind, wrong, right in rows("issues.tsv"):
        if kind == "idiom":
            verb, noun = wrong.split()
            found[verb, noun] = right
    return found
