"""What a run asks of the language model, and who answers: many runs together, each forward pass shared."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
import torch

from tutor.decoding.forest import Forest
from tutor.decoding.tokenizer import Tokenizer

T = TypeVar("T")
_AHEAD = 4

TokenIds = np.ndarray[Any, np.dtype[np.int64]]
"""Token ids, ascending."""


class Context(Protocol):
    """A growing token sequence of which the model predicts the next token."""

    def append(self, ids: Sequence[int]) -> None:
        """Add tokens."""

    def __len__(self) -> int:
        """Return the number of tokens so far."""

    @property
    def cached(self) -> int:
        """Number of tokens that the model has run already."""


@dataclass(frozen=True, slots=True)
class Predict:
    """What comes next: the tuned model's logits after a context.

    Attributes
    ----------
    context : Context
        The tokens so far.
    allowed : array of int
        The tokens that may come next.
    whole : bool
        Answer with the logits of the whole vocabulary, float32 of shape (vocabulary,); else with those of `allowed`, float32 of
        shape (allowed,).  Those of the allowed tokens are the same numbers either way.
    before : int
        How many of the context's tokens that are not run yet want the logits that predicted them; then the answer is of the
        whole vocabulary, float32 of shape (before + 1, vocabulary), the latest position last.
    keep : bool
        Whether the context keeps what is computed of its tokens; else they are still to be run.
    """

    context: Context
    allowed: TokenIds
    whole: bool = False
    before: int = 0
    keep: bool = True


@dataclass(frozen=True, slots=True)
class Fluency:
    """How likely each token is: the base model's log-probability of each node after its ancestors.

    The answer is float32 of shape (nodes,), in nats, over the whole vocabulary; 0 for a root.
    """

    forest: Forest


@dataclass(frozen=True, slots=True)
class Decide:
    """The choice under the mask: the tuned model's log-probability of each node among its siblings.

    The answer is float32 of shape (nodes,), in nats; 0 where there is one sibling only.

    Attributes
    ----------
    forest : Forest
        The sequences to choose among.
    context : Context or None
        A context that begins as all of them do: what is computed of it need not be computed again.
    shared : int
        How many tokens at its beginning these are.
    """

    forest: Forest
    context: Context | None = None
    shared: int = 0


Query = Predict | Fluency | Decide

Work = Generator[Query, torch.Tensor, T]
"""A computation that asks a model on its way."""


class LanguageModel(Protocol):
    """What the planner needs of a model; tests put random or scripted ones in its place."""

    tokenizer: Tokenizer

    def context(self) -> Context:
        """Start an empty context for the tuned model."""

    def answer(self, queries: Sequence[Query]) -> list[torch.Tensor]:
        """Answer queries of different runs together."""


def run_alone(model: LanguageModel, work: Work[T]) -> T:
    """Run one computation to its end and return its result."""
    (result,) = run_together(model, [work], 1)
    return result


def run_together(model: LanguageModel, works: Iterable[Work[T]], width: int) -> Iterator[T]:
    """Run computations side by side and yield their results in order.

    All that wait for the model are answered together, in an order that depends on the computations alone; as soon as one is
    done another one begins.

    Parameters
    ----------
    model : LanguageModel
        Answers the queries.
    works : iterable
        The computations, taken as there is room for them.
    width : int
        Computations under way at a time; `_AHEAD` times as many may wait, done, for an earlier one.
    """
    source = iter(works)
    line: deque[_Running[T]] = deque()
    ended = False
    while not ended or line:
        under_way = [running for running in line if running.query is not None]
        while not ended and len(under_way) < width and len(line) < _AHEAD * width:
            if (work := next(source, None)) is None:
                ended = True
                break
            line.append(_Running(work))
            under_way += [line[-1]] if line[-1].query is not None else []
        while line and line[0].query is None:
            yield line.popleft().result
        if under_way:
            answers = model.answer([running.query for running in under_way if running.query is not None])
            for running, answer in zip(under_way, answers, strict=True):
                running.go_on(answer)


class _Running(Generic[T]):
    """A computation at its next query; without one it is done and has its result."""

    query: Query | None
    result: T

    def __init__(self, work: Work[T]) -> None:
        self._work = work
        self._advance(work.__next__)

    def go_on(self, answer: torch.Tensor) -> None:
        self._advance(lambda: self._work.send(answer))

    def _advance(self, resume: Callable[[], Query]) -> None:
        try:
            self.query = resume()
        except StopIteration as end:
            self.query, self.result = None, end.value
