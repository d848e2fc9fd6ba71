"""What the masks of many runs did: where they intervened, at what cost, and whether that went with wrong answers."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tutor.tracing.files import RunTrace
from tutor.tracing.interventions import PATTERNS, Right, Row, rows, unknown

BINS = 10


@dataclass(frozen=True, slots=True)
class Group:
    """Tokens of one kind, summed up.

    Attributes
    ----------
    name : str
        The kind.
    tokens : int
        All of them.
    decided : int
        Those that the model decided one by one.
    forced : float
        Share of the forced ones.
    blocked_mass : float or None
        Mean over the tokens that the model was asked about.
    refused : int
        Tokens in whose place the mask refused the likeliest one.
    """

    name: str
    tokens: int
    decided: int
    forced: float
    blocked_mass: float | None
    refused: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """Blocked mass of the runs with a right and with a wrong answer.

    Attributes
    ----------
    right, wrong : int
        Runs.
    mean_right, mean_wrong : float or None
        Mean over runs of their mean blocked mass at decided tokens.
    auc : float or None
        Probability that a wrong run had more of its mass blocked than a right one; 0.5 says nothing.
    """

    right: int
    wrong: int
    mean_right: float | None
    mean_wrong: float | None
    auc: float | None


@dataclass(frozen=True, slots=True)
class Bin:
    """Runs whose choice was about as sure, and how many of them were right."""

    low: float
    high: float
    runs: int
    probability: float
    right: float


@dataclass(frozen=True, slots=True)
class Stats:
    """What many runs amount to.

    Attributes
    ----------
    runs, steps, tokens : int
        How many there are.
    forced : float
        Share of the tokens that were forced.
    by_path, by_tool, by_cause : list of Group
        Tokens by where they stand, by the tool of their step, and those refused by cause.
    outcome : Outcome or None
        None without references.
    calibration : list of Bin
        Of the choice of the correction against right and wrong answers; empty without references.
    calibration_error : float or None
        Expected calibration error: mean distance of probability and share of right answers, weighed by runs.
    seconds : dict of str to float
        Time by part, summed over runs: mask, forward, choice, tools and the rest.
    """

    runs: int
    steps: int
    tokens: int
    forced: float
    by_path: list[Group]
    by_tool: list[Group]
    by_cause: list[Group]
    outcome: Outcome | None
    calibration: list[Bin]
    calibration_error: float | None
    seconds: dict[str, float]


def stats(runs: Sequence[RunTrace], right: Right = unknown, patterns: Collection[str] = PATTERNS) -> Stats:
    """Sum runs up.

    Parameters
    ----------
    runs : sequence of RunTrace
        The runs.
    right : callable
        Tells whether the answer of a run is right.
    patterns : collection of str
        Paths of the values that are under a pattern.
    """
    tables = [list(rows(run, right, patterns)) for run in runs]
    table = [row for each in tables for row in each]
    bins = list(_calibration(runs, right))
    judged = sum(each.runs for each in bins)
    return Stats(
        runs=len(runs),
        steps=sum(len(run.steps) for run in runs),
        tokens=len(table),
        forced=_forced(table),
        by_path=_groups(table, lambda row: row.path),
        by_tool=_groups(table, lambda row: row.tool),
        by_cause=_groups([row for row in table if row.cause], lambda row: str(row.cause)),
        outcome=_outcome(tables),
        calibration=bins,
        calibration_error=sum(each.runs * abs(each.probability - each.right) for each in bins) / judged if judged else None,
        seconds=_seconds(runs),
    )  # fmt: skip


def _groups(table: Iterable[Row], name: Callable[[Row], str]) -> list[Group]:
    groups = defaultdict(list)
    for row in table:
        groups[name(row)].append(row)
    found = [
        Group(
            name=each,
            tokens=len(members),
            decided=sum(row.origin == "decided" and not row.joint for row in members),
            forced=_forced(members),
            blocked_mass=_mean(row.blocked_mass for row in members if row.blocked_mass is not None),
            refused=sum(row.cause is not None for row in members),
        )
        for each, members in groups.items()
    ]
    return sorted(found, key=lambda group: (-group.refused, -group.tokens, group.name))


def _forced(table: Sequence[Row]) -> float:
    return sum(row.origin != "decided" for row in table) / len(table) if table else 0.0


def _mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return sum(found) / len(found) if found else None


def _outcome(tables: Iterable[Sequence[Row]]) -> Outcome | None:
    means: dict[bool, list[float]] = {True: [], False: []}
    for table in tables:
        masses = [
            row.blocked_mass for row in table if row.blocked_mass is not None and row.origin == "decided"
        ]
        if masses and (right := table[0].right) is not None:
            means[right].append(sum(masses) / len(masses))
    good, bad = means[True], means[False]
    if not good and not bad:
        return None
    wins = sum((wrong > fine) + 0.5 * (wrong == fine) for wrong in bad for fine in good)
    return Outcome(
        len(good), len(bad), _mean(good), _mean(bad), wins / (len(good) * len(bad)) if good and bad else None
    )


def _calibration(runs: Iterable[RunTrace], right: Right) -> Iterator[Bin]:
    """Yield bins of runs by the probability of the alternatives that their last choice took, all of them right."""
    bins: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for run in runs:
        verdict, choices = right(run), [choice for step in run.steps for choice in step.choices]
        if verdict is None or not choices:
            continue
        probability = math.prod(each.probability for each in choices[-1].alternatives if each.chosen)
        bins[min(int(probability * BINS), BINS - 1)].append((probability, verdict))
    for number, found in sorted(bins.items()):
        probabilities, verdicts = zip(*found, strict=True)
        yield Bin(
            number / BINS,
            (number + 1) / BINS,
            len(found),
            sum(probabilities) / len(found),
            sum(verdicts) / len(found),
        )


def _seconds(runs: Iterable[RunTrace]) -> dict[str, float]:
    parts = dict.fromkeys(("forward", "choice", "mask", "tools", "other"), 0.0)
    for run in runs:
        total = run.final.correction.get("timing", {}).get("total_s", 0.0) if run.final else 0.0
        known = 0.0
        for step in run.steps:
            spent: dict[str, Any] = {
                "forward": sum(token.forward_us or 0.0 for token in step.tokens) / 1e6,
                "choice": sum(choice.forward_us or 0.0 for choice in step.choices) / 1e6,
                "mask": sum(token.mask_us or 0.0 for token in step.tokens) / 1e6,
                "tools": (step.observation.seconds or 0.0) if step.observation else 0.0,
            }
            for part, seconds in spent.items():
                parts[part] += seconds
                known += seconds
        parts["other"] += max(0.0, total - known)
    return parts
