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

from tutor.language.morphology import NON_FINITE, Person, Tense, is_known_word, learner_lemmas
from tutor.language.tokens import Token, tokenize
from tutor.language.verb_groups import GroupAnalysis, VerbGroup, analyse, group_text, verb_groups
from tutor.planner.coverage import SPAN_WORDS
from tutor.planner.lattice import lattice
from tutor.planner.schema import ALWAYS_VERBS
from tutor.planner.steps import Observed, ToolCall, dump_step
from tutor.tools.base import ToolError
from tutor.tools.registry import call
from tutor.training.errors import Broken, Edit
from tutor.training.pairs import write_rows

MAX_CALLS = 6
_PRESENT = ("present", "past_continuous", "past_passive")


class OutOfReachError(ValueError):
    """The tools' evidence does not yield the correction."""


@dataclasses.dataclass(frozen=True, slots=True)
class _Cluster:
    """A likely verb group with its auxiliaries, what is wrong with it, and how the right version reads."""

    group: VerbGroup
    auxiliaries: tuple[VerbGroup, ...]
    edits: tuple[Edit, ...]
    written: GroupAnalysis
    right: GroupAnalysis
    right_lemmas: tuple[str, ...]


def oracle_steps(broken: Broken) -> list[dict[str, Any]]:
    """Return the tool calls for a sentence, one a verb group in order, then the Spanish of the correction.

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
    for cluster in _visited(broken):
        step = _observe(broken, cluster, len(observed) + 1)
        if step is not None:
            observed.append(step)
    try:
        lattice(broken.source, observed).explain(broken.target)
    except ValueError as error:
        raise OutOfReachError(broken.source) from error
    steps: list[dict[str, Any]] = [{"tool": step.call.tool, "args": step.call.args} for step in observed]
    return [*steps, {"tool": "lookup_spanish", "args": {"word": broken.target}}]


def _visited(broken: Broken) -> list[_Cluster]:
    """Return the clusters to look at, in order; those without an error give way where there are too many."""
    found = list(_clusters(broken))
    spare = MAX_CALLS - sum(bool(cluster.edits) for cluster in found)
    keep: list[_Cluster] = []
    for cluster in found:
        if cluster.edits or spare > 0:
            spare -= not cluster.edits
            keep.append(cluster)
    return keep[:MAX_CALLS]


def _clusters(broken: Broken) -> Iterator[_Cluster]:
    tokens, right_tokens = tokenize(broken.source), tokenize(broken.target)
    right_groups = {right_tokens[group.head].end: group for group in verb_groups(right_tokens)}
    waiting: list[VerbGroup] = []
    for group in verb_groups(tokens):
        if group.is_auxiliary:
            waiting.append(group)
            continue
        # An auxiliary belongs to the next verb that is likely one.
        edits = tuple(edit for edit in broken.edits if _touches(edit, tokens, (group, *waiting)))
        if not (group.likely or edits):
            continue
        auxiliaries, waiting = tuple(waiting), []
        right = right_groups.get(_right_end(broken.edits, tokens[group.head].end))
        written = analyse(tokens, group)
        reading = analyse(right_tokens, right) if right else written
        yield _Cluster(group, auxiliaries, edits, written, reading, right.lemmas if right else group.lemmas)


def _touches(edit: Edit, tokens: Sequence[Token], groups: tuple[VerbGroup, ...]) -> bool:
    return any(edit.start <= tokens[each.head].start < edit.end for each in groups)


def _right_end(edits: Sequence[Edit], end: int) -> int:
    """Return where in the target a word ends that ends at `end` in the source."""
    return end + sum(len(edit.right) - len(edit.wrong) for edit in edits if edit.end <= end)


def _observe(broken: Broken, cluster: _Cluster, number: int) -> Observed | None:
    """Make the first call of the policy that answers and allows the correction, or else just answers."""
    fallback: Observed | None = None
    for tool, args in _calls(broken.source, cluster):
        made = ToolCall(tool=tool, args=args)
        step = Observed(number, made, dump_step(made), call(tool, args))
        if isinstance(step.result, ToolError):
            continue
        if _allows(broken.source, cluster.edits, step):
            return step
        fallback = fallback or step
    return fallback


def _allows(source: str, edits: tuple[Edit, ...], step: Observed) -> bool:
    if not edits:
        return True
    corrected, at = "", 0
    for edit in edits:
        corrected, at = corrected + source[at : edit.start] + edit.right, edit.end
    try:
        lattice(source, [step]).explain(corrected + source[at:])
    except ValueError:
        return False
    return True


def _calls(source: str, cluster: _Cluster) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield calls for a cluster, the one that suits best first; all of them are within the mask."""
    tokens = tokenize(source)
    lemma = next(
        (each for each in cluster.right_lemmas if each in cluster.group.lemmas), cluster.group.lemmas[0]
    )
    head = tokens[cluster.group.head].norm
    if not is_known_word(head) and lemma in learner_lemmas(head):
        yield "lookup_irregular_verb", {"verb": lemma}
    agreement = list(_agreement_calls(source, tokens, cluster))
    tense, written = cluster.right.tense, cluster.written.tense
    if (
        tense is not None
        and written is not None
        and tense.startswith(_PRESENT)
        and _same_tense(tense, written, lemma)
    ):
        yield from agreement
    right = _conjugate_call(lemma, tense, cluster.right)
    yield "conjugate", right
    if cluster.edits:
        yield from agreement
        yield "conjugate", {**right, "question": True}
        for auxiliary in cluster.auxiliaries:
            for own in (*auxiliary.lemmas, *ALWAYS_VERBS):
                yield "conjugate", _conjugate_call(own, _plain_tense(tense), cluster.right)
        for other in (each for each in (*cluster.group.lemmas, *ALWAYS_VERBS) if each != lemma):
            yield "conjugate", _conjugate_call(other, tense, cluster.right)


def _same_tense(right: Tense, written: Tense, lemma: str) -> bool:
    return right == written or (lemma == "be" and right.endswith("simple") and written.endswith("simple"))


def _plain_tense(tense: Tense | None) -> Tense:
    past = tense is not None and tense.startswith(("past", "conditional"))
    return Tense.past_simple if past else Tense.present_simple


def _conjugate_call(lemma: str, tense: Tense | None, reading: GroupAnalysis) -> dict[str, Any]:
    args: dict[str, Any] = {
        "verb": lemma,
        "tense": (tense or Tense.base).value,
        "person": (reading.person or Person.third_sg).value,
    }
    if reading.negative and tense not in NON_FINITE:
        args["negative"] = True
    return args


def _agreement_calls(
    source: str, tokens: Sequence[Token], cluster: _Cluster
) -> Iterator[tuple[str, dict[str, Any]]]:
    span = cluster.written.subject
    if span is None:
        return
    words = [index for index in range(*span) if tokens[index].is_word][:SPAN_WORDS]
    if not words:
        return
    subject = source[tokens[words[0]].start : tokens[words[-1]].end]
    finite = cluster.auxiliaries[0] if cluster.auxiliaries else cluster.group
    whole = cluster.group.first <= finite.head
    for group in (cluster.group, finite) if whole else (finite, cluster.group):
        yield "check_subject_verb_agreement", {"subject": subject, "verb": group_text(source, tokens, group)}


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
