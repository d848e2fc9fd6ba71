"""Whether sentences corrected together get the answers that they get one at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tutor.agent.state import Correction
from tutor.agent.tutor import Options, Tutor
from tutor.tracing.files import RunTrace, TraceWriter, read_runs
from tutor.tracing.records import ChoiceRecord, TokenRecord


def agreement(
    tutor: Tutor, alone: Sequence[Correction], together: Sequence[Correction], threshold: float
) -> dict[str, Any]:
    """Compare answers to the same sentences, all but their times and confidences.

    Parameters
    ----------
    tutor : Tutor
        Gave the answers; a sentence whose answers differ is run once more, to see how close its decisions were.
    alone, together : sequence of Correction
        The answers one at a time and in a batch.
    threshold : float
        Probability from which an edit is made.

    Returns
    -------
    dict
        ``n``, the share that is ``identical``, reasons and steps included, the share whose ``correction`` is, the largest
        ``confidence_difference`` of an edit made both ways, and the ``differences``, each with the ``margin`` of its closest
        decision in nats: log-odds of a token among those allowed, or distance of an edit from the threshold in log-odds.
    """
    pairs = list(zip(alone, together, strict=True))
    differing = [pair for pair in pairs if _answer(pair[0]) != _answer(pair[1])]
    confidences = [
        abs(one.confidence - other.confidence)
        for first, second in pairs
        if _answer(first) == _answer(second)
        for one, other in zip(first.edits, second.edits, strict=True)
    ]
    return {
        "n": len(pairs),
        "identical": 1.0 - len(differing) / len(pairs),
        "correction": sum(one.corrected == other.corrected for one, other in pairs) / len(pairs),
        "confidence_difference": max(confidences, default=0.0),
        "differences": [
            {"sentence": one.sentence, "alone": one.corrected, "together": other.corrected, "margin": margin}
            for (one, other), margin in zip(
                differing, _margins(tutor, [one.sentence for one, _ in differing], threshold), strict=True
            )
        ],
    }


def _answer(correction: Correction) -> dict[str, Any]:
    found = correction.model_dump(exclude={"timing": True, "edits": {"__all__": {"confidence"}}})
    return found


def _margins(tutor: Tutor, sentences: Sequence[str], threshold: float) -> list[float]:
    return [closest(run, threshold) for run in traced(tutor, sentences)]


def traced(tutor: Tutor, sentences: Sequence[str]) -> list[RunTrace]:
    """Return the traces of sentences, run one at a time."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "trace.jsonl"
        with TraceWriter(path) as trace:
            for number, sentence in enumerate(sentences, start=1):
                tutor.correct(sentence, Options(), trace, str(number))
        return list(read_runs(path))


def closest(run: RunTrace, threshold: float) -> float:
    """Return the margin of the closest decision of a run, in nats; infinite when nothing was decided."""
    margins = [_token_margin(token) for step in run.steps for token in step.tokens]
    margins += [
        margin
        for step in run.steps
        for choice in step.choices
        for margin in _choice_margins(choice, threshold)
    ]
    return min(margins, default=math.inf)


def _token_margin(token: TokenRecord) -> float:
    if token.logprob_after is None:
        return math.inf
    return _log_odds(math.exp(min(0.0, token.logprob_after)))


def _choice_margins(choice: ChoiceRecord, threshold: float) -> list[float]:
    _unchanged, *edits = choice.alternatives
    return [abs(_log_odds(edit.probability or 0.0) - _log_odds(threshold)) for edit in edits]


def _log_odds(probability: float) -> float:
    kept = min(max(probability, 1e-9), 1 - 1e-9)
    return math.log(kept / (1 - kept))
