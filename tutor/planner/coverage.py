"""Which verb groups a run must still look at: no verdict, not even "unchanged", before each likely group was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tutor.language.morphology import MODALS, Person, Tense, is_known_word
from tutor.language.tokens import Token
from tutor.language.verb_groups import GroupAnalysis, VerbGroup, analyse, group_text, verb_groups
from tutor.planner.steps import Observed

LOOKS = 6  # leaves room under the step cap for the gloss and the answer
SPAN_WORDS = 8
_PERSONAL = frozenset(("am", "is", "are", "was", "were", "have", "has", "do", "does", "'s"))


@dataclass(frozen=True, slots=True)
class Cluster:
    """A likely verb group with the auxiliaries that belong to it, and the arguments by which a call looks at it.

    Attributes
    ----------
    lemmas : tuple of str
        Values of ``verb`` for `conjugate` and `lookup_irregular_verb`.
    texts : tuple of str
        Values of ``verb`` for `check_subject_verb_agreement`.
    subject : str or None
        Its subject as written, up to `SPAN_WORDS` words, if it is a group that agrees with one.
    person : Person or None
        Person of its subject, where the sentence tells.
    negative : bool
        Whether it is negated.
    non_word : bool
        Whether its head is no English word.
    """

    lemmas: tuple[str, ...]
    texts: tuple[str, ...]
    subject: str | None
    person: Person | None
    negative: bool
    non_word: bool


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
    subject = reading.subject if _agrees(tokens, head, reading) else None
    return Cluster(
        lemmas=tuple(dict.fromkeys(lemmas or head.lemmas)),
        texts=tuple(dict.fromkeys(group_text(sentence, tokens, member) for member in members)),
        subject=_span(sentence, tokens[subject[0] : subject[1]]) if subject else None,
        person=reading.person,
        negative=reading.negative and not head.is_auxiliary,
        non_word=not is_known_word(tokens[head.head].norm),
    )


def _agrees(tokens: Sequence[Token], head: VerbGroup, reading: GroupAnalysis) -> bool:
    """Return whether a group holds a word that has a form for each person: a present tense, or was and were."""
    finite = reading.finite
    if finite is None or not head.first <= finite <= head.head:
        return False
    return tokens[finite].norm in _PERSONAL or (finite == head.head and reading.tense is Tense.present_simple)


def _span(sentence: str, tokens: Sequence[Token]) -> str | None:
    """Return a span as written, from its first word over at most `SPAN_WORDS` words."""
    words = [token for token in tokens if token.is_word][:SPAN_WORDS]
    return sentence[words[0].start : words[-1].end] if words else None


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
