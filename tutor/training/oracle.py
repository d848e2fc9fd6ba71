"""The exact oracle: the tool calls that a tutor who knows the corrections makes.

``python -m tutor.training.oracle --pairs pairs.jsonl --out traces.jsonl --rows 25000`` writes traces.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from tutor.language.morphology import MODALS, NON_FINITE, Person, Tense
from tutor.language.tokens import Token, tokenize
from tutor.language.verb_groups import GroupAnalysis, VerbGroup, analyse, verb_groups
from tutor.planner.coverage import LOOKS, Group, groups, unseen
from tutor.planner.lattice import lattice
from tutor.planner.schema import ALWAYS_VERBS
from tutor.planner.steps import Observed, ToolCall
from tutor.tools.base import ToolError
from tutor.training.errors import Broken, Edit
from tutor.training.examples import made
from tutor.training.pairs import write_rows

_PRESENT = ("present", "past_continuous", "past_passive")


class OutOfReachError(ValueError):
    """The tools' evidence does not yield the correction."""


@dataclasses.dataclass(frozen=True, slots=True)
class _Look:
    """A verb group to look at, what is wrong with it, and how the written and the right version read."""

    group: Group
    is_auxiliary: bool
    edits: tuple[Edit, ...]
    written: GroupAnalysis
    right: GroupAnalysis
    right_lemmas: tuple[str, ...]


def oracle_steps(broken: Broken) -> list[dict[str, Any]]:
    """Return the tool calls for a sentence, then the Spanish of the correction.

    First come the looks that the mask asks for, in order, then the forms of wrong words that these did not return.

    Parameters
    ----------
    broken : Broken
        A sentence whose corrections are known.

    Returns
    -------
    list of dict
        ``{"tool": name, "args": {...}}``; every call is one that the mask allows.

    Raises
    ------
    OutOfReachError
        If the observations do not allow the correction, or a verb error lies outside every likely group.
    """
    observed: list[Observed] = []
    tokens = tokenize(broken.source)
    looks = {look.group: look for look in _looks(broken, tokens)}
    while waiting := [looks[group] for group in unseen(broken.source, tokens, observed, LOOKS)]:
        observed.append(_observe(broken.source, _next(waiting, len(observed)), len(observed) + 1))
    observed = _further(broken, tokens, observed)
    try:
        lattice(broken.source, observed).explain(broken.target)
    except ValueError as error:
        raise OutOfReachError(broken.source) from error
    steps: list[dict[str, Any]] = [{"tool": step.call.tool, "args": step.call.args} for step in observed]
    return [*steps, {"tool": "lookup_spanish", "args": {"word": broken.target}}]


def _next(waiting: Sequence[_Look], calls: int) -> _Look:
    """Return the first of the groups to look at; those without an error give way where there are too many."""
    wrong = [look for look in waiting if look.edits]
    return wrong[0] if wrong and len(wrong) >= LOOKS - calls else waiting[0]


def _looks(broken: Broken, tokens: tuple[Token, ...]) -> Iterator[_Look]:
    written = {group.head: group for group in verb_groups(tokens)}
    for group in groups(broken.source, tokens):
        own = written[group.head]
        right, right_lemmas = _meant(broken, tokens, own)
        yield _Look(
            group=group,
            is_auxiliary=own.is_auxiliary,
            edits=tuple(edit for edit in broken.edits if _touches(edit, tokens, own)),
            written=analyse(tokens, own),
            right=right,
            right_lemmas=right_lemmas,
        )


def _further(broken: Broken, tokens: tuple[Token, ...], observed: Sequence[Observed]) -> list[Observed]:
    """Add the forms of a wrong word that is no likely verb, "about spin wool", or another auxiliary, "she does begun"."""
    found = list(observed)
    for group in verb_groups(tokens):
        edits = tuple(edit for edit in broken.edits if _touches(edit, tokens, group))
        if not edits or len(found) >= LOOKS or _allows(broken.source, edits, found):
            continue
        reading, lemmas = _meant(broken, tokens, group)
        offered = (*group.lemmas, *ALWAYS_VERBS)
        lemma = next((each for each in lemmas if each in offered), group.lemmas[0])
        tense, person = reading.tense or Tense.base, reading.person or Person.third_sg
        args = {"verb": lemma, "tense": tense.value, "person": person.value}
        found.append(made(ToolCall(tool="conjugate", args=args), len(found) + 1))
    return found


def _meant(
    broken: Broken, tokens: tuple[Token, ...], group: VerbGroup
) -> tuple[GroupAnalysis, tuple[str, ...]]:
    """Return the reading and the lemmas of a group in the right version; its own, if it is no group there."""
    right_tokens = tokenize(broken.target)
    end = _right_end(broken.edits, tokens[group.head].end)
    for right in verb_groups(right_tokens):
        if right_tokens[right.head].end == end:
            return analyse(right_tokens, right), right.lemmas
    return analyse(tokens, group), group.lemmas


def _touches(edit: Edit, tokens: Sequence[Token], group: VerbGroup) -> bool:
    return any(edit.start <= tokens[place].start < edit.end for place in range(group.first, group.head + 1))


def _right_end(edits: Sequence[Edit], end: int) -> int:
    """Return where in the target a word ends that ends at `end` in the source."""
    return end + sum(len(edit.right) - len(edit.wrong) for edit in edits if edit.end <= end)


def _observe(source: str, look: _Look, number: int) -> Observed:
    """Make the first call of the policy that answers and allows the correction, or else just answers."""
    steps = [made(ToolCall(tool=tool, args=args), number) for tool, args in _calls(look)]
    answered = [step for step in steps if not isinstance(step.result, ToolError)] or steps
    return next((step for step in answered if _allows(source, look.edits, [step])), answered[0])


def _allows(source: str, edits: tuple[Edit, ...], observed: Sequence[Observed]) -> bool:
    if not edits:
        return True
    corrected, at = "", 0
    for edit in edits:
        corrected, at = corrected + source[at : edit.start] + edit.right, edit.end
    return lattice(source, observed).holds(corrected + source[at:])


def _calls(look: _Look) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield calls for a group, the one that suits best first; all of them are within the mask."""
    group = look.group
    lemmas = sorted(group.lemmas, key=lambda lemma: lemma not in look.right_lemmas)
    if group.non_word:
        yield from (("lookup_irregular_verb", {"verb": lemma}) for lemma in lemmas)
        return
    agreement = "check_subject_verb_agreement", {"subject": group.subject, "verb": group.text}
    if group.disagrees:
        yield agreement
        return
    conjugate = [("conjugate", _conjugate_args(look, lemma)) for lemma in lemmas]
    if group.subject is None:
        yield from conjugate
    elif _keeps_present(look, lemmas[0]):
        yield from (agreement, *conjugate)
    else:
        yield from (*conjugate, agreement)


def _keeps_present(look: _Look, lemma: str) -> bool:
    """Return whether the right version is in the tense that was written, one in which verbs agree."""
    right, written = look.right.tense, look.written.tense
    if right is None or written is None:
        return False
    if look.is_auxiliary:
        return _plain(right) == _plain(written)
    same = right == written or (lemma == "be" and right.endswith("simple") and written.endswith("simple"))
    return same and right.startswith(_PRESENT)


def _plain(tense: Tense) -> Tense:
    """Return the simple tense of the finite auxiliary of a group."""
    return Tense.past_simple if tense.startswith(("past", "conditional")) else Tense.present_simple


def _conjugate_args(look: _Look, lemma: str) -> dict[str, Any]:
    tense = look.right.tense or Tense.base
    if look.is_auxiliary or lemma in MODALS:
        tense = _plain(tense)
    elif look.group.question and tense in NON_FINITE:
        tense = Tense.present_simple
    person = look.group.person or look.right.person or Person.third_sg
    options = {name: True for name in ("negative", "question") if getattr(look.group, name)}
    return {"verb": lemma, "tense": tense.value, "person": person.value, **options}


def traces(pairs: Iterator[Broken]) -> Iterator[dict[str, Any]]:
    """Yield pairs with their steps as rows of a trace file; those out of reach are counted on stderr."""
    dropped = kept = 0
    for broken in pairs:
        try:
            steps = oracle_steps(broken)
        except OutOfReachError:
            dropped += 1
            continue
        kept += 1
        yield {**dataclasses.asdict(broken), "steps": steps}
    print(f"{kept} traces, {dropped} pairs out of reach", file=sys.stderr)


def read_pairs(path: Path) -> Iterator[Broken]:
    """Read the pairs that `tutor.training.pairs` wrote."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            try:
                row = json.loads(line)
                edits = tuple(Edit(**edit) for edit in row["edits"])
                yield Broken(row["source"], row["target"], edits)
            except (KeyError, TypeError, json.JSONDecodeError) as error:
                raise ValueError(f"{path}: a line is no training pair ({error})") from error


def main() -> None:
    """Write a file of traces."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=25_000)
    args = parser.parse_args()
    try:
        write_rows(traces(islice(read_pairs(args.pairs), args.rows)), args.out)
    except (OSError, ValueError) as error:
        parser.exit(1, f"{error}\n")


if __name__ == "__main__":
    main()
