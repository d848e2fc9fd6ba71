"""Two runs of a sentence side by side: where they part, and how sure each was up to there."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from tutor.tracing.files import RunTrace, StepTrace
from tutor.tracing.records import TokenRecord

_OF_THE_FILE = {"created", "sentence_id", "event", "schema_version", "level"}


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first place where two runs differ.

    Attributes
    ----------
    step : int
        Number of the step, from 1.
    what : str
        ``"token"``, ``"prompt"``, ``"schema"``, ``"text"`` (where a trace holds no tokens), ``"observation"`` or ``"end"``.
    one, other : str or None
        What each run has there; None where it has ended.
    token : int or None
        Place of the token among the step's tokens, from 0.
    path : str or None
        Where in the step's JSON.
    common : str
        The text of the step before it.
    """

    step: int
    what: str
    one: str | None
    other: str | None
    token: int | None = None
    path: str | None = None
    common: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """One decision as both runs saw it: the same text before it.

    Attributes
    ----------
    step, token : int
        Number of the step, from 1; place of the token among its tokens, from 0.
    path : str
        Where in the step's JSON.
    one, other : TokenRecord
        The tokens; they differ at the divergence.
    """

    step: int
    token: int
    path: str
    one: TokenRecord
    other: TokenRecord

    @property
    def difference(self) -> float | None:
        """The second run's probability of its token after the mask less the first one's of its own; null for other tokens."""
        if self.one.token_id != self.other.token_id:
            return None
        first, second = self.one.logprob_after, self.other.logprob_after
        return None if first is None or second is None else math.exp(second) - math.exp(first)


@dataclass(frozen=True, slots=True)
class AlternativePair:
    """An alternative of a choice that both runs weighed.

    Attributes
    ----------
    step : int
        Number of the step, from 1.
    path, text : str
        The JSON value, and the alternative.
    one, other : float or None
        Its probability in each run; None where that run did not weigh it.
    """

    step: int
    path: str
    text: str
    one: float | None
    other: float | None


@dataclass(frozen=True, slots=True)
class Diff:
    """How two runs compare.

    Attributes
    ----------
    settings : dict
        What their headers say differently: first, second.
    divergence : Divergence or None
        None where both runs say the same to the end.
    decisions : list of Pair
        Every decision up to the divergence.
    alternatives : list of AlternativePair
        The choices up to the divergence.
    """

    settings: dict[str, tuple[Any, Any]]
    divergence: Divergence | None
    decisions: list[Pair]
    alternatives: list[AlternativePair]


def diff(one: RunTrace, other: RunTrace) -> Diff:
    """Compare two runs of the same sentence.

    Raises
    ------
    ValueError
        When they are of different sentences.
    """
    if one.header.sentence != other.header.sentence:
        raise ValueError(
            f"different sentences: {one.header.sentence!r} and {other.header.sentence!r}; "
            "give two runs of the same one"
        )
    parted = divergence(one, other)
    return Diff(
        settings=dict(_settings(one, other)),
        divergence=parted,
        decisions=list(_decisions(one, other, parted)),
        alternatives=list(_alternatives(one, other, parted)),
    )


def divergence(one: RunTrace, other: RunTrace) -> Divergence | None:
    """Return the first place where two runs differ, or None; probabilities and times do not count.

    Parameters
    ----------
    one, other : RunTrace
        The runs; at level `steps` only texts are compared.
    """
    for number, (first, second) in enumerate(zip_longest(one.steps, other.steps), start=1):
        if first is None or second is None:
            return Divergence(number, "end", _text(first), _text(second))
        found = next(_in_step(first, second), None)
        if found is not None:
            return found
    if (ended := _end(one)) != (otherwise := _end(other)):
        return Divergence(len(one.steps), "end", ended, otherwise)
    return None


def _text(part: StepTrace | TokenRecord | None) -> str | None:
    return None if part is None else part.text


def _end(run: RunTrace) -> str | None:
    return None if run.final is None else f"{run.final.status} ({run.final.stop_reason})"


def _in_step(one: StepTrace, other: StepTrace) -> Iterator[Divergence]:
    if one.step and other.step and one.step.prompt_sha256 != other.step.prompt_sha256:
        yield Divergence(one.number, "prompt", one.step.prompt_sha256, other.step.prompt_sha256)
    if one.tokens and other.tokens:
        yield from _in_tokens(one, other)
    elif one.text != other.text:
        yield Divergence(one.number, "text", one.text, other.text)
    if one.step and other.step and one.step.schema_sha256 != other.step.schema_sha256:
        yield Divergence(one.number, "schema", one.step.schema_sha256, other.step.schema_sha256)
    if (seen := _seen(one)) != (otherwise := _seen(other)):
        yield Divergence(one.number, "observation", seen, otherwise)


def _seen(step: StepTrace) -> str | None:
    return None if step.observation is None else step.observation.text


def _in_tokens(one: StepTrace, other: StepTrace) -> Iterator[Divergence]:
    common = ""
    for place, (first, second) in enumerate(zip_longest(one.tokens, other.tokens)):
        if first is None or second is None or first.token_id != second.token_id:
            yield Divergence(
                one.number, "token", _text(first), _text(second), place,
                (first or second).path, common,
            )  # fmt: skip
            return
        common += first.text


def _settings(one: RunTrace, other: RunTrace) -> Iterator[tuple[str, tuple[Any, Any]]]:
    first, second = (_flat(run.header.model_dump(mode="json", exclude=_OF_THE_FILE)) for run in (one, other))
    for name in dict.fromkeys([*first, *second]):
        if first.get(name) != second.get(name):
            yield name, (first.get(name), second.get(name))


def _flat(values: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in values.items():
        flat |= _flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {f"{prefix}{name}": value}
    return flat


def _decisions(one: RunTrace, other: RunTrace, parted: Divergence | None) -> Iterator[Pair]:
    for first, second in zip(one.steps, other.steps, strict=False):
        if parted is not None and first.number > parted.step:
            return
        for place, (a, b) in enumerate(zip(first.tokens, second.tokens, strict=False)):
            if a.logprob_before is not None and b.logprob_before is not None:
                yield Pair(first.number, place, a.path, a, b)
            if a.token_id != b.token_id:
                return


def _alternatives(one: RunTrace, other: RunTrace, parted: Divergence | None) -> Iterator[AlternativePair]:
    for first, second in zip(one.steps, other.steps, strict=False):
        if parted is not None and first.number > parted.step:
            return
        for a, b in zip(first.choices, second.choices, strict=False):
            if a.cached and b.cached:
                continue
            weighed = [{each.text: each.probability for each in choice.alternatives} for choice in (a, b)]
            for text in dict.fromkeys([*weighed[0], *weighed[1]]):
                yield AlternativePair(first.number, a.path, text, weighed[0].get(text), weighed[1].get(text))
