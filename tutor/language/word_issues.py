"""Issues of single words: spelling, capitals, repeated words, the final mark."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from tutor.language.issue import Issue, issue
from tutor.language.lexicon import is_known_word, nearest_words, word_count
from tutor.language.tokens import Token
from tutor.language.verb_groups import VerbGroup, analyse, verb_groups
from tutor.language.word_classes import rows

_MAY_REPEAT = frozenset(
    {
        "had",
        "that",
        "very",
        "so",
        "no",
        "really",
        "bye",
        "ha",
        "many",
        "far",
        "more",
        "her",
        "you",
        "it",
        "there",
    }
)
_SHORTEST_CHECKED = 4
_LEAST_COUNT = 1000
"""Least count of a correction in the word list of pyspellchecker: no common word is near to a rare one."""
_LEAST_WORDS_OF_SENTENCE = 4


def misspelled_words(sentence: str, tokens: tuple[Token, ...]) -> Iterator[Issue]:
    """Yield lower-case words that no one knows and that a known word is near to; verb forms are left out."""
    verbs = {group.head for group in verb_groups(tokens) if group.likely}
    for place, token in enumerate(tokens):
        if place in verbs or not _can_be_misspelled(sentence, token) or is_known_word(token.norm):
            continue
        nearest = nearest_words(token.norm)
        if (
            nearest
            and word_count(nearest[0]) >= _LEAST_COUNT
            and not is_known_word(token.norm.removesuffix("s"))
        ):
            yield issue(sentence, token.start, token.end, "spelling", nearest[0])


def _can_be_misspelled(sentence: str, token: Token) -> bool:
    plain = token.text.isalpha() and token.text.islower() and len(token.text) >= _SHORTEST_CHECKED
    return plain and not _is_glued(sentence, token)


def _is_glued(sentence: str, token: Token) -> bool:
    """Return whether a word is part of something longer: an address, a file name, a compound."""
    before, after = sentence[: token.start][-1:], sentence[token.end : token.end + 2]
    return bool(
        (before and before in "-'’/@.#_:\\")
        or (after and after[0] in "-'’/@_\\")
        or (after[:1] in (".", ":") and after[1:].isalnum())
    )


def missing_capitals(sentence: str, tokens: tuple[Token, ...]) -> Iterator[Issue]:
    """Yield a lower-case "i", names of days, months, languages and countries, and the start of a sentence."""
    for place, token in enumerate(tokens):
        if _is_glued(sentence, token):
            continue
        after = sentence[token.end : token.end + 1]
        if token.text == "i" and after not in (".", ")", ":") and sentence[: token.start][-1:] != "(":
            yield issue(sentence, token.start, token.end, "capitalisation", "I")
        elif token.text in _capitalised() or (place == 0 and _is_lower_start(sentence, tokens)):
            yield issue(sentence, token.start, token.end, "capitalisation", token.text.capitalize())


@cache
def _capitalised() -> frozenset[str]:
    return frozenset(
        word for kind, words, *_ in rows("issues.tsv") if kind == "capital" for word in words.split()
    )


def _is_lower_start(sentence: str, tokens: tuple[Token, ...]) -> bool:
    first = tokens[0].text
    ended = sentence.rstrip()[-1] in ".?!" and len(tokens) > _LEAST_WORDS_OF_SENTENCE
    return ended and first.islower() and first.isalpha()


def repeated_words(sentence: str, tokens: tuple[Token, ...]) -> Iterator[Issue]:
    """Yield a word that is written twice in a row, but for those that may be ("had had", "very very")."""
    for first, second in pairwise(tokens):
        same = first.norm == second.norm and first.text.isalpha() and second.text.islower()
        between = sentence[first.end : second.start]
        if same and between.isspace() and len(first.text) > 1 and first.norm not in _MAY_REPEAT:
            start = first.start
            yield issue(sentence, start, second.end, "repeated_word", first.text)


def missing_final_mark(sentence: str, tokens: tuple[Token, ...]) -> Iterator[Issue]:
    """Yield the missing final mark of what is surely a sentence: a capital, a subject and its finite verb."""
    words = [token for token in tokens if token.is_word]
    if len(words) < _LEAST_WORDS_OF_SENTENCE or not tokens[-1].is_word or not tokens[0].text[0].isupper():
        return
    capitals = sum(token.text[0].isupper() for token in words)
    if capitals * 2 < len(words) and any(_is_main(tokens, group) for group in verb_groups(tokens)):
        last = tokens[-1]
        yield issue(sentence, last.start, last.end, "punctuation", f"{last.text}.")


def _is_main(tokens: tuple[Token, ...], group: VerbGroup) -> bool:
    analysis = analyse(tokens, group)
    return (
        group.likely
        and analysis.finite is not None
        and analysis.subject is not None
        and analysis.subject[0] == 0
    )
