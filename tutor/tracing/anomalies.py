"""What stands out in a run: where mask and model disagreed, where a decision was close, where a run went astray."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tutor.tracing.files import RunTrace, StepTrace
from tutor.tracing.records import Alternative, ChoiceRecord, TokenRecord

Kind = Literal[
    "blocked_mass", "against_wish", "near_tie", "wide_rationale", "tool_error", "loop", "cap", "unfinished"
]
RATIONALE = "$.answer.rationale"


@dataclass(frozen=True, slots=True)
class Limits:
    """From where on something stands out.

    Attributes
    ----------
    blocked_mass : float
        Probability that the mask took away at a decided token, 0 to 1.
    wish : float
        Probability of the token that the model wanted and the mask refused, 0 to 1.
    tie_nats : float
        Difference in log-probability between what was decided and its likeliest rival.
    tie_probability : float
        Difference in probability between an alternative that was chosen and its likeliest rival.
    open_nats : float
        Entropy after the mask of a decision about a reason; ln 2 is an even choice between two.
    """

    blocked_mass: float = 0.99
    wish: float = 0.5
    tie_nats: float = 0.1
    tie_probability: float = 0.05
    open_nats: float = math.log(2)


@dataclass(frozen=True, slots=True)
class Anomaly:
    """One thing that stands out.

    Attributes
    ----------
    kind : str
        What it is.
    message : str
        The same for a reader.
    step, token : int or None
        Number of the step, from 1, and place of the token among the step's tokens, from 0.
    path : str or None
        Where in the step's JSON.
    value : float or None
        What was compared with the limit.
    """

    kind: Kind
    message: str
    step: int | None = None
    token: int | None = None
    path: str | None = None
    value: float | None = None


def anomalies(run: RunTrace, limits: Limits = Limits()) -> list[Anomaly]:
    """Return what stands out in a run, in the order of the run.

    Parameters
    ----------
    run : RunTrace
        The run.
    limits : Limits
        From where on something stands out.
    """
    found: list[Anomaly] = []
    calls: list[str] = []
    for step in run.steps:
        for place, token in enumerate(step.tokens):
            found += _of_token(token, step.number, place, limits)
        for choice in step.choices:
            found += _of_choice(choice, limits)
        found += _of_step(step, calls)
    return found + list(_of_end(run))


def _of_token(token: TokenRecord, step: int, place: int, limits: Limits) -> Iterator[Anomaly]:
    wanted, text = token.best_blocked, _quoted(token.text)
    decided = token.origin == "decided" and not token.joint and token.logprob_before is not None
    if decided and (token.blocked_mass or 0.0) >= limits.blocked_mass:
        yield Anomaly(
            "blocked_mass", f"the mask took {token.blocked_mass:.1%} of the probability away before {text}",
            step, place, token.path, token.blocked_mass,
        )  # fmt: skip
    if wanted is not None and wanted.probability >= limits.wish:
        yield Anomaly(
            "against_wish", f"the model wanted {_quoted(wanted.text)} ({wanted.probability:.1%}), the mask gave {text}",
            step, place, token.path, wanted.probability,
        )  # fmt: skip
    rival = token.best_rival
    if decided and rival is not None and rival.probability > 0:
        gap = abs((token.logprob_before or 0.0) - math.log(rival.probability))
        if gap <= limits.tie_nats:
            yield Anomaly(
                "near_tie", f"{text} against {_quoted(rival.text)}: {gap:.3f} nats apart", step, place, token.path, gap
            )  # fmt: skip
    if decided and token.path.startswith(RATIONALE) and (token.entropy_after or 0.0) >= limits.open_nats:
        yield Anomaly(
            "wide_rationale", f"the reason was open: entropy {token.entropy_after:.2f} nats over {token.allowed} tokens",
            step, place, token.path, token.entropy_after,
        )  # fmt: skip


def _of_choice(choice: ChoiceRecord, limits: Limits) -> Iterator[Anomaly]:
    if choice.cached:
        return  # it stands out where it was made
    chosen = [each for each in choice.alternatives if each.chosen]
    for made in chosen:
        others = [each for each in choice.alternatives if not each.chosen and _compete(made, each)]
        rival = max(others, key=lambda each: each.probability, default=None)
        if rival is not None and (gap := abs(made.probability - rival.probability)) <= limits.tie_probability:
            sides = [f"{_quoted(each.text)} ({each.probability:.1%})" for each in (made, rival)]
            yield Anomaly("near_tie", " against ".join(sides), choice.step, None, choice.path, gap)


def _compete(one: Alternative, other: Alternative) -> bool:
    """Return whether two alternatives exclude each other: changes of the same words, or a change and none."""
    (words, change, _), (others, other_change, _) = one.text.partition(" -> "), other.text.partition(" -> ")
    return not (change and other_change) or words == others


def _of_step(step: StepTrace, calls: list[str]) -> Iterator[Anomaly]:
    if step.step is None:
        return
    parsed = step.step.parsed
    if "tool" in parsed:
        call = json.dumps([parsed["tool"], parsed.get("args")], sort_keys=True)
        if call in calls:
            yield Anomaly("loop", f"the call of step {calls.index(call) + 1} again", step.number)
        calls.append(call)
    if step.observation is not None and "error" in step.observation.result:
        yield Anomaly("tool_error", step.observation.text, step.number)
    answer = parsed.get("answer") or {}
    reasons, corrected = answer.get("rationale") or (), answer.get("corrected")
    changes = sum(each.chosen for choice in step.choices for each in choice.alternatives)
    if corrected is not None and changes and len(reasons) > changes:
        yield Anomaly(
            "wide_rationale", f"{len(reasons)} reasons for {changes} changes", step.number, path=RATIONALE,
            value=float(len(reasons)),
        )  # fmt: skip


def _of_end(run: RunTrace) -> Iterator[Anomaly]:
    last = run.steps[-1].number if run.steps else None
    if run.final is None:
        yield Anomaly("unfinished", "the trace breaks off", last)
    elif run.final.stop_reason == "step_cap":
        yield Anomaly("cap", f"stopped by the cap after {last} steps", last)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
