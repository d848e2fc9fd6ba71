"""Which verb groups a run must still look at: no verdict, not even "unchanged", before each likely group was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tutor.language.mood import is_subjunctive
from tutor.language.morphology import MODALS, Person, Tense, is_known_word
from tutor.language.tokens import Token
from tutor.language.verb_groups import GroupAnalysis, VerbGroup, analyse, group_text, verb_groups
from tutor.planner.steps import Observed, ToolCall
from tutor.tools.check_subject_verb_agreement import Result as Agreement
from tutor.tools.registry import call

LOOKS = 6  # leaves room under the step cap for the gloss and the answer
SPAN_WORDS = 8
_PERSONAL = frozenset(("am", "is", "are", "was", "were", "have", "has", "do", "does", "'s"))


@dataclass(frozen=True, slots=True)
class Group:
    """A verb group to look at, and the arguments by which a call does.

    Attributes
    ----------
    head : int
        Token index of its head.
    lemmas : tuple of str
        Values of ``verb`` for `conjugate` and `lookup_irregular_verb`.
    text : str
        The group as written, ``verb`` of `check_subject_verb_agreement`.
    subject : str or None
        Its subject as written, up to `SPAN_WORDS` words, if it is a group that agrees with one.
    person : Person or None
        Person of its subject, where the sentence tells.
    negative : bool
        Whether it is negated.
    question : bool
        Whether its subject stands between its finite auxiliary and the rest: "does | she | go".
    non_word : bool
        Whether its head is no English word.
    disagrees : bool
        Whether it does not agree with its subject.
    """

    head: int
    lemmas: tuple[str, ...]
    text: str
    subject: str | None
    person: Person | None
    negative: bool
    question: bool
    non_word: bool
    disagrees: bool


@lru_cache(maxsize=256)
def groups(sentence: str, tokens: tuple[Token, ...]) -> tuple[Group, ...]:
    """Return the likely verb groups of a sentence in order.

    An auxiliary that stands apart ("Do you go", "has never gone") is looked at by itself, but for a modal, which has one form.
    """
    found: list[Group] = []
    waiting: list[VerbGroup] = []
    heads = {each.head: each for each in verb_groups(tokens) if each.likely and not each.is_auxiliary}
    for group in verb_groups(tokens):
        if group.is_auxiliary:
            waiting.append(group)
            continue
        apart = [each for each in waiting if each.head < group.first and not set(each.lemmas) & set(MODALS)]
        found += [_group(sentence, tokens, each) for each in apart]
        if group.likely:
            bare = _is_bare(tokens, heads.get(group.first - 1), group)
            found.append(_group(sentence, tokens, group, agrees=not bare))
        waiting = []
    return tuple(found)


def _is_bare(tokens: Sequence[Token], before: VerbGroup | None, group: VerbGroup) -> bool:
    """Return whether a base form right behind another verb lacks "to" rather than agreement.

    It does in "he wants buy", not in "the boy that he likes buy", where the other verb has its own subject.
    """
    if before is None or tokens[group.head].norm not in group.lemmas:
        return False
    own, other = (analyse(tokens, each).subject for each in (group, before))
    return own is None or other is None or own == other


def _group(sentence: str, tokens: Sequence[Token], group: VerbGroup, *, agrees: bool = True) -> Group:
    """Return a group with what the sentence says of it."""
    reading = analyse(tokens, group)
    span = reading.subject if agrees and _agrees(tokens, group, reading) else None
    subject = _span(sentence, tokens[span[0] : span[1]]) if span else None
    text = group_text(sentence, tokens, group)
    return Group(
        head=group.head,
        lemmas=group.lemmas,
        text=text,
        subject=subject,
        person=reading.person,
        negative=reading.negative and not group.is_auxiliary,
        question=is_inverted(group, reading),
        non_word=not is_known_word(tokens[group.head].norm),
        disagrees=subject is not None and _disagrees(subject, text),
    )


def is_inverted(group: VerbGroup, reading: GroupAnalysis) -> bool:
    """Return whether the subject of a group, no auxiliary's own, stands between its finite auxiliary and itself."""
    return (
        not group.is_auxiliary
        and reading.finite is not None
        and reading.subject is not None
        and reading.finite < reading.subject[0] < group.first
    )


def _disagrees(subject: str, text: str) -> bool:
    found = call("check_subject_verb_agreement", {"subject": subject, "verb": text})
    return isinstance(found, Agreement) and found.agrees is False


def _agrees(tokens: Sequence[Token], head: VerbGroup, reading: GroupAnalysis) -> bool:
    """Return whether a group holds a word that has a form for each person: a present tense, or was and were."""
    finite = reading.finite
    if finite is None or not head.first <= finite <= head.head or _stands_alone(tokens, finite):
        return False
    return tokens[finite].norm in _PERSONAL or (finite == head.head and reading.tense is Tense.present_simple)


def _stands_alone(tokens: Sequence[Token], finite: int) -> bool:
    """Return whether a finite form has no subject to agree with: a subjunctive, "please call", "as follows"."""
    before = tokens[finite - 1].norm if finite else ""
    return (
        before == "please"
        or (before == "as" and tokens[finite].norm == "follows")
        or is_subjunctive(tokens, finite)
    )


def _span(sentence: str, tokens: Sequence[Token]) -> str | None:
    """Return a span as written, from its first word over at most `SPAN_WORDS` words."""
    words = [token for token in tokens if token.is_word][:SPAN_WORDS]
    return sentence[words[0].start : words[-1].end] if words else None


def unseen(
    sentence: str, tokens: tuple[Token, ...], observed: Sequence[Observed], looks: int
) -> tuple[Group, ...]:
    """Return the groups that a call must still look at; none once `looks` calls were made.

    Parameters
    ----------
    sentence : str
        The sentence.
    tokens : tuple of Token
        Its tokens.
    observed : sequence of Observed
        The calls so far; a failed one counts as a look.
    looks : int
        Calls after which the run may answer all the same.
    """
    if len(observed) >= looks:
        return ()
    return tuple(
        group
        for group in groups(sentence, tokens)
        if not any(_is_look(step.call, group) for step in observed)
    )


def _is_look(made: ToolCall, group: Group) -> bool:
    """Return whether a call has the arguments by which this group is looked at; its verb and tense may be any."""
    args = made.args
    if made.tool == "check_subject_verb_agreement":
        return (args["subject"], args["verb"]) == (group.subject, group.text)
    if args.get("verb") not in group.lemmas:
        return False
    if made.tool == "lookup_irregular_verb":
        return group.non_word
    order = (args.get("negative", False), args.get("question", False))
    return order == (group.negative, group.question) and group.person in (None, args["person"])
