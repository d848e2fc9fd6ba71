"""Which auxiliaries belong to which main verb."""

from __future__ import annotations

from dataclasses import dataclass

from tutor.language.noun_phrases import Span, noun_phrase_end, skip_adverbs
from tutor.language.tagged import AUXILIARY, HAVE, MODAL, Tagged
from tutor.language.word_classes import closed_class

_CLAUSE_OPENERS = (
    closed_class("wh_word") | closed_class("coordinator") | {"neither", "never", "so", "then", "only"}
)
_INVERTED_SUBJECTS = closed_class("subject_pronoun") | closed_class("either_pronoun") | {"there"}

_INSIDE_SUBJECT = closed_class("preposition") | {"and", "or"}


@dataclass(frozen=True, slots=True)
class Chain:
    """A main verb with its auxiliaries, in order of position; ``subject`` is set when they are inverted."""

    head: int
    auxiliaries: tuple[int, ...] = ()
    subject: Span | None = None

    @property
    def start(self) -> int:
        """Position of the first word of the chain."""
        return self.auxiliaries[0] if self.auxiliaries else self.head


def chains(sentence: Tagged) -> tuple[Chain, ...]:
    """Return the chains of the verbs of a sentence, in order of their first word."""
    verbs = sorted(sentence.verbs)
    link = {place: target for place in verbs if (target := _governed(sentence, place))}
    by_head = {place: Chain(place) for place in verbs if place not in link}
    for place in link:
        head, subject = link[place]
        while head in link:
            head, inner = link[head]
            subject = subject or inner
        chain = by_head[head]
        by_head[head] = Chain(head, (*chain.auxiliaries, place), chain.subject or subject)
    return tuple(sorted(by_head.values(), key=lambda chain: chain.start))


def _governed(sentence: Tagged, place: int) -> tuple[int, Span | None] | None:
    """Return the verb that an auxiliary governs, with the subject between them if they are inverted."""
    if sentence.norm(place) not in AUXILIARY:
        return None
    after = skip_adverbs(sentence, place + 1)
    if sentence.norm(after) == "to" and after + 1 in sentence.verbs:
        return (after + 1, None) if _takes_to(sentence, place) else None
    if after in sentence.verbs:
        return after, None
    if not opens_clause(sentence, place):
        return None
    end = _inverted_subject_end(sentence, after)
    verb = skip_adverbs(sentence, end)
    verb += sentence.norm(verb) in ("last", "first")  # "when did you last see"
    if end == after or verb not in sentence.verbs:
        return None
    return verb, (after, end)


def _takes_to(sentence: Tagged, place: int) -> bool:
    """Tell "have to go" and the learner's "can to go" from "the plan is to go" and "what I do to help"."""
    norm = sentence.norm(place)
    return norm in MODAL | HAVE or sentence.norm(place - 1) in _INVERTED_SUBJECTS


def opens_clause(sentence: Tagged, place: int) -> bool:
    """Return whether an auxiliary stands where a question or an inverted clause begins."""
    if place == 0 or not sentence.tokens[place - 1].is_word or sentence.norm(place - 1) in _CLAUSE_OPENERS:
        return True
    # "How many books did he", "Which dog does she": a question word opens the clause.
    return any(
        sentence.norm(before) in ("how", "what", "which", "whose") for before in range(place - 6, place)
    )


def _inverted_subject_end(sentence: Tagged, start: int) -> int:
    """Return where the subject between an auxiliary and its verb ends: "does | the boy in it | go"."""
    end = noun_phrase_end(sentence, start)
    if sentence.norm(start) in _INVERTED_SUBJECTS:
        return end
    while end > start and sentence.norm(end) in _INSIDE_SUBJECT:
        further = noun_phrase_end(sentence, end + 1)
        if further == end + 1:
            break
        end = further
    return end
