"""What in a sentence shows which tense a verb must have: time expressions, and the verbs beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tutor.language.morphology import lemmas
from tutor.training.clauses import Verb, Word
from tutor.training.words import words

_UNIT = r"(?:night|week|month|year|summer|winter|spring|autumn|weekend|time|\w+day)"
PAST_TIME = re.compile(
    rf"\b(?:yesterday|\w+ ago|last {_UNIT}|in (?:19|20)\d\d|the other day|when (?:\w+ ){{1,2}}was)\b"
)
FUTURE_TIME = re.compile(
    rf"\b(?:tomorrow|next {_UNIT}|in the future|tonight|some day|in \w+ (?:days|weeks|years))\b"
)
NOW = re.compile(r"\b(?:right now|at the moment|now|currently|look)\b")
HABIT = re.compile(
    r"\b(?:every (?:day|week|morning|night|year|summer)|usually|often|once a \w+|on \w+days)\b"
)
_SPAN = r"(?:years|months|weeks|days|hours|minutes|ages|time)"
SINCE = re.compile(
    rf"\b(?:since|for (?:\w+ ){{0,2}}{_SPAN}|for (?:an? (?:while|year|month|week|day|hour|moment)|long))\b"
)
BY_NOW = re.compile(r"\b(?:already|yet|so far|ever|never|just|lately|recently)\b")

_REPORTING = words("saying") | words("thinking")
_TIME_MARKS = words("time_marks")


def has_time(verb: Verb, pattern: re.Pattern[str]) -> bool:
    """Tell whether a time expression of the pattern stands in the verb's own clause."""
    matches = pattern.finditer(str(verb.doc.text).lower())
    return any(
        _clause_of(verb.doc.char_span(*match.span(), alignment_mode="expand").root) == verb.word
        for match in matches
    )


def _clause_of(word: Word) -> Word:
    """Climb from a time expression to the main verb that it belongs to."""
    if word.dep_ == "mark" or word.pos_ in {"VERB", "AUX"}:
        word = word.head if word.dep_ != "mark" else word.head.head
    while (word.pos_ not in {"VERB", "AUX"} or word.dep_ in {"aux", "auxpass"}) and word.head != word:
        word = word.head
    return word


def is_past(word: Word) -> bool:
    """Tell whether a verb or its auxiliary is a past form."""
    if word.tag_ == "VBD":
        return True
    return any(c.tag_ == "VBD" and c.dep_ in {"aux", "auxpass"} for c in word.children)


def is_present(word: Word) -> bool:
    """Tell whether a verb or its auxiliary is a present form."""
    finite = {"VBZ", "VBP"}
    return word.tag_ in finite or any(
        c.tag_ in finite and c.dep_ in {"aux", "auxpass"} for c in word.children
    )


def mark(word: Word) -> str:
    """Return the conjunction or time adverb that opens a clause."""
    return next(
        (c.lower_ for c in word.children if c.dep_ in {"mark", "advmod"} and c.lower_ in _TIME_MARKS), ""
    )


def beside(verb: Verb) -> Iterator[Word]:
    """Yield the verbs whose tense this verb's must follow: coordinated, or in a time clause of it."""
    word = verb.word
    own_subject = any(c.dep_.startswith("nsubj") for c in word.children)
    if word.dep_ == "conj" and (not own_subject or any(c.lower_ == "then" for c in word.children)):
        yield word.head
    if word.dep_ == "advcl" and mark(word):
        yield word.head
    for child in word.children:
        if (child.dep_ == "conj" and not any(c.dep_ == "nsubj" for c in child.children)) or (
            child.dep_ == "advcl" and mark(child)
        ):
            yield child


def is_reported(verb: Verb) -> bool:
    """Tell whether a verb stands in what someone said or thought, where "will" would be wrong.

    A present may stand for what is still true ("She said the museum is closed").
    """
    head = verb.word.head
    found = lemmas(head.lower_)[:1]
    return verb.word.dep_ == "ccomp" and head.tag_ == "VBD" and bool(found) and found[0] in _REPORTING


def in_conditional(verb: Verb) -> bool:
    """Tell whether a verb stands in an if-clause whose main clause has "would", "could" or "might"."""
    modal = {"would", "'d", "could", "might"}
    main = verb.word.head.children
    return verb.word.dep_ == "advcl" and mark(verb.word) == "if" and any(c.lower_ in modal for c in main)
