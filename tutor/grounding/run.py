"""Check how a whole run ended against G6, and that its observations are what the tools return."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from tutor.grounding.step import Violation
from tutor.planner.steps import Observed
from tutor.tools.registry import call

STEP_CAP = 8


def check_run(
    steps: Sequence[str], observed: Sequence[Observed], stop_reason: str | None, max_steps: int = STEP_CAP
) -> list[Violation]:
    """Return what is wrong with a run as a whole, nothing if it ended as G6 says.

    Parameters
    ----------
    steps : sequence of str
        The JSON text of every step that was decoded, each valid by `check_step`.
    observed : sequence of Observed
        The steps that were carried out, with what they observed.
    stop_reason : str or None
        Why the run says that it ended.
    max_steps : int
        The cap that the run was given.
    """
    return list(_violations([json.loads(step) for step in steps], steps, observed, stop_reason, max_steps))


def _violations(
    decoded: list[Any],
    steps: Sequence[str],
    observed: Sequence[Observed],
    stop_reason: str | None,
    max_steps: int,
) -> Iterator[Violation]:
    if len(decoded) > min(max_steps, STEP_CAP):
        yield Violation("G6", f"{len(decoded)} steps under a cap of {max_steps}")
    for one, other in pairwise(decoded[:-1]):
        if one == other:
            yield Violation("G6", "the run went on after the same action twice")
    if any(step["next"] == "final_answer" for step in decoded[:-1]):
        yield Violation("G6", "the run went on after its final answer")
    due = _stop_reason_due(decoded, max_steps)
    if stop_reason is None or stop_reason != due:
        yield Violation("G6", f"the run stopped as {stop_reason!r}, due was {due!r}")
    carried_out = len(decoded) - (due in ("final_answer", "duplicate_action"))
    if [item.text for item in observed] != list(steps[:carried_out]):
        yield Violation("G6", "the trace is not the steps that were decoded")
    for number, item in enumerate(observed, start=1):
        step = json.loads(item.text)
        if item.number != number or (item.call.tool, item.call.args) != (step["tool"], step["args"]):
            yield Violation("G6", f"step {number} is another call than the one decoded")
        elif item.result != call(step["tool"], step["args"]):
            yield Violation("G3", f"the observation of step {number} is not what its tool returns")


def _stop_reason_due(decoded: list[Any], max_steps: int) -> str | None:
    if decoded and decoded[-1]["next"] == "final_answer":
        return "final_answer"
    if len(decoded) > 1 and decoded[-1] == decoded[-2]:
        return "duplicate_action"
    return "step_cap" if len(decoded) >= min(max_steps, STEP_CAP) else None
