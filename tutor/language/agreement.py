"""Person and number of a subject, and whether a verb group agrees with it."""

from __future__ import annotations

from collections.abc import Sequence

from tutor.language.morphology import Person
from tutor.language.nouns import noun_class, noun_number
from tutor.language.tenses import form_kinds
from tutor.language.tokens import Token
from tutor.language.tagged import HAVE, MODAL, candidates, is_adverb
from tutor.language.word_classes import closed_class, function_words, shares

Persons = tuple[Person, ...]

SINGULAR: Persons = (Person.third_sg,)
PLURAL: Persons = (Person.third_pl,)
EITHER: Persons = (Person.third_sg, Person.third_pl)
EITHER_PLURAL_FIRST: Persons = (Person.third_pl, Person.third_sg)
UNKNOWN: Persons = EITHER

_PRONOUNS: dict[str, Persons] = {
    "i": (Person.first_sg,), "me": (Person.first_sg,), "myself": (Person.first_sg,),
    "you": (Person.second_sg, Person.second_pl), "we": (Person.first_pl,), "us": (Person.first_pl,),
    **dict.fromkeys("he she it him this himself herself itself".split(), SINGULAR),
    **dict.fromkeys("they them these those others themselves many few several both ones".split(), PLURAL),
    **dict.fromkeys("all most some any more none half such enough the-rest".split(), EITHER_PLURAL_FIRST),
    **dict.fromkeys("mine yours hers ours theirs his what whatever either neither".split(), EITHER),
    **dict.fromkeys("one each another much little other".split(), SINGULAR),
    **dict.fromkeys("who which whoever whom whose there here that".split(), UNKNOWN),
}  # fmt: skip
_SINGULAR_DETERMINERS = frozenset("a an another each every either neither much this that one".split())
_PLURAL_DETERMINERS = frozenset("these those many few several both".split())
_ENDS_HEAD = (
    closed_class("preposition") | closed_class("subordinator") | closed_class("wh_word") | {"to", "that", ","}
) - {"like"}
_PRONOUN_STARTS = closed_class("subject_pronoun") | {"you", "the", "a", "an"} | closed_class("possessive")
_OF_QUANTITY_SINGULAR = frozenset({"one", "each", "either", "much", "little"})
_OF_QUANTITY_PLURAL = frozenset({"many", "few", "several", "both"})
_OF_QUANTITY_EITHER = frozenset({"none", "neither", "any"})
_BY_THE_NOUN = frozenset(
    "lot lots plenty majority minority half most some all rest percent percentage part third quarter % thirds "
    "quarters two-thirds bunch more".split()
)
_COLLECTIVE_OF = frozenset("group set series range variety pair couple team crowd handful herd flock".split())


def persons(subject: Sequence[Token]) -> Persons:
    """Return the persons that a subject can have, likeliest first; more than one where English accepts both.

    Parameters
    ----------
    subject : sequence of Token
        The noun phrase, with what follows its head ("the list of items").
    """
    words = [token for token in subject if token.is_word or token.text[0].isdigit() or token.text in "%$€£,"]
    if len(words) > 2 and words[0].norm in ("there", "here") and words[1].norm in closed_class("be") | {"'s"}:
        words = words[2:]
    if not words:
        return UNKNOWN
    if len(words) == 1 and words[0].norm in _PRONOUNS:
        return _PRONOUNS[words[0].norm]
    return _coordination(words) or _phrase(words)


def _coordination(words: list[Token]) -> Persons | None:
    """Read "A and B", "either A or B", "A, B and C"; None when nothing is coordinated at the top."""
    for joint in ("and", "&", "or", "nor"):
        for place, token in enumerate(words):
            if token.norm != joint or not 0 < place < len(words) - 1:
                continue
            left, right = words[:place], words[place + 1 :]
            inside = any(word.norm in closed_class("preposition") for word in left)
            if inside and right[0].norm not in _PRONOUN_STARTS:
                return None  # "the list of apples and pears"
            if joint in ("or", "nor"):
                first, last = persons(left), persons(right)
                return last if first == last else (*last, *(p for p in first if p not in last))
            return _sum(left, right, inside=inside)
    return None


def _sum(left: list[Token], right: list[Token], *, inside: bool) -> Persons:
    both = {token.norm for token in (*left, *right)}
    if both & {"i", "me", "we", "us"}:
        return (Person.first_pl,)
    if "you" in both:
        return (Person.second_pl,)
    if left[0].norm in ("each", "every", "no"):
        return EITHER
    if inside:
        return (*PLURAL, *SINGULAR) if persons(left) == SINGULAR else PLURAL
    bare = len(left) == len(right) == 1 and all(
        w.norm in noun_class("uncountable") for w in (left[0], right[0])
    )
    gerunds = left[0].norm.endswith("ing") and right[0].norm.endswith("ing")
    return EITHER_PLURAL_FIRST if bare or gerunds else PLURAL


def _phrase(words: list[Token]) -> Persons:
    first = words[0].norm
    if first == "to" or (first in ("what", "whether", "how", "why", "that") and _has_verb(words)):
        return SINGULAR if first != "what" else EITHER
    if first.endswith("ing") and first in _gerunds(words):
        return SINGULAR
    of = next((i for i, word in enumerate(words) if word.norm == "of" and i > 0), None)
    if of is not None and (found := _quantity(words[:of], words[of + 1 :])):
        return found
    head = _head_segment(words)
    if head[0].norm in _PRONOUNS and len(head) == 1:
        return _PRONOUNS[head[0].norm]
    return _by_head(head)


def _gerunds(words: list[Token]) -> set[str]:
    found = candidates(tuple(words)).get(0)
    return {words[0].norm} if found and found.log_odds > 0 else set()


def _has_verb(words: list[Token]) -> bool:
    return any(candidate.log_odds > 0 for place, candidate in candidates(tuple(words)).items() if place)


def _quantity(left: list[Token], right: list[Token]) -> Persons | None:
    """Read "a number of", "one of", "most of", "a group of": whether the left or the right word decides."""
    head, article = left[-1].norm, left[0].norm
    rest = persons(right) if right else UNKNOWN
    if head in ("number", "numbers"):
        return SINGULAR if article == "the" and head == "number" else PLURAL
    if head in _OF_QUANTITY_SINGULAR and len(left) <= 3:
        return SINGULAR
    if head in _OF_QUANTITY_PLURAL or head in ("dozens", "hundreds", "thousands", "millions"):
        return PLURAL
    if head in _OF_QUANTITY_EITHER:
        return EITHER if rest != SINGULAR else SINGULAR
    if head in _BY_THE_NOUN:
        return EITHER if head == "minority" or head == "majority" and rest == SINGULAR else rest
    if head in _COLLECTIVE_OF:
        return EITHER if rest != SINGULAR else SINGULAR
    if head.isdigit() or head in closed_class("number") - {"one"}:
        return PLURAL
    return None


def _head_segment(words: list[Token]) -> list[Token]:
    """Cut a noun phrase before what follows its head: a preposition, a relative clause, a participle."""
    for place in range(1, len(words)):
        norm = words[place].norm
        if norm in _ENDS_HEAD or words[place].text == ",":
            return words[:place]
        after_noun = words[place - 1].norm not in function_words()
        if after_noun and (norm in _PRONOUN_STARTS or _is_postmodifier(words, place)):
            return words[:place]
    return words


def _is_postmodifier(words: list[Token], place: int) -> bool:
    share = shares().get(words[place].norm)
    return share is not None and share.verb > 0.75 and words[place].norm.endswith(("ing", "ed", "en"))


def _by_head(head: list[Token]) -> Persons:
    nouns = _without_adjectives([word for word in head if word.norm not in function_words()])
    first = head[0].norm
    if not nouns:
        return _by_last_word(head)
    noun = nouns[-1]
    if [word.norm for word in nouns[-2:]] in (["united", "states"], ["united", "nations"]):
        return SINGULAR
    number = noun_number(noun.text)
    if first == "the" and number == "singular" and noun.norm in noun_class("people_adjective"):
        return PLURAL if head[-1] is noun and len(nouns) == 1 else SINGULAR
    if noun.norm in noun_class("amount_unit") and number == "plural" and _counted(head):
        return EITHER
    if first in _PLURAL_DETERMINERS and number != "plural":
        return PLURAL if number == "either" else EITHER_PLURAL_FIRST
    if first in _SINGULAR_DETERMINERS and not (
        first in ("a", "an") and {"few", "couple"} & {w.norm for w in head}
    ):
        return _singular(noun, number)
    if number == "singular" and _counted(head) and noun.text.islower():
        return EITHER_PLURAL_FIRST  # "two child": the noun is wrong, the verb may be right
    if number == "plural" and noun.text[0].isupper() and first not in ("the", *_PLURAL_DETERMINERS):
        return EITHER  # a name: "Jones", "Cars"
    return {"singular": SINGULAR, "plural": PLURAL, "either": EITHER}[number]


def _without_adjectives(words: list[Token]) -> list[Token]:
    """Drop adverbs, and adjectives after the noun ("the guards next", "something good")."""
    words = [word for word in words if not is_adverb(word) and word.norm != "'s"]
    nouns = [place for place, word in enumerate(words) if _adjective_share(word) < 0.5]
    return words[: nouns[-1] + 1] if nouns else words


def _adjective_share(word: Token) -> float:
    share = shares().get(word.norm)
    return share.adjective if share else 0.0


def _singular(noun: Token, number: str) -> Persons:
    if number == "either" and noun.norm in noun_class("collective"):
        return EITHER
    return EITHER if number == "plural" else SINGULAR


def _counted(head: list[Token]) -> bool:
    return any(
        word.text[0].isdigit() and word.text != "1" or word.norm in closed_class("number") - {"one", "zero"}
        for word in head
    )


def _by_last_word(head: list[Token]) -> Persons:
    if _counted(head):
        return EITHER_PLURAL_FIRST
    last = head[-1].norm
    if last in closed_class("indefinite_pronoun") - {"none", "ones", "others"}:
        return SINGULAR
    return _PRONOUNS.get(last, _PRONOUNS.get(head[0].norm, UNKNOWN))


def agrees(word: str, lemma: str, subject: Persons) -> bool | None:
    """Return whether a finite word agrees with a subject; None where that cannot be decided.

    Parameters
    ----------
    word : str
        The first word of the verb group in lower case: an auxiliary or the verb itself.
    lemma : str
        Its lemma.
    subject : tuple of Person
        As `persons` returns them.
    """
    fitting = fitting_persons(word, lemma)
    if fitting is None:
        return None
    verdicts = {person in fitting for person in subject}
    return verdicts.pop() if len(verdicts) == 1 else None


def fitting_persons(word: str, lemma: str) -> frozenset[Person] | None:
    """Return the persons that a finite word goes with; None if it is not finite."""
    everyone, third = frozenset(Person), frozenset(SINGULAR)
    if word in _BE_PERSONS:
        return _BE_PERSONS[word]
    if word in MODAL or word in ("'d", "had", "did"):
        return everyone
    if word in HAVE:
        return {"has": third, "have": everyone - third}.get(word)
    kinds = form_kinds(word, lemma)
    if "past" in kinds:
        return everyone
    if "base" in kinds:
        return everyone - third
    return third if "third" in kinds else None


_BE_PERSONS: dict[str, frozenset[Person] | None] = {
    "am": frozenset({Person.first_sg}),
    "is": frozenset({Person.third_sg}),
    "'s": frozenset({Person.third_sg}),
    "are": frozenset(Person) - {Person.first_sg, Person.third_sg},
    "was": frozenset({Person.first_sg, Person.third_sg}),
    "were": frozenset(Person) - {Person.first_sg, Person.third_sg},
    "be": frozenset(),
    "been": None,
    "being": None,
}
