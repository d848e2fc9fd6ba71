"""The shallow parse of a sentence: its verbs, their auxiliaries and their subjects."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from tutor.language.agreement import agrees, persons
from tutor.language.clauses import Clauses, clauses
from tutor.language.noun_phrases import Span, is_preposition, noun_phrase_end
from tutor.language.nouns import is_noun
from tutor.language.tagged import AUXILIARY, BE, DO, MODAL, Tagged, candidates
from tutor.language.tokens import Token
from tutor.language.verb_chains import Chain, chains, opens_clause
from tutor.language.word_classes import closed_class, function_words, shares

_WEAKEST_RESCUE = -5.0
"""Log-odds below which a word is not taken for the verb that a subject lacks."""
_BEFORE_NOUNS = frozenset().union(
    *(closed_class(name) for name in ("determiner", "possessive", "preposition", "coordinator", "quantifier"))
) - {"which", "what"}
_PRONOUNS = frozenset().union(
    *(closed_class(f"{kind}_pronoun") for kind in ("subject", "object", "either", "indefinite"))
)
_STARTS_OBJECT = _PRONOUNS | closed_class("determiner") | closed_class("possessive") | {"to"}
_NOUN_FOLLOWS = -1.0
"""A word with a noun after it may be part of its noun phrase."""
_SELDOM_NOUN = 0.1
"""A word that is a noun less often is no noun because it does not agree as a verb ("my wife want")."""
_NO_OBJECT_FOLLOWS = 4.0
""""like" without an object is no preposition."""


@dataclass(frozen=True, slots=True)
class Parse:
    """A sentence with its verbs, their chains, the subject of each by the position of its head, and subjects without a verb."""

    sentence: Tagged
    chains: tuple[Chain, ...]
    subjects: dict[int, Span]
    verbless: tuple[Span, ...]


@lru_cache(maxsize=256)
def parse(tokens: tuple[Token, ...]) -> Parse:
    """Return the parse of a sentence. Callers must not change it.

    Words are first judged one by one by their neighbours. Then, while a noun phrase waits in vain for its
    verb, the likeliest word that could be that verb is taken for it ("The gardeners smile."). Last, what does not
    agree as a verb is read as a noun where the sentence has verbs enough without it.
    """
    verbs = frozenset(place for place, candidate in candidates(tokens).items() if candidate.log_odds > 0)
    while True:
        sentence = Tagged(tokens, verbs)
        found = clauses(sentence)
        missed = _missed_verb(sentence, found)
        if missed is None:
            break
        verbs |= {missed}
    while (noun := _noun_that_disagrees(sentence, found)) is not None:
        sentence = Tagged(tokens, sentence.verbs - {noun})
        found = clauses(sentence)
    return Parse(sentence, chains(sentence), found.subjects, found.verbless)


def _noun_that_disagrees(sentence: Tagged, found: Clauses) -> int | None:
    """Return a verb that may be a noun, if without it more verbs agree and no noun phrase lacks its verb.

    In "the television show is old" and "the television shows are old" it is the word after "television".
    """
    wrong = _disagreeing(sentence, found)
    alone = {chain.head for chain in chains(sentence) if not chain.auxiliaries} & found.subjects.keys()
    for noun in sorted({found.subjects[head][1] for head in wrong} & alone):
        if not _may_end_noun_phrase(sentence, noun, found.subjects[noun]):
            continue
        others = found.subjects.keys() - {noun}
        without = clauses(Tagged(sentence.tokens, sentence.verbs - {noun}))
        complete = others <= without.subjects.keys() and len(without.verbless) <= len(found.verbless)
        joined = any(start <= noun < end for start, end in without.subjects.values())
        governed = found.subjects[noun][0] - 1 in sentence.verbs or is_preposition(
            sentence, found.subjects[noun][0] - 1
        )
        if complete and (joined or governed) and len(_disagreeing(sentence, without)) < len(wrong):
            return noun
    return None


def _may_end_noun_phrase(sentence: Tagged, place: int, before: Span) -> bool:
    """Return whether a word may be the last noun of the phrase right before it."""
    if sentence.norm(place) in AUXILIARY or not is_noun(sentence.norm(place)) or before[1] != place:
        return False
    share = shares().get(sentence.norm(place))
    if share is not None and share.noun < _SELDOM_NOUN:
        return False
    if sentence.tokens[place - 1].text[0].isupper():
        return False
    return sentence.norm(place - 1) not in _PRONOUNS and sentence.norm(place + 1) not in _STARTS_OBJECT


def _disagreeing(sentence: Tagged, found: Clauses) -> set[int]:
    """Return the heads whose finite word does not agree with their subject."""
    return {
        head
        for head, subject in found.subjects.items()
        if agrees(
            sentence.norm(head), sentence.lemma(head), persons(sentence.tokens[subject[0] : subject[1]])
        )
        is False
    }


def _missed_verb(sentence: Tagged, found: Clauses) -> int | None:
    """Return the likeliest word that could be the verb of a noun phrase that has none."""
    asked = _asked_verb(sentence)
    if asked is not None:
        return asked
    start = min((span[0] for span in found.verbless), default=len(sentence.tokens))
    possible = {
        place: candidate.log_odds + _shift(sentence, place)
        for place, candidate in candidates(sentence.tokens).items()
        if place not in sentence.verbs
        and ((place > start and _follows_content(sentence, place)) or _joins_predicate(sentence, place))
    }
    best = max(possible, key=possible.__getitem__, default=None)
    return best if best is not None and possible[best] > _WEAKEST_RESCUE else None


def _asked_verb(sentence: Tagged) -> int | None:
    """Return the last word of the noun phrase after an inverted do or modal without a verb: "does he | work"."""
    for place in sorted(sentence.verbs):
        if sentence.norm(place) not in DO | MODAL or not opens_clause(sentence, place):
            continue
        end = noun_phrase_end(sentence, place + 1)
        last = candidates(sentence.tokens).get(end - 1)
        if (
            end > place + 2
            and last is not None
            and last.log_odds > _WEAKEST_RESCUE
            and end not in sentence.verbs
        ):
            return end - 1
    return None


def _shift(sentence: Tagged, place: int) -> float:
    """Return what the words after a candidate add to its log-odds."""
    if not _ends_noun_phrase(sentence, place):
        return _NOUN_FOLLOWS
    stranded = sentence.norm(place) == "like" and place + 1 in sentence.verbs
    return _NO_OBJECT_FOLLOWS if stranded else 0.0


def _follows_content(sentence: Tagged, place: int) -> bool:
    before = sentence.norm(place - 1)
    return place - 1 in sentence.verbs or (before.isalpha() and before not in _BEFORE_NOUNS)


def _joins_predicate(sentence: Tagged, place: int) -> bool:
    """Recognise "is tall and | smile", "laughs and | smile": no noun can be joined there."""
    if sentence.norm(place - 1) not in ("and", "but") or not _ends_noun_phrase(sentence, place):
        return False
    if place - 2 in sentence.verbs and sentence.norm(place - 2) not in AUXILIARY:
        return True
    joined, word = shares().get(sentence.norm(place - 2)), shares().get(sentence.norm(place))
    predicate = bool({sentence.norm(place - 3), sentence.norm(place - 4)} & BE)
    return (
        predicate and joined is not None and joined.adjective > 0.5 and (word is None or word.adjective < 0.1)
    )


def _ends_noun_phrase(sentence: Tagged, place: int) -> bool:
    after = sentence.norm(place + 1)
    return place + 1 in sentence.verbs or after in function_words() or not after.isalpha()
