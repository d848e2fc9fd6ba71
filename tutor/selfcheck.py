"""The hunt for ungrounded steps: random logits, hostile sentences, and an independent checker."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import torch

from tutor.agent.react import STEP_CAP, react
from tutor.decoding.queries import Context, Predict, Query, Work, run_alone
from tutor.decoding.tokenizer import Tokenizer
from tutor.grounding import Violation, check_run, check_step
from tutor.grounding.hostile import hostile_sentences
from tutor.language.scope import ScopeReason, scope_reasons
from tutor.language.tokens import tokenize
from tutor.planner.choice import ChoiceWeights
from tutor.planner.planner import Planner, PlannerOptions, PlannerRun, Sink
from tutor.planner.steps import FinalAnswer, Observed, ToolCall

_PADDING = 64
"""Rows of logits that stand for no token, as models have whose head is wider than their vocabulary."""
_MAX_TOKENS = 40_000
"""Tokens of one run at most; eight copies of the longest sentence, in short tokens, are fewer."""
_SPREAD = 4.0
"""Standard deviation of the scores of whole alternatives, in nats."""


class RandomLogits:
    """A language model that knows nothing: every prediction and every score is drawn anew.

    Parameters
    ----------
    tokenizer : Tokenizer
        Gives the vocabulary.
    seed : int
        Of the random numbers.
    """

    def __init__(self, tokenizer: Tokenizer, seed: int) -> None:
        self.tokenizer = tokenizer
        self._generator = torch.Generator().manual_seed(seed)

    def context(self) -> Context:
        """Start a context, of which only the length is kept."""
        return _RandomContext()

    def answer(self, queries: Sequence[Query]) -> list[torch.Tensor]:
        """Return random logits, and a random score for each node of a forest."""
        return [self._answer(query) for query in queries]

    def _answer(self, query: Query) -> torch.Tensor:
        if not isinstance(query, Predict):
            return _SPREAD * torch.randn(len(query.forest), generator=self._generator)
        logits = torch.randn(self.tokenizer.size + _PADDING, generator=self._generator)
        return logits if query.whole else logits[torch.from_numpy(query.allowed)]


class _RandomContext:
    def __init__(self) -> None:
        self._length = 0

    def append(self, ids: Sequence[int]) -> None:
        self._length += len(ids)
        if self._length > _MAX_TOKENS:
            raise RuntimeError("the mask lets the text grow without end")

    def __len__(self) -> int:
        return self._length

    @property
    def cached(self) -> int:
        return self._length


@dataclass(frozen=True, slots=True)
class CheckedStep:
    """One decoded step and the checker's verdict.

    Attributes
    ----------
    sentence : str
        The sentence of the run.
    observed : tuple of Observed
        The earlier steps of the run.
    text : str
        The step as decoded; empty where decoding failed.
    violations : tuple of Violation
        What is wrong with it or, with the last step of a run, with the run.
    """

    sentence: str
    observed: tuple[Observed, ...]
    text: str
    violations: tuple[Violation, ...]


class _WitnessedRun(PlannerRun):
    """A planner's run that keeps every step as it was decoded."""

    def __init__(
        self, planner: Planner, sentence: str, scope: tuple[ScopeReason, ...], seed: int | None
    ) -> None:
        super().__init__(planner, sentence, scope, seed, min_confidence=None)
        self.decoded: list[tuple[tuple[Observed, ...], str]] = []

    def step(
        self, observed: tuple[Observed, ...], sink: Sink | None = None
    ) -> Work[tuple[str, ToolCall | FinalAnswer]]:
        """Decode the next step and keep its text with the steps before it; no text if that fails."""
        self.decoded.append((observed, ""))
        text, step = yield from super().step(observed, sink)
        self.decoded[-1] = (observed, text)
        return text, step


def random_steps(
    tokenizer: Tokenizer, seed: int = 0, sentences: Iterable[str] | None = None
) -> Iterator[CheckedStep]:
    """Yield steps that a random model decodes under the mask, each with the checker's verdict.

    The correction is decoded now token by token, now chosen as a whole; decisions are now the largest
    logit, now sampled; runs have now the full cap, now a lower one.

    Parameters
    ----------
    tokenizer : Tokenizer
        Of the model that the masks are made for.
    seed : int
        Of the sentences and of the logits.
    sentences : iterable of str, optional
        What to run; hostile sentences without end unless given.
    """
    rng = random.Random(seed)
    model = RandomLogits(tokenizer, seed)
    options = [PlannerOptions(whole_alternatives=whole) for whole in (False, True)]
    planners = [Planner(model, ChoiceWeights(), option) for option in options]
    for sentence in hostile_sentences(seed) if sentences is None else sentences:
        yield from checked_run(
            rng.choice(planners),
            sentence,
            scope=_scope(sentence, rng),
            seed=rng.choice((None, rng.randrange(1 << 31))),
            max_steps=rng.choice((STEP_CAP, STEP_CAP, rng.randint(1, STEP_CAP))),
        )


def _scope(sentence: str, rng: random.Random) -> tuple[ScopeReason, ...]:
    if rng.random() < 0.7:
        return ()  # as if all were in scope, so that foreign text and scraps are corrected too
    return scope_reasons(sentence, tokenize(sentence), rng.choice(("all", "beginner")))


def checked_run(
    planner: Planner,
    sentence: str,
    *,
    scope: tuple[ScopeReason, ...] = (),
    seed: int | None = None,
    max_steps: int = STEP_CAP,
) -> list[CheckedStep]:
    """Run one sentence and return its steps with their verdicts, the last one with that of the run too.

    Parameters
    ----------
    planner : Planner
        The planner.
    sentence : str
        The sentence.
    scope : tuple of ScopeReason
        The scope reasons that the planner is told.
    seed : int, optional
        Sample every decision with this seed; greedy without one.
    max_steps : int
        Cap of the run.
    """
    run = _WitnessedRun(planner, sentence, scope, seed)
    try:
        ended = run_alone(planner.model, react(run, sentence, max_steps))
        texts = [text for _, text in run.decoded]
        whole = check_run(texts, ended.observed, ended.stop_reason, max_steps)
    except Exception as error:  # whatever a run trips over is what the hunt is for
        whole = [Violation("G1", f"the run broke off: {error!r}")]
    steps = [
        CheckedStep(sentence, observed, text, tuple(check_step(sentence, observed, text)))
        for observed, text in run.decoded
    ]
    steps[-1] = replace(steps[-1], violations=(*steps[-1].violations, *whole))
    return steps
