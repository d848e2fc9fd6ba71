"""Where a mask intervened in a run, token by token, and why."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Literal

from tutor.tracing.files import RunTrace, StepTrace
from tutor.tracing.json_path import JsonPath, Place
from tutor.tracing.records import Origin, TokenRecord

Cause = Literal["separator", "key", "enum", "pattern", "length", "canonical"]
"""Why the mask refused the token that the model found likeliest.

`canonical`: it would have written the same text in other tokens. `separator`: the punctuation of JSON. `key`: the name of a
member. `length`: the model wanted to end a value that goes on, or to go on where it ends. `pattern`: a letter of a value under
a pattern. `enum`: a letter of any other value.
"""

PATTERNS = ("$.answer.corrected", "$.args.word")
"""The values that are under a pattern in a planner step."""

_INDEX = re.compile(r"\[\d+\]")


@dataclass(frozen=True, slots=True)
class Row:
    """One token of one run.

    Attributes
    ----------
    run, step : str, int
        Name of the sentence, and number of the step.
    tool : str
        The tool that the step calls, or ``"final_answer"``.
    path : str
        Where in the JSON, indices left open: ``$.answer.rationale[*]``.
    origin, joint : str, bool
        As in `TokenRecord`.
    text : str
        The token.
    allowed, logprob_before, logprob_after, blocked_mass, entropy_before, entropy_after, mask_us, forward_us
        As in `TokenRecord`.
    refused : str or None
        The likeliest token of all, if the mask refused it.
    refused_probability : float or None
        Its probability.
    cause : str or None
        Why.
    right : bool or None
        Whether the run's answer is right; None where nobody knows.
    """

    run: str
    step: int
    tool: str
    path: str
    origin: Origin
    joint: bool
    text: str
    allowed: int | None
    logprob_before: float | None
    logprob_after: float | None
    blocked_mass: float | None
    entropy_before: float | None
    entropy_after: float | None
    mask_us: float | None
    forward_us: float | None
    refused: str | None
    refused_probability: float | None
    cause: Cause | None
    right: bool | None


Right = Callable[[RunTrace], bool | None]
"""Tell whether the answer of a run is right; None where nobody knows."""


def unknown(_run: RunTrace) -> None:
    """Return None: without references nobody knows what is right."""


def rows(run: RunTrace, right: Right = unknown, patterns: Collection[str] = PATTERNS) -> Iterator[Row]:
    """Yield the tokens of a run.

    Parameters
    ----------
    run : RunTrace
        The run.
    right : callable
        Tells whether its answer is right.
    patterns : collection of str
        Paths of the values that are under a pattern.
    """
    verdict = right(run)
    for step in run.steps:
        parsed = step.step.parsed if step.step else {}
        tool = str(parsed.get("tool") or parsed.get("next") or "unfinished")
        for token, why in zip(step.tokens, causes(step, patterns), strict=True):
            wanted = token.best_blocked if why else None
            yield Row(
                run.header.sentence_id, step.number, tool, _INDEX.sub("[*]", token.path), token.origin, bool(token.joint),
                token.text, token.allowed, token.logprob_before, token.logprob_after, token.blocked_mass,
                token.entropy_before, token.entropy_after, token.mask_us, token.forward_us,
                wanted and wanted.text, wanted and wanted.probability, why, verdict,
            )  # fmt: skip


def causes(step: StepTrace, patterns: Collection[str] = PATTERNS) -> list[Cause | None]:
    """Return for each token of a step why the mask refused the likeliest token of all, or None where it did not."""
    follower, found, rest = JsonPath(), list[Cause | None](), "".join(token.text for token in step.tokens)
    for token in step.tokens:
        refused = _refused(token)
        found.append(None if refused is None else _cause(token, refused, rest, follower.place, patterns))
        follower.feed(token.text)
        rest = rest[len(token.text) :]
    return found


def _refused(token: TokenRecord) -> str | None:
    wanted = token.best_blocked
    if wanted is None or token.logprob_before is None:
        return None
    rival = token.best_rival.probability if token.best_rival else 0.0
    return wanted.text if wanted.probability > max(math.exp(token.logprob_before), rival) else None


def _cause(token: TokenRecord, refused: str, rest: str, place: Place, patterns: Collection[str]) -> Cause:
    if refused and rest.startswith(refused):
        return "canonical"
    if place == "key":
        return "key"
    if place == "separator":
        items = "]" in (token.text[:1], refused[:1]) and "," in (token.text[:1], refused[:1])
        return "length" if items else "separator"
    if place == "string" and '"' in (token.text[:1], refused[:1]):
        return "length"
    return "pattern" if token.path in patterns else "enum"
