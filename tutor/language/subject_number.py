"""Person and number of a subject given as a noun phrase: "the list of items", "Ann and I", "none of them"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tutor.language.morphology import Person
from tutor.language.nouns import noun_number
from tutor.language.tagged import candidates, is_adverb
from tutor.language.tokens import Token
from tutor.language.word_classes import closed_class, function_words, noun_class, shares, word_lists

Persons = tuple[Person, ...]

SINGULAR: Persons = (Person.third_sg,)
PLURAL: Persons = (Person.third_pl,)
EITHER: Persons = (Person.third_sg, Person.third_pl)
EITHER_PLURAL_FIRST: Persons = (Person.third_pl, Person.third_sg)
_BY_NUMBER = {"singular": SINGULAR, "plural": PLURAL, "either": EITHER}
_ALONE: dict[str, Persons] = {
    "alone_first_singular": (Person.first_sg,),
    "alone_second": (Person.second_sg, Person.second_pl),
    "alone_first_plural": (Person.first_pl,),
    "alone_singular": SINGULAR,
    "alone_plural": PLURAL,
    "alone_either": EITHER,
    "alone_either_plural_first": EITHER_PLURAL_FIRST,
}
_ENDS_HEAD = (
    closed_class("preposition") | closed_class("subordinator") | closed_class("wh_word") | {"to", "that", ","}
)
_STARTS_PHRASE = closed_class("subject_pronoun") | closed_class("possessive") | {"you", "the", "a", "an"}
_YEAR_OR_ONE = re.compile(r"1|1[5-9]\d\d|20\d\d")
_NAMES_IN_S = (["united", "states"], ["united", "nations"], ["united", "arab", "emirates"])


def persons(subject: Sequence[Token]) -> Persons:
    """Return the persons that a subject can have, likeliest first; more than one where English accepts both.

    Parameters
    ----------
    subject : sequence of Token
        The noun phrase, with what follows its head ("the list of items"). A relative or expletive word alone
        ("which", "there") takes either number: the antecedent or the noun after it decides.
    """
    words = [token for token in subject if token.is_word or token.text[0].isdigit() or token.text in "%$€£,"]
    if len(words) > 2 and words[0].norm in ("there", "here") and words[1].norm in closed_class("be") | {"'s"}:
        words = words[2:]
    if not words:
        return EITHER
    return _alone(words) or _clause(words) or _coordination(words) or _phrase(words)


def _class(name: str) -> frozenset[str]:
    return word_lists("subjects.tsv")[name]


def _alone(words: list[Token]) -> Persons | None:
    if len(words) == 1:
        for name, found in _ALONE.items():
            if words[0].norm in _class(name):
                return found
    return None


def _clause(words: list[Token]) -> Persons | None:
    """Read a clause as subject: "what you say", "that he came", "to err", "swimming in the sea"."""
    verbs = {place for place, candidate in candidates(tuple(words)).items() if candidate.log_odds > 0}
    first = words[0].norm
    if first == "what" and len(verbs) > 0:
        return EITHER
    if first in _class("starts_clause_singular") and verbs - {0}:
        return SINGULAR
    return SINGULAR if first.endswith("ing") and 0 in verbs else None


def _coordination(words: list[Token]) -> Persons | None:
    """Read "A and B", "either A or B", "A, B and C"; None when nothing is coordinated at the top."""
    for place, token in enumerate(words[1:-1], start=1):
        if token.norm not in ("and", "&", "or", "nor"):
            continue
        left, right = words[:place], words[place + 1 :]
        inside = any(word.norm in closed_class("preposition") for word in left)
        if inside and right[0].norm not in _STARTS_PHRASE:
            return None  # "the list of apples and pears"
        if token.norm in ("or", "nor"):
            last = persons(right)
            return (*last, *(person for person in persons(left) if person not in last))
        return _sum(left, right, inside=inside)
    return None


def _sum(left: list[Token], right: list[Token], *, inside: bool) -> Persons:
    everything = {token.norm for token in (*left, *right)}
    if everything & {"i", "me", "we", "us"} and not inside:
        return (Person.first_pl,)
    if "you" in everything and not inside:
        return (Person.second_pl,)
    if left[0].norm in ("each", "every", "no"):
        return EITHER
    if inside:  # "the dog of my friend and his cat"
        return EITHER_PLURAL_FIRST if persons(left) == SINGULAR else persons(left)
    gerunds = left[0].norm.endswith("ing") and right[0].norm.endswith("ing")
    bare = len(left) == len(right) == 1 and left[0].text.islower() and right[0].text.islower()
    one_thing = bare and noun_number(left[0].text) == noun_number(right[0].text) == "singular"
    return EITHER_PLURAL_FIRST if gerunds or one_thing else PLURAL  # "bread and butter"


def _phrase(words: list[Token]) -> Persons:
    of = next((place for place, word in enumerate(words) if word.norm == "of" and place > 0), None)
    if of is not None and (found := _quantity(words[:of], words[of + 1 :])):
        return found
    head = _head_segment(words)
    return _alone(head) or _by_head(head)


def _quantity(left: list[Token], right: list[Token]) -> Persons | None:
    """Read "a number of", "one of", "most of", "a group of": whether the left or the right word decides."""
    head, definite = left[-1].norm, left[0].norm in ("the", "this", "that")
    rest = persons(right) if right else EITHER
    if head == "number":
        return SINGULAR if definite else PLURAL
    if head in _class("before_of_singular") and len(left) <= 3:
        return SINGULAR
    if head in _class("before_of_plural") or head in closed_class("number") - {"one"} or head.isdigit():
        return PLURAL
    if head in _class("before_of_either"):
        return SINGULAR if rest == SINGULAR else EITHER
    if head in _class("before_of_by_noun"):
        return EITHER if head == "majority" and rest == SINGULAR else rest
    if head in _class("before_of_group") and not definite:
        return SINGULAR if rest == SINGULAR else EITHER
    return None


def _head_segment(words: list[Token]) -> list[Token]:
    """Cut a noun phrase before what follows its head: a preposition, a relative clause, a participle."""
    for place in range(1, len(words)):
        norm = words[place].norm
        if norm in _ENDS_HEAD and not (place == 1 and words[0].norm in ("all", "both", "half")):
            return words[:place]
        after_noun = words[place - 1].norm not in function_words()
        if after_noun and (norm in _STARTS_PHRASE or _is_postmodifier(words[place])):
            return words[:place]
    return words


def _is_postmodifier(word: Token) -> bool:
    share = shares().get(word.norm)
    return share is not None and share.verb > 0.75 and word.norm.endswith(("ing", "ed", "en"))


def _by_head(head: list[Token]) -> Persons:
    nouns = _without_adjectives([word for word in head if word.norm not in function_words()])
    first = head[0].norm
    if not nouns:
        return _by_last_word(head)
    noun = nouns[-1]
    number = noun_number(noun.text)
    if any([word.norm for word in nouns[-len(name) :]] == name for name in _NAMES_IN_S):
        return SINGULAR
    if (
        first == "the"
        and len(nouns) == 1
        and head[-1] is noun
        and noun.norm in noun_class("people_adjective")
    ):
        return EITHER_PLURAL_FIRST if number == "singular" else _BY_NUMBER[number]
    if _counted(head):
        return _counted_noun(noun, number)
    if first in _class("with_plural"):
        return PLURAL if number != "singular" else EITHER_PLURAL_FIRST
    if first in _class("with_singular") and not {"few", "couple", "dozen", "hundred"} & {
        w.norm for w in head
    }:
        return SINGULAR if number == "singular" else EITHER
    return _BY_NUMBER[number]


def _counted_noun(noun: Token, number: str) -> Persons:
    """Read a noun after a number above one; a sum of money or time is also singular: "ten dollars"."""
    if noun.norm in noun_class("amount_unit") and number != "singular":
        return EITHER
    return PLURAL if number == "plural" else EITHER_PLURAL_FIRST


def _without_adjectives(words: list[Token]) -> list[Token]:
    """Drop adverbs, and adjectives after the noun ("the guards next", "something good")."""
    words = [word for word in words if not is_adverb(word) and word.norm != "'s"]
    nouns = [place for place, word in enumerate(words) if not _is_adjective(word)]
    return words[: nouns[-1] + 1] if nouns else words


def _is_adjective(word: Token) -> bool:
    share = shares().get(word.norm)
    return share is not None and share.adjective > 0.5


def _counted(head: list[Token]) -> bool:
    numbers = closed_class("number") - {"one", "zero"}
    few_units = head[-1].norm in noun_class("amount_unit") and any(
        word.norm in ("few", "couple") for word in head
    )
    return few_units or any(
        (word.text[0].isdigit() and not _YEAR_OR_ONE.fullmatch(word.text)) or word.norm in numbers
        for word in head
    )


def _by_last_word(head: list[Token]) -> Persons:
    if _counted(head):
        return EITHER_PLURAL_FIRST
    return _alone(head[-1:]) or _alone(head[:1]) or EITHER
