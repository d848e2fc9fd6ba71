"""A language model that counts what it is asked."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import torch

from tutor.decoding.model import segment
from tutor.decoding.queries import Context, Fluency, LanguageModel, Predict, Query


@dataclass(frozen=True, slots=True)
class Forward:
    """One forward pass.

    Attributes
    ----------
    tokens : int
        Tokens that were run.
    head_rows : int
        Of these, those whose prediction over the whole vocabulary was needed.
    """

    tokens: int
    head_rows: int


@dataclass(slots=True)
class Counts:
    """What a model was asked in a while.

    Attributes
    ----------
    forwards : list of Forward
        One of the tuned and one of the base model for each time it was asked, as far as there was something to ask of them.
    cached : int
        Tokens before those of a prediction that had not to be run again.
    decided : int
        Tokens that the model chose one by one.
    scored : int
        Tokens that were run to score alternatives as a whole.
    seconds : float
        Time of the answers.
    """

    forwards: list[Forward] = field(default_factory=list)
    cached: int = 0
    decided: int = 0
    scored: int = 0
    seconds: float = 0.0

    @property
    def processed(self) -> int:
        """Tokens that were run."""
        return sum(each.tokens for each in self.forwards)


class CountedModel:
    """A language model that passes every question on and counts.

    Parameters
    ----------
    model : LanguageModel
        The model that answers.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model, self.tokenizer = model, model.tokenizer
        self.counts = Counts()

    def context(self) -> Context:
        """Start an empty context of the model."""
        return self._model.context()

    def answer(self, queries: Sequence[Query]) -> list[torch.Tensor]:
        """Answer queries, counted."""
        for base in (False, True):
            chosen = [query for query in queries if isinstance(query, Fluency) is base]
            if chosen:
                self.counts.forwards.append(self._count(chosen))
        started = time.perf_counter()
        answers = self._model.answer(queries)
        self.counts.seconds += time.perf_counter() - started
        return answers

    def start(self) -> Counts:
        """Count anew and return the new counts."""
        self.counts = Counts()
        return self.counts

    def _count(self, queries: Sequence[Query]) -> Forward:
        tokens = head_rows = 0
        for query in queries:
            if isinstance(query, Predict):
                tokens += len(query.context) - query.context.cached
                self.counts.cached += query.context.cached
                self.counts.decided += 1
            else:
                nodes = len(segment(query).ids)
                tokens += nodes
                self.counts.scored += nodes
                head_rows += nodes if isinstance(query, Fluency) else 0
        return Forward(tokens, head_rows)
