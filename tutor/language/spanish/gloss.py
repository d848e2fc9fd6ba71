"""Spanish glosses of simple English sentences: a small transfer grammar that answers or says nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain

from tutor.language.morphology import Person
from tutor.language.spanish import adjuncts, lexicon
from tutor.language.spanish.clauses import clauses, verb_phrases
from tutor.language.spanish.nouns import noun_phrases
from tutor.language.spanish.parts import Scope
from tutor.language.spanish.phrases import contract
from tutor.language.spanish.questions import questions
from tutor.language.spanish.reader import NoGlossError, Reader
from tutor.language.spanish.times import time_phrases
from tutor.language.spanish.verbs import VerbGroup, infinitive_groups
from tutor.language.word_classes import shares

MAX_WORDS = 20
_CONJUNCTIONS = {"and": "y", "but": "pero", "because": "porque", "so": "así que", "or": "o"}
_TAG_AUXILIARIES = frozenset(
    {
        "is", "are", "was", "were", "do", "does", "did", "have", "has", "had", "can", "could", "will",
        "would", "should", "am",
    }
)  # fmt: skip
_TAG_PRONOUNS = frozenset(["i", "you", "he", "she", "it", "we", "they"])
_SUBORDINATORS = {
    "if": "si", "when": "cuando", "because": "porque", "while": "mientras", "although": "aunque",
}  # fmt: skip
_LEADS = {
    "yes": "sí", "no": "no", "yesterday": "ayer", "today": "hoy", "tomorrow": "mañana", "now": "ahora",
    "sometimes": "a veces", "maybe": "quizás", "perhaps": "quizás", "usually": "normalmente",
    "suddenly": "de repente", "unfortunately": "desafortunadamente", "fortunately": "afortunadamente",
    "finally": "por fin", "then": "entonces", "please": "por favor", "tonight": "esta noche",
    "here": "aquí",
}  # fmt: skip


@lru_cache(maxsize=4096)
def gloss(sentence: str) -> str | None:
    """Return the Spanish for a simple English sentence, or ``None``.

    Parameters
    ----------
    sentence : str
        One sentence, at most 20 words.

    Returns
    -------
    str or None
        ``None`` when the lexicon lacks a word or the grammar does not cover a structure: never a guess.
    """
    reader = Reader.of(sentence)
    stripped = sentence.strip()
    if not 0 < len(reader) <= MAX_WORDS:
        return None
    if fixed := lexicon.phrases().get(reader.words(0, len(reader))):
        return _punctuated(fixed, stripped) if not fixed.endswith("...") else None
    try:
        for text in _sentences(reader, question=stripped.endswith("?"), shout=stripped.endswith("!")):
            return _punctuated(text, stripped)
    except (NoGlossError, RecursionError):
        return None
    return None


def _punctuated(text: str, sentence: str) -> str:
    text = contract(text).replace(" ,", ",")
    text = text[0].upper() + text[1:]
    for closing, opening in (("?", "¿"), ("!", "¡")):
        if sentence.endswith(closing):
            return text + closing if opening in text else f"{opening}{text}{closing}"
    return text + "." if sentence.endswith(".") else text


def _sentences(reader: Reader, *, question: bool, shout: bool) -> Iterator[str]:
    end = len(reader)
    for lead, i in _leads(reader):
        if question:
            found: Iterator[tuple[str, int]] = chain(questions(reader, i), _tagged(reader, i))
        else:
            rules = (_coordinated, _imperatives)
            share = shares().get(reader.word(i))
            if share and share.verb > share.noun:
                rules = (_imperatives, _coordinated)
            found = (reading for rule in rules for reading in rule(reader, i))
        for text, j in found:
            if j == end:
                yield f"{lead} {text}".strip()
            elif (not question and reader.word(j) in ("please",) and j == end - 1) or (
                reader.word(j) == "," and reader.word(j + 1) == "please" and j + 2 == end
            ):
                yield f"{lead} {text}, por favor".strip()


def _tagged(reader: Reader, i: int) -> Iterator[tuple[str, int]]:
    """Read a statement with a question tag: "isn't it?", "do you?", "right?"."""
    for text, j in _coordinated(reader, i):
        tail = reader.words(j + 1, len(reader)).split()
        auxiliary = tail and tail[0] in _TAG_AUXILIARIES and len(tail) <= 3 and tail[-1] in _TAG_PRONOUNS
        if reader.word(j) == "," and (tail == ["right"] or auxiliary):
            yield f"{text} , ¿verdad", len(reader)


def _leads(reader: Reader) -> Iterator[tuple[str, int]]:
    """Yield what may stand before the clause: nothing, an adverb, a time expression."""
    yield "", 0
    word = reader.word(0)
    if word in _LEADS:
        comma = reader.word(1) == ","
        if comma or word not in ("yes", "no", "here"):
            yield _LEADS[word] + (" ," if comma else ""), 1 + comma
    if word in _SUBORDINATORS:
        end = len(reader)
        ahead = (word == "when" and _ahead(reader, 1, end)) or (word == "if" and _supposes(reader, 1, end))
        for text, j in clauses(reader, 1, subjunctive=ahead):
            if reader.word(j) == ",":
                yield f"{_SUBORDINATORS[word]} {text} ,", j + 1
    subject = VerbGroup()
    for text, j in (*time_phrases(reader, 0), *adjuncts.prepositional(reader, 0)):
        comma = reader.word(j) == ","
        if subject.simple:
            yield text + (" ," if comma else ""), j + comma


def _coordinated(reader: Reader, i: int) -> Iterator[tuple[str, int]]:
    for text, j in clauses(reader, i):
        if j == len(reader):
            yield text, j
            continue
        comma = reader.word(j) == ","
        word = reader.word(j + comma)
        if word in _CONJUNCTIONS and (word != "or"):
            for other, k in _coordinated(reader, j + comma + 1):
                yield f"{text}{' ,' if comma or word == 'but' else ''} {_CONJUNCTIONS[word]} {other}", k
        elif word in ("when", "if", "while") and not comma:
            hypothetical = word == "if" and _supposes(reader, i, j)
            ahead = word == "when" and _ahead(reader, i, j)
            for other, k in clauses(reader, j + 1, subjunctive=ahead or hypothetical):
                yield f"{text} {_SUBORDINATORS[word]} {other}", k
        else:
            yield text, j


def _ahead(reader: Reader, i: int, j: int) -> bool:
    """Say whether a main clause looks ahead, so that its "when" calls for the subjunctive."""
    return bool({"will", "going", "must", "should", "can"} & {token.norm for token in reader.tokens[i:j]})


def _supposes(reader: Reader, i: int, j: int) -> bool:
    """Say whether a main clause is conditional, so that its "if" calls for the past subjunctive."""
    return bool({"would", "could", "might", "'d"} & {token.norm for token in reader.tokens[i:j]})


def _imperatives(reader: Reader, i: int) -> Iterator[tuple[str, int]]:
    you = next(phrase for phrase, _ in noun_phrases(Reader.of("you"), 0, "subject"))
    start = reader.skip(i, "do", "not")
    if reader.skip(i, "let", "'s") is not None:
        we = replace(you, lemma="we", person=Person.first_pl, plural=True)
        for group, j in infinitive_groups(reader, i + 2):
            if group.before:
                return
            for predicate, k in verb_phrases(reader, j, Scope(we, group)):
                yield f"vamos a {predicate.verb} {predicate.rest}".strip(), k
        return
    if reader.words(i, i + 2) == "thank you":
        yield from _thanks(reader, i + 2)
    alone = len(reader) == i + 1 and lexicon.entry(reader.word(i), "noun")  # "Fire!" is hardly an order
    if alone or reader.word(i) in ("never", "thank", "please"):
        return
    for group, j in infinitive_groups(reader, i if start is None else start, "imperative"):
        denied = group if start is None else replace(group, before=("no", *group.before))
        for predicate, k in verb_phrases(reader, j, Scope(you, denied)):
            yield f"{predicate.verb} {predicate.rest}".strip(), k


def _thanks(reader: Reader, i: int) -> Iterator[tuple[str, int]]:
    """Read what follows "thank you"."""
    text = "gracias"
    for much in ("very much", "so much"):
        if reader.words(i, i + 2) == much:
            text, i = "muchas gracias", i + 2
    if reader.word(i) == "for":
        for phrase, j in noun_phrases(reader, i + 1):
            if phrase.kind in ("noun", "indefinite") and not phrase.negative:
                yield f"{text} por {phrase.text}", j
    yield text, i
