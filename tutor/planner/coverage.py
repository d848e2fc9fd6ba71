"""Which verb groups a run must still look at: no verdict, not even "unchanged", before each likely group was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tutor.language.morphology import MODALS, Person
from tutor.language.tokens import Token
from tutor.language.verb_groups import VerbGroup, analyse, group_text, verb_groups
from tutor.planner.steps import Observed

LOOKS = 6  # leaves room under the step cap for the gloss and the answer


@dataclass(frozen=True, slots=True)
class Cluster:
    """A likely verb group with the auxiliaries that belong to it, and the arguments by which a call looks at it.

    Attributes
    ----------
    lemmas : tuple of str
        Values of ``verb`` for `conjugate` and `lookup_irregular_verb`.
    texts : tuple of str
        Values of ``verb`` for `check_subject_verb_agreement`.
    person : Person or None
        Person of its subject, where the sentence tells.
    negative : bool
        Whether it is negated.
    """

    lemmas: tuple[str, ...]
    texts: tuple[str, ...]
    person: Person | None
    negative: bool


def clusters(sentence: str, tokens: Sequence[Token]) -> tuple[Cluster, ...]:
    """Return the likely verb groups of a sentence in order, each with the auxiliaries of its run.

    An auxiliary that stands apart ("Do you go", "has never gone") is looked at by itself, but for a modal, which has one form.
    """
    found: list[Cluster] = []
    waiting: list[VerbGroup] = []
    for group in verb_groups(tokens):
        if group.is_auxiliary:
            waiting.append(group)
            continue
        apart = [each for each in waiting if each.head < group.first and not set(each.lemmas) & set(MODALS)]
        found += [_cluster(sentence, tokens, [each]) for each in apart]
        if group.likely:
            run = [each for each in waiting if each.head >= group.first]
            found.append(_cluster(sentence, tokens, [group, *run]))
        waiting = []
    return tuple(found)


def _cluster(sentence: str, tokens: Sequence[Token], members: Sequence[VerbGroup]) -> Cluster:
    head = members[0]
    lemmas = [lemma for member in members for lemma in member.lemmas if lemma not in MODALS]
    reading = analyse(tokens, head)
    return Cluster(
        lemmas=tuple(dict.fromkeys(lemmas or head.lemmas)),
        texts=tuple(dict.fromkeys(group_text(sentence, tokens, member) for member in members)),
        person=reading.person,
        negative=reading.negative and not head.is_auxiliary,
    )


def unseen(
    sentence: str, tokens: Sequence[Token], observed: Sequence[Observed], looks: int
) -> tuple[Cluster, ...]:
    """Return the groups that a call must still look at; none once `looks` calls were made.

    Parameters
    ----------
    sentence : str
        The sentence.
    tokens : sequence of Token
        Its tokens.
    observed : sequence of Observed
        The calls so far; a failed one counts as a look.
    looks : int
        Calls after which the run may answer all the same.
    """
    if len(observed) >= looks:
        return ()
    verbs = {str(step.call.args.get("verb")) for step in observed}
    return tuple(
        cluster
        for cluster in clusters(sentence, tokens)
        if verbs.isdisjoint(cluster.lemmas) and verbs.isdisjoint(cluster.texts)
    )
