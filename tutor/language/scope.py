"""Why a sentence lies outside of what the tutor corrects."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from typing import Literal

from tutor.language.lexicon import is_known_word
from tutor.language.morphology import Person, Tense
from tutor.language.subject_number import persons
from tutor.language.tagged import candidates
from tutor.language.tokens import Token
from tutor.language.verb_groups import GroupAnalysis, analyse, verb_groups
from tutor.language.word_classes import closed_class, function_words, shares, word_lists

Scope = Literal["all", "beginner"]
Language = Literal["en", "es"]

COURSE_TENSES = frozenset(
    {
        Tense.base,
        Tense.to_infinitive,
        Tense.gerund,
        Tense.past_participle,
        Tense.present_simple,
        Tense.past_simple,
        Tense.future_simple,
        Tense.present_perfect,
        Tense.past_perfect,
    }
)
"""The beginner's course; the perfect is what its past participle is for."""
_PLURAL_PERSONS = frozenset({Person.first_pl, Person.second_pl, Person.third_pl})
_PLURAL_PRONOUNS = frozenset({"we", "they", "these", "those"})
_CODE_MARK = re.compile(r"[{}\[\]<>=\\|_/@~^`;]|\w\(|\)\s*[:{]")
_MOST_CODE_MARKS = 0.08
_MOST_UNKNOWN_WORDS = 0.55
_ALSO_FOREIGN = frozenset(
    {"a", "no", "me", "in", "an", "am", "die", "was", "so", "on", "do", "as", "he", "i", "is"}
)
_MAYBE_VERB = -1.5
_LEAST_FOREIGN_WORDS = 2


class ScopeReason(StrEnum):
    """A reason to leave a sentence alone; the value is its English text."""

    empty = "no words"
    not_english = "not English"
    not_a_sentence = "not a sentence"
    no_verb = "no verb"
    plural_pronoun = "plural pronoun"
    plural_subject = "plural subject"
    beyond_course = "tense beyond the course"

    def message(self, language: Language = "en") -> str:
        """Return the reason in English or in Spanish."""
        return self.value if language == "en" else _SPANISH[self]


_SPANISH = {
    ScopeReason.empty: "no hay palabras",
    ScopeReason.not_english: "no es inglés",
    ScopeReason.not_a_sentence: "no es una oración",
    ScopeReason.no_verb: "no hay ningún verbo",
    ScopeReason.plural_pronoun: "pronombre plural",
    ScopeReason.plural_subject: "sujeto plural",
    ScopeReason.beyond_course: "tiempo verbal fuera del curso",
}


def scope_reasons(sentence: str, tokens: Sequence[Token], scope: Scope = "all") -> tuple[ScopeReason, ...]:
    """Return the reasons why a sentence is out of scope; none if it is in scope.

    Parameters
    ----------
    sentence : str
        The sentence.
    tokens : sequence of Token
        Its tokens.
    scope : {"all", "beginner"}
        ``beginner``: also what lies beyond the infinitive, the simple tenses, the past participle and the
        three singular persons.
    """
    if not any(token.is_word for token in tokens):
        return (ScopeReason.empty,)
    if _is_code(sentence):
        return (ScopeReason.not_a_sentence,)
    if _is_foreign(tokens):
        return (ScopeReason.not_english,)
    if _has_no_verb(tokens):
        return (ScopeReason.no_verb,)
    return _beyond_course(tokens) if scope == "beginner" else ()


def _is_code(sentence: str) -> bool:
    """Recognise JSON, program text and addresses by their share of special characters."""
    marks = len(_CODE_MARK.findall(sentence))
    return marks >= 2 and marks > _MOST_CODE_MARKS * len("".join(sentence.split()))


def _is_foreign(tokens: Sequence[Token]) -> bool:
    """Recognise another language by its function words, and keyboard mash by the lack of known words."""
    words = [token for token in tokens if token.is_word and not token.norm.startswith("'")]
    letters = "".join(token.norm for token in words)
    if sum(not _is_latin(letter) for letter in letters) > len(letters) / 2:
        return True
    foreign_words = word_lists("languages.tsv")
    english = sum(token.norm in function_words() and token.norm not in _not_only_english() for token in words)
    foreign = max(sum(token.norm in listed for token in words) for listed in foreign_words.values())
    unknown = sum(not is_known_word(token.norm) for token in words)
    if foreign > english and (foreign >= _LEAST_FOREIGN_WORDS or (3 * foreign >= len(words) and unknown)):
        return True
    names = sum(token.text[0].isupper() and not is_known_word(token.norm) for token in words[1:])
    return unknown - names > _MOST_UNKNOWN_WORDS * len(words) and english * 3 < len(words)


def _is_latin(letter: str) -> bool:
    return letter < "\u0250" or "\u1e00" <= letter < "\u1f00"


@cache
def _not_only_english() -> frozenset[str]:
    """Return the English words that other languages write alike, no sign of either."""
    return frozenset().union(_ALSO_FOREIGN, *word_lists("languages.tsv").values())


def _has_no_verb(tokens: Sequence[Token]) -> bool:
    """Judge a phrase to be verbless, unless a subject pronoun shows that a learner left the verb out."""
    if any(group.likely for group in verb_groups(tokens)):
        return False
    if any(token.norm in closed_class("subject_pronoun") for token in tokens):
        return False
    return all(candidate.log_odds < _MAYBE_VERB for candidate in candidates(tuple(tokens)).values())


def _beyond_course(tokens: Sequence[Token]) -> tuple[ScopeReason, ...]:
    found = set()
    for group in verb_groups(tokens):
        if not group.likely or group.is_auxiliary:
            continue
        analysis = analyse(tokens, group)
        found.update(_subject_reasons(tokens, analysis))
        if analysis.tense not in COURSE_TENSES and not _is_state(tokens[group.head], analysis):
            found.add(ScopeReason.beyond_course)
    return tuple(reason for reason in ScopeReason if reason in found)


def _subject_reasons(tokens: Sequence[Token], analysis: GroupAnalysis) -> set[ScopeReason]:
    if analysis.subject is None:
        return set()
    words = tokens[analysis.subject[0] : analysis.subject[1]]
    if words[0].norm in _PLURAL_PRONOUNS and len(words) == 1:
        return {ScopeReason.plural_pronoun}
    plural = set(persons(words)) <= _PLURAL_PERSONS
    return {ScopeReason.plural_subject} if plural else set()


def _is_state(head: Token, analysis: GroupAnalysis) -> bool:
    """Recognise "is tired", "was interested": an adjective, not a passive; or a group that shows no tense."""
    share = shares().get(head.norm)
    passive = analysis.tense in (Tense.present_passive, Tense.past_passive, Tense.future_passive)
    return analysis.tense is None or (passive and share is not None and share.adjective > 0.15)
