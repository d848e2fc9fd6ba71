"""The verb groups of a sentence: what a correction may replace, and how each group reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tutor.language.agreement import persons
from tutor.language.morphology import Person, Tense
from tutor.language.noun_phrases import Span
from tutor.language.parse import Parse, parse
from tutor.language.tagged import AUXILIARY, candidates
from tutor.language.tenses import is_finite, read_tense
from tutor.language.tokens import Token
from tutor.language.verb_chains import Chain


@dataclass(frozen=True, slots=True)
class VerbGroup:
    """A head verb and the run of auxiliaries, ``to`` and ``not`` right before it.

    Attributes
    ----------
    head : int
        Token index of the head; of the auxiliary itself in an auxiliary's own group.
    first : int
        Token index where the run begins; ``head`` if there is none.
    lemmas : tuple of str
        Candidate lemmas of the head, likeliest first.
    is_auxiliary : bool
        Whether it is an auxiliary of another group, replaceable on its own.
    likely : bool
        False for a word that could be a verb form but most probably is not one here.
    """

    head: int
    first: int
    lemmas: tuple[str, ...]
    is_auxiliary: bool
    likely: bool


@dataclass(frozen=True, slots=True)
class GroupAnalysis:
    """The best deterministic reading of a group; ``subject`` is a token span, its end exclusive.

    ``finite`` is the token that agrees with the subject, the first auxiliary or the verb itself; it may stand
    apart from the group ("does | she | go"). None for a non-finite group, whose person is that of the subject it
    would have if its auxiliary was not missing ("they building").
    """

    tense: Tense | None
    person: Person | None
    negative: bool
    subject: tuple[int, int] | None
    finite: int | None


def verb_groups(tokens: Sequence[Token]) -> tuple[VerbGroup, ...]:
    """Return the verb groups of a sentence in order of their heads, unlikely ones included."""
    return _verb_groups(tuple(tokens))


@lru_cache(maxsize=256)
def _verb_groups(tokens: tuple[Token, ...]) -> tuple[VerbGroup, ...]:
    found = parse(tokens)
    auxiliaries = {place for chain in found.chains for place in chain.auxiliaries}
    groups = []
    for head, candidate in candidates(found.sentence.tokens).items():
        is_auxiliary, likely = head in auxiliaries, head in found.sentence.verbs
        first = head if is_auxiliary else _run_start(found, auxiliaries, head)
        groups.append(VerbGroup(head, first, candidate.lemmas, is_auxiliary, likely))
    return tuple(groups)


def group_text(sentence: str, tokens: Sequence[Token], group: VerbGroup) -> str:
    """Return the run of a group as written in the sentence."""
    return sentence[tokens[group.first].start : tokens[group.head].end]


def analyse(tokens: Sequence[Token], group: VerbGroup) -> GroupAnalysis:
    """Return tense, person, polarity and subject of a group; an auxiliary's are those of its main verb."""
    return _analysis(tuple(tokens), group)


@lru_cache(maxsize=1024)
def _analysis(tokens: tuple[Token, ...], group: VerbGroup) -> GroupAnalysis:
    found = parse(tokens)
    chain = _chain_of(found, group)
    subject = found.subjects.get(chain.head)
    agreeing = subject or _without_auxiliary(found, chain)
    return GroupAnalysis(
        tense=read_tense(tokens, chain, found.sentence.lemma(chain.head)),
        person=persons(tokens[agreeing[0] : agreeing[1]])[0] if agreeing else None,
        negative=_is_negative(found, chain),
        subject=subject,
        finite=chain.start if is_finite(found.sentence, chain) else None,
    )


def _without_auxiliary(found: Parse, chain: Chain) -> Span | None:
    """Return the noun phrase that lacks a verb right before a non-finite one: "they | building", "I | seen it"."""
    return next((span for span in found.verbless if span[1] == chain.start), None)


def _chain_of(found: Parse, group: VerbGroup) -> Chain:
    for chain in found.chains:
        if group.head == chain.head or group.head in chain.auxiliaries:
            return chain
    run = range(group.first, group.head)
    return Chain(group.head, tuple(place for place in run if found.sentence.norm(place) in AUXILIARY))


def _run_start(found: Parse, auxiliaries: set[int], head: int) -> int:
    first = head
    while first - 1 in auxiliaries or found.sentence.norm(first - 1) in ("to", "not"):
        first -= 1
    return first


def _is_negative(found: Parse, chain: Chain) -> bool:
    around = {chain.start - 1, *range(chain.start, chain.head + 2)}
    return any(found.sentence.norm(place) == "not" for place in around)
