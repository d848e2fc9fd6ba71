"""Give a sentence's tense something to depend on: a time expression, a second clause, a reporting verb.

Short sentences show little of what decides a tense; with these additions a wrong tense is visibly wrong.
"""

from __future__ import annotations

from random import Random

from tutor.training.clauses import Doc, Verb, verbs
from tutor.training.sentences import MAX_WORDS, lower_first
from tutor.training.time_context import BY_NOW, FUTURE_TIME, HABIT, NOW, PAST_TIME, SINCE
from tutor.training.words import phrases, words

_STATES, _DURATIVE = words("states"), words("durative")


def with_context(doc: Doc, rng: Random) -> str | None:
    """Return the sentence with something its tense depends on, or None where nothing fits.

    Parameters
    ----------
    doc : spaCy Doc
        A correct sentence.
    rng : Random
        Source of chance.
    """
    text = str(doc.text)
    if text[-1] != "." or '"' in text or len(text.split()) > MAX_WORDS - 8:
        return None
    if any(t.search(text.lower()) for t in (PAST_TIME, FUTURE_TIME, NOW, HABIT, SINCE, BY_NOW)):
        return None
    found = [verb for verb in verbs(doc) if verb.finite is not None]
    if len(found) != 1 or found[0].word.dep_ != "ROOT" or found[0].subject is None:
        return None
    verb = found[0]
    first = verb.text(verb.finite) if verb.finite is not None else ""
    if doc[verb.finite].tag_ == "VBD" and first != "had":
        return _past(text, rng)
    if verb.shape == "modal" and first in {"will", "would", "could", "'ll"}:
        if first == "would" and verb.lemma == "like":
            return None
        clauses = {"would": ["would_clauses"], "could": ["past_times", "past_clauses"]}
        return _after(text, rng.choice(clauses.get(first, ["future_times", "future_clauses"])), rng)
    if verb.shape == "present":
        return _habit(verb, text, rng)
    if verb.shape == "continuous" and first in {"is", "are", "am", "'m", "'re", "'s"}:
        return _after(text, "now_times", rng)
    if (
        verb.shape in {"perfect", "continuous"}
        and first in {"have", "has", "'ve"}
        and verb.lemma in _DURATIVE
    ):
        return _after(text, "long_times", rng)
    return None


def _habit(verb: Verb, text: str, rng: Random) -> str | None:
    subject = verb.subject
    if verb.lemma in _STATES or verb.negated or subject is None or subject.pos_ != "PRON":
        return None
    return _after(text, rng.choice(["present_clauses", "present_times"]), rng)


def _past(text: str, rng: Random) -> str:
    draw = rng.random()
    if draw < 0.5:
        return _after(text, "past_times", rng)
    if draw < 0.88:
        return _after(text, "past_clauses", rng)
    return f"{rng.choice(phrases('past_frames'))} {lower_first(text)}"


def _after(text: str, additions: str, rng: Random) -> str:
    addition = rng.choice(phrases(additions))
    if rng.random() < 0.3 and not addition.startswith(("and ", "but ", "so ", "at ", "now")):
        return f"{addition[0].upper()}{addition[1:]}{',' if rng.random() < 0.6 else ''} {lower_first(text)}"
    return f"{text[:-1]} {addition}."
