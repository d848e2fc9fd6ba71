"""Find the words of a sentence that can be verbs, and which auxiliaries belong to which main verb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tutor.language.morphology import learner_lemmas, lemmas
from tutor.language.tokens import Token
from tutor.language.verb_likelihood import verb_log_odds
from tutor.language.word_classes import closed_class, function_words, shares

BE, HAVE, DO, MODAL = (closed_class(name) for name in ("be", "have", "do", "modal"))
AUXILIARY = BE | HAVE | DO | MODAL | {"'s", "'d"}
_CLITIC_LEMMAS = {"'s": ("be", "have"), "'d": ("will", "have")}
_CLAUSE_OPENERS = closed_class("wh_word") | closed_class("coordinator") | {"neither", "never", "so", "then"}
_NEVER_VERBS = frozenset({"to", "not", "i", "a", "an", "the", "us", "or", "this", "in", "as"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """A word that can be a verb form: its lemmas and whether it probably is a verb here."""

    lemmas: tuple[str, ...]
    likely: bool


@dataclass(frozen=True, slots=True)
class Chain:
    """A main verb with its auxiliaries, in order of position; ``subject`` is set when they are inverted."""

    head: int
    auxiliaries: tuple[int, ...]
    subject: tuple[int, int] | None

    @property
    def start(self) -> int:
        """Position of the first word of the chain."""
        return self.auxiliaries[0] if self.auxiliaries else self.head


def verb_lemmas(norm: str) -> tuple[str, ...]:
    """Return the lemmas that a normalised word can be a form of, a learner's form and ``'s`` included."""
    return _CLITIC_LEMMAS.get(norm) or lemmas(norm) or learner_lemmas(norm)


@lru_cache(maxsize=256)
def candidates(tokens: tuple[Token, ...]) -> dict[int, Candidate]:
    """Return each position that can hold a verb form. Callers must not change the result."""
    found: dict[int, Candidate] = {}
    for index, token in enumerate(tokens):
        if not token.is_word or token.norm in _NEVER_VERBS or _is_us(tokens, index):
            continue
        if known := verb_lemmas(token.norm):
            found[index] = Candidate(known, verb_log_odds(tokens, index) > 0)
    return found


@lru_cache(maxsize=256)
def chains(tokens: tuple[Token, ...]) -> tuple[Chain, ...]:
    """Return the chains of the likely verbs, in order of their first word."""
    verbs = [index for index, candidate in candidates(tokens).items() if candidate.likely]
    link = {index: target for index in verbs if (target := _governed(tokens, verbs, index))}
    by_head: dict[int, Chain] = {}
    for index in verbs:
        if index not in link:
            by_head[index] = Chain(index, (), None)
    for index in sorted(link):
        head, subject = link[index]
        while head in link:
            head, inner = link[head]
            subject = subject or inner
        chain = by_head[head]
        by_head[head] = Chain(head, (*chain.auxiliaries, index), chain.subject or subject)
    return tuple(sorted(by_head.values(), key=lambda chain: chain.start))


def is_adverb(token: Token) -> bool:
    """Return whether a word is read as an adverb out of context."""
    if token.norm in closed_class("adverb"):
        return True
    share = shares().get(token.norm)
    return share.adverb > 0.5 if share else token.norm.endswith("ly") and len(token.norm) > 4


def _is_us(tokens: Sequence[Token], index: int) -> bool:
    return tokens[index].norm == "'s" and index > 0 and tokens[index - 1].norm == "let"


def _governed(
    tokens: tuple[Token, ...], verbs: list[int], index: int
) -> tuple[int, tuple[int, int] | None] | None:
    """Return the verb that an auxiliary governs, with the subject between them if they are inverted."""
    if tokens[index].norm not in AUXILIARY:
        return None
    place = index + 1
    while place < len(tokens) and (tokens[place].norm == "not" or is_adverb(tokens[place])):
        if place in verbs:
            break
        place += 1
    if place < len(tokens) and tokens[place].norm == "to" and place + 1 in verbs:
        return (place + 1, None) if _takes_to(tokens, index) else None
    if place in verbs:
        return place, None
    if not _opens_clause(tokens, index):
        return None
    end = _noun_phrase_end(tokens, verbs, place)
    if end == place:
        return None
    verb = end
    while (
        verb < len(tokens) and (tokens[verb].norm == "not" or is_adverb(tokens[verb])) and verb not in verbs
    ):
        verb += 1
    return (verb, (place, end)) if verb in verbs else None


def _takes_to(tokens: Sequence[Token], index: int) -> bool:
    """Tell "have to go" and the learner's "can to go" from "the plan is to go" and "what I do to help"."""
    norm = tokens[index].norm
    if norm in MODAL or norm in HAVE:
        return True
    return index > 0 and tokens[index - 1].norm in closed_class("subject_pronoun") | {"it", "you"}


def _opens_clause(tokens: Sequence[Token], index: int) -> bool:
    if index == 0 or not tokens[index - 1].is_word:
        return True
    if tokens[index - 1].norm in _CLAUSE_OPENERS:
        return True
    # "How many books did he", "Which dog does she": a question word opens the clause.
    return any(
        tokens[place].norm in ("how", "what", "which", "whose") for place in range(max(0, index - 4), index)
    )


def _noun_phrase_end(tokens: Sequence[Token], verbs: list[int], start: int) -> int:
    """Return where the noun phrase that starts here ends, at a verb at the latest."""
    place = start
    pronouns = closed_class("subject_pronoun") | closed_class("either_pronoun") | {"there"}
    if place < len(tokens) and tokens[place].norm in pronouns | closed_class("indefinite_pronoun"):
        return place + 1
    while place < len(tokens) and place not in verbs and _inside_noun_phrase(tokens[place]):
        place += 1
    return place


def _inside_noun_phrase(token: Token) -> bool:
    if not token.is_word:
        return token.text[0].isdigit() or token.text == "-"
    inside = closed_class("determiner") | closed_class("possessive") | closed_class("demonstrative")
    inside |= closed_class("number") | {"of", "and", "'s"}
    return token.norm in inside or token.norm not in function_words()
