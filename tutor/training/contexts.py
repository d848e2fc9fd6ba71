"""Give a sentence's tense something to depend on: a time expression, a second clause, a reporting verb.

A corpus of short sentences shows little of what decides a tense; with these additions a wrong tense is visibly wrong.
"""

from __future__ import annotations

from random import Random

from tutor.training.clauses import Doc, verbs
from tutor.training.sentences import MAX_WORDS, lower_first
from tutor.training.tense_slips import BY_NOW, FUTURE_TIME, HABIT, NOW, PAST_TIME, SINCE

_PAST_TIMES = """yesterday|last night|last week|last year|last month|two days ago|a week ago|three years ago|in 2015|
last summer|last weekend|an hour ago|the other day|last Saturday|in 2019|a long time ago""".replace("\n", "").split("|")
_PAST_CLAUSES = """when I was a child|when I got home|when the phone rang|because I was tired|before the film started|
after we had dinner|while my parents were sleeping|and then I went home|and after that we went to bed|
when I lived in Spain|because it was raining|when we were young|but nobody said anything|so I called my mother|
when the lesson finished|as soon as the train arrived|and everybody was happy""".replace("\n", "").split("|")
_PAST_FRAMES = """He said that|She told me that|I thought that|I didn't know that|My mother said|They told us that|
I knew that|We heard that|The teacher explained that|I realized that|I was sure that""".replace("\n", "").split("|")
_FUTURE_TIMES = """tomorrow|next week|next year|next month|tonight|next summer|in two weeks|in the future|
tomorrow morning""".replace("\n", "").split("|")
_FUTURE_CLAUSES = """if the weather is good|when I finish my homework|if I have time|if you want|as soon as he comes|
when the rain stops|if they ask me|before the shop closes|if she needs help|when we arrive|if nothing changes|
until the teacher comes""".replace("\n", "").split("|")
_WOULD_CLAUSES = """if I had more money|if I were you|if he had more time|if they knew the truth|if it was possible|
if we lived nearby|if you asked me""".replace("\n", "").split("|")
_PRESENT_TIMES = """every day|every morning|on Sundays|every week|once a week|every summer""".replace("\n", "").split("|")
_PRESENT_CLAUSES = """when it rains|when I have time|when the weather is nice|when she comes home|
and everybody knows it|before we have breakfast|if nobody helps|when the lesson finishes""".replace("\n", "").split("|")
_NOW_TIMES = ["now", "right now", "at the moment", "at this moment"]
_LONG_TIMES = """for five years|since 2018|for a long time|since last year|for many years|since I was a child|
since January|for three months""".replace("\n", "").split("|")
_STATES = frozenset("be have know want need like love seem mean own believe think hope understand look".split())
_DURATIVE = frozenset("live work know be study have play teach wait use like love want drive sing write read own".split())


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
        clauses = {"would": [_WOULD_CLAUSES], "could": [_PAST_TIMES, _PAST_CLAUSES]}
        return _after(text, rng.choice(clauses.get(first, [_FUTURE_TIMES, _FUTURE_CLAUSES])), rng)
    if verb.shape == "present":
        habitual = verb.lemma not in _STATES and verb.subject.pos_ == "PRON" and not verb.negated
        return _after(text, rng.choice([_PRESENT_CLAUSES, _PRESENT_TIMES]), rng) if habitual else None
    if verb.shape == "continuous" and first in {"is", "are", "am", "'m", "'re", "'s"}:
        return _after(text, _NOW_TIMES, rng)
    if verb.shape in {"perfect", "continuous"} and first in {"have", "has", "'ve"} and verb.lemma in _DURATIVE:
        return _after(text, _LONG_TIMES, rng)
    return None


def _past(text: str, rng: Random) -> str:
    draw = rng.random()
    if draw < 0.45:
        return _after(text, _PAST_TIMES, rng)
    if draw < 0.75:
        return _after(text, _PAST_CLAUSES, rng)
    return f"{rng.choice(_PAST_FRAMES)} {lower_first(text)}"


def _after(text: str, additions: list[str], rng: Random) -> str:
    addition = rng.choice(additions)
    if rng.random() < 0.3 and not addition.startswith(("and ", "but ", "so ", "at ", "now")):
        return f"{addition[0].upper()}{addition[1:]}{',' if rng.random() < 0.6 else ''} {lower_first(text)}"
    return f"{text[:-1]} {addition}."
