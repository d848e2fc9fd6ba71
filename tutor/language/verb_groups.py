"""The verb groups of a sentence: what a correction may replace, and how each group reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tutor.language.clauses import subjects
from tutor.language.morphology import Person, Tense
from tutor.language.agreement import persons
from tutor.language.tenses import read_tense
from tutor.language.tokens import Token
from tutor.language.verb_chains import AUXILIARY, Chain, candidates, chains


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
    """The best deterministic reading of a group; ``subject`` is a token span, its end exclusive."""

    tense: Tense | None
    person: Person | None
    negative: bool
    subject: tuple[int, int] | None


def verb_groups(tokens: Sequence[Token]) -> tuple[VerbGroup, ...]:
    """Return the verb groups of a sentence in order of their heads, unlikely ones included."""
    tokens = tuple(tokens)
    auxiliaries = {index for chain in chains(tokens) for index in chain.auxiliaries}
    groups = []
    for head, candidate in candidates(tokens).items():
        first = head if head in auxiliaries else _run_start(tokens, auxiliaries, head)
        groups.append(VerbGroup(head, first, candidate.lemmas, head in auxiliaries, candidate.likely))
    return tuple(groups)


def group_text(sentence: str, tokens: Sequence[Token], group: VerbGroup) -> str:
    """Return the run of a group as written in the sentence."""
    return sentence[tokens[group.first].start : tokens[group.head].end]


def analyse(tokens: Sequence[Token], group: VerbGroup) -> GroupAnalysis:
    """Return tense, person, polarity and subject of a group; an auxiliary's are those of its main verb."""
    tokens = tuple(tokens)
    chain = _chain_of(tokens, group)
    subject = subjects(tokens).get(chain.head)
    return GroupAnalysis(
        tense=read_tense(tokens, chain, group.lemmas[0] if group.head == chain.head else None),
        person=persons(tokens[subject[0] : subject[1]])[0] if subject else None,
        negative=_is_negative(tokens, chain),
        subject=subject,
    )


def _chain_of(tokens: tuple[Token, ...], group: VerbGroup) -> Chain:
    for chain in chains(tokens):
        if group.head == chain.head or group.head in chain.auxiliaries:
            return chain
    run = range(group.first, group.head)
    return Chain(group.head, tuple(i for i in run if tokens[i].norm in AUXILIARY), None)


def _run_start(tokens: tuple[Token, ...], auxiliaries: set[int], head: int) -> int:
    first = head
    while first > 0 and (first - 1 in auxiliaries or tokens[first - 1].norm in ("to", "not")):
        first -= 1
    return first


def _is_negative(tokens: tuple[Token, ...], chain: Chain) -> bool:
    around = {*range(chain.start, chain.head + 2), chain.start - 1}
    return any(tokens[i].norm == "not" for i in around if 0 <= i < len(tokens))
