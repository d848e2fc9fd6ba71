"""Fit the weights of the choice: a conditional logit with "leave it" among the options (McFadden 1974)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

import torch

from tutor.planner.choice import ChoiceWeights
from tutor.training.targets import rightness
from tutor.training.weighed import WeighedSentence

FOLDS = 5
_PENALTY = 2.0

Stretch = tuple[list[dict[str, float]], list[bool]]
"""The features of each candidate of a stretch, and which candidates a reference has."""


def labelled(sentences: Sequence[WeighedSentence], without: Collection[str] = ()) -> list[Stretch]:
    """Return the stretches of sentences, their features but for those that match a pattern, with what is right."""
    names = feature_names(sentences)
    kept = {name for name in names if not any(fnmatchcase(name, pattern) for pattern in without)}
    return [
        ([{n: v for n, v in candidate.features.items() if n in kept} for candidate in stretch], right)
        for sentence in sentences
        for stretch, right in zip(sentence.stretches, rightness(sentence), strict=True)
    ]


def feature_names(sentences: Sequence[WeighedSentence]) -> set[str]:
    """Return the names of all features of the candidates."""
    return {
        name for row in sentences for stretch in row.stretches for each in stretch for name in each.features
    }


@dataclass(frozen=True, slots=True)
class _Data:
    """Stretches as tensors, padded to the widest one."""

    names: list[str]
    features: torch.Tensor
    real: torch.Tensor
    good: torch.Tensor

    @classmethod
    def of(cls, stretches: Sequence[Stretch]) -> _Data:
        names = sorted({name for values, _ in stretches for row in values for name in row})
        width = max(len(values) for values, _ in stretches)
        features = torch.zeros(len(stretches), width, len(names), dtype=torch.float64)
        real = torch.zeros(len(stretches), width, dtype=torch.bool)
        good = torch.zeros(len(stretches), width + 1, dtype=torch.bool)
        for i, (values, right) in enumerate(stretches):
            features[i, : len(values)] = torch.tensor([[row.get(n, 0.0) for n in names] for row in values])
            real[i, : len(values)] = True
            good[i, 1 : len(right) + 1] = torch.tensor(right)
            good[i, 0] = not any(right)
        return cls(names, features, real, good)

    def loss(self, bias: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        """Return the summed negative log-likelihood of what is right, in nats."""
        scores = (self.features @ weights + bias).masked_fill(~self.real, -torch.inf)
        leave = torch.zeros(len(scores), 1, dtype=torch.float64)
        log_p = torch.cat([leave, scores], 1).log_softmax(1)
        return -log_p.masked_fill(~self.good, -torch.inf).logsumexp(1).sum()


def fit(stretches: Sequence[Stretch]) -> ChoiceWeights:
    """Return the weights of greatest penalised likelihood.

    Parameters
    ----------
    stretches : sequence of Stretch
        A stretch without a right candidate is to be left as it is.

    Raises
    ------
    ValueError
        If there is no stretch.
    """
    if not stretches:
        raise ValueError("no sentence has anything to choose: the weights of the choice cannot be fitted")
    data = _Data.of(stretches)
    parameters = torch.zeros(len(data.names) + 1, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([parameters], max_iter=200, line_search_fn="strong_wolfe")

    def step() -> torch.Tensor:
        optimizer.zero_grad()
        value = data.loss(parameters[0], parameters[1:]) + _PENALTY * parameters[1:].square().sum()
        torch.autograd.backward(value)
        return value

    optimizer.step(step)  # type: ignore[no-untyped-call]
    bias, *weights = [round(value, 4) for value in parameters.tolist()]
    return ChoiceWeights(bias=bias, weights=dict(zip(data.names, weights, strict=True)))


def log_loss(stretches: Sequence[Stretch], weights: ChoiceWeights) -> float:
    """Return the summed negative log-likelihood of what is right in some stretches, in nats."""
    if not stretches:
        return 0.0
    data = _Data.of(stretches)
    values = [weights.weights.get(name, 0.0) for name in data.names]
    return float(data.loss(torch.tensor(weights.bias), torch.tensor(values, dtype=torch.float64)))


@dataclass(frozen=True, slots=True)
class HeldOut:
    """A sentence and the probabilities that weights fitted without its fold give to its candidates."""

    sentence: WeighedSentence
    probabilities: list[list[float]]


@dataclass(frozen=True, slots=True)
class CrossValidation:
    """What a choice does on sentences that it was not fitted on.

    Attributes
    ----------
    held_out : list of HeldOut
        Every sentence, in the order given.
    loss : float
        Mean negative log-likelihood of what is right, in nats a stretch.
    """

    held_out: list[HeldOut]
    loss: float


def cross_validate(sentences: Sequence[WeighedSentence], without: Collection[str] = ()) -> CrossValidation:
    """Fit on all folds but one, for each of them in turn; a sentence's fold is its place modulo `FOLDS`.

    Parameters
    ----------
    sentences : sequence of WeighedSentence
        The sentences.
    without : collection of str
        Features to leave out, or patterns of their names such as ``to_*``.
    """
    probabilities: dict[int, list[list[float]]] = {}
    loss, stretches = 0.0, 0
    for fold in range(FOLDS):
        weights = fit(labelled([row for i, row in enumerate(sentences) if i % FOLDS != fold], without))
        for i in range(fold, len(sentences), FOLDS):
            probabilities[i] = sentences[i].probabilities(weights)
        kept = labelled(sentences[fold::FOLDS], without)
        loss, stretches = loss + log_loss(kept, weights), stretches + len(kept)
    held_out = [HeldOut(row, probabilities[i]) for i, row in enumerate(sentences)]
    return CrossValidation(held_out, loss / max(1, stretches))
