"""The subject that follows its verb: "is he happy", "where are the books", "there are many people"."""

from __future__ import annotations

from tutor.language.noun_phrases import Span, noun_phrase_end
from tutor.language.tagged import AUXILIARY, Tagged, is_adverb
from tutor.language.verb_chains import Chain
from tutor.language.word_classes import closed_class

_EXPLETIVES = frozenset({"there", "here"})
_ASKING_FOR_SUBJECT = frozenset({"what", "who", "which"})


def following_subject(sentence: Tagged, chain: Chain, waiting: Span | None) -> Span | None:
    """Return the subject after a form of be that opens a question or follows there; None if it does neither.

    Parameters
    ----------
    sentence : Tagged
        The sentence.
    chain : Chain
        The verb.
    waiting : span or None
        The noun phrase before the verb that would be its subject otherwise.
    """
    if chain.subject is not None:
        return chain.subject
    if sentence.norm(chain.head) in AUXILIARY and _is_tag(sentence, chain):
        start = chain.head + 1 + (sentence.norm(chain.head + 1) == "not")
        return start, start + 1
    if sentence.lemma(chain.head) != "be" or sentence.norm(chain.head) == "be":
        return None
    if not _after_expletive(sentence, chain) and not _opens_question(sentence, chain, waiting):
        return None
    start = chain.head + 1
    start += sentence.norm(start) == "not"
    if sentence.norm(start) == "that":
        return start, start + 1
    while noun_phrase_end(sentence, start) == start:
        if start >= len(sentence.tokens) or not _before_number(sentence, start):
            return None
        start += 1
    return start, _with_tail(sentence, noun_phrase_end(sentence, start))


def _before_number(sentence: Tagged, place: int) -> bool:
    """Accept what may stand before a noun phrase: an adverb, "about" in "about 80 species"."""
    return is_adverb(sentence.tokens[place]) or sentence.norm(place) in ("about", "over", "around")


def _is_tag(sentence: Tagged, chain: Chain) -> bool:
    """Recognise "do you?", "aren't they?", "so am I" at the end of a sentence."""
    start = chain.head + 1 + (sentence.norm(chain.head + 1) == "not")
    opened = sentence.norm(chain.start - 1) in (",", "so", "neither", "nor", "")
    pronoun = sentence.norm(start) in closed_class("subject_pronoun") | closed_class("either_pronoun")
    return opened and pronoun and not sentence.norm(start + 1).isalpha()


def _after_expletive(sentence: Tagged, chain: Chain) -> bool:
    place = chain.start - 1
    while place > 0 and sentence.norm(place) not in _EXPLETIVES and is_adverb(sentence.tokens[place]):
        place -= 1
    return sentence.norm(place) in _EXPLETIVES


def _opens_question(sentence: Tagged, chain: Chain, waiting: Span | None) -> bool:
    if waiting is not None:
        return sentence.norm(waiting[0]) in _ASKING_FOR_SUBJECT and waiting == (chain.start - 1, chain.start)
    if (
        chain.start == 0
        or sentence.norm(chain.start - 1) in "\"“'‘("
        or sentence.norm(chain.start - 1) in closed_class("wh_word")
    ):
        return True
    before = range(chain.start - 3, chain.start)
    return any(sentence.norm(place) in ("how", "where", "when", "why") for place in before)


def _with_tail(sentence: Tagged, end: int) -> int:
    """Extend a noun phrase over the "of ..." and "and ..." after it."""
    while sentence.norm(end) in ("of", "and"):
        further = noun_phrase_end(sentence, end + 1)
        if further == end + 1:
            break
        end = further
    return end
