"""Fit the weights of the choice on weighed sentences, with their calibration and what each threshold gives.

``python -m tutor.training.calibrate WEIGHED --out choice.json`` fits; ``--report`` scores weights that are there.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from tutor.evaluation.scores import Report, outcome, report
from tutor.planner.choice import ChoiceWeights
from tutor.training.targets import rightness
from tutor.training.weighed import WeighedSentence, most_likely, read_weighed

FOLDS = 5
_PENALTY = 2.0
_BINS = 10
_THRESHOLDS = tuple(round(0.3 + 0.05 * step, 2) for step in range(11))
_TIE = 0.01  # a hundredth of F0.5, well inside the bootstrap interval

Stretch = tuple[list[dict[str, float]], list[bool]]


def labelled(sentences: Sequence[WeighedSentence]) -> list[Stretch]:
    """Return the stretches of sentences: the features of each candidate, and which candidates a reference has."""
    return [
        ([candidate.features for candidate in stretch], right)
        for sentence in sentences
        for stretch, right in zip(sentence.stretches, rightness(sentence), strict=True)
    ]


def fit(stretches: Sequence[Stretch]) -> ChoiceWeights:
    """Return the weights of greatest penalised likelihood, a conditional logit with "leave it" among the options.

    Parameters
    ----------
    stretches : sequence of Stretch
        A stretch without a right candidate is to be left as it is.
    """
    names = sorted({name for values, _ in stretches for row in values for name in row})
    width = max(len(values) for values, _ in stretches)
    x = torch.zeros(len(stretches), width, len(names), dtype=torch.float64)
    real = torch.zeros(len(stretches), width, dtype=torch.bool)
    good = torch.zeros(len(stretches), width + 1, dtype=torch.bool)
    for i, (values, right) in enumerate(stretches):
        x[i, : len(values)] = torch.tensor([[row.get(name, 0.0) for name in names] for row in values])
        real[i, : len(values)] = True
        good[i, 1 : len(right) + 1] = torch.tensor(right)
        good[i, 0] = not any(right)
    parameters = torch.zeros(len(names) + 1, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([parameters], max_iter=200, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        scores = (x @ parameters[1:] + parameters[0]).masked_fill(~real, -torch.inf)
        log_p = torch.cat([torch.zeros(len(x), 1, dtype=torch.float64), scores], 1).log_softmax(1)
        value = (
            -log_p.masked_fill(~good, -torch.inf).logsumexp(1).sum()
            + _PENALTY * parameters[1:].square().sum()
        )
        torch.autograd.backward(value)
        return value

    optimizer.step(loss)  # type: ignore[no-untyped-call]
    bias, *weights = [round(value, 4) for value in parameters.tolist()]
    return ChoiceWeights(bias=bias, weights=dict(zip(names, weights, strict=True)))


def scored(sentences: Sequence[WeighedSentence], weights: ChoiceWeights) -> Report:
    """Return how well weights correct the sentences, by errant."""
    return report(outcome(row.source, row.corrected(weights), row.references) for row in sentences)


def calibration_error(sentences: Sequence[WeighedSentence], weights: ChoiceWeights) -> float:
    """Return the expected calibration error of the likeliest edits, 0 to 1 (Guo et al. 2017, ten bins)."""
    rows = []
    for sentence in sentences:
        for stretch, right in zip(sentence.stretches, rightness(sentence), strict=True):
            best, probability = most_likely(stretch, weights)
            rows.append((probability, right[stretch.index(best)]))
    probabilities, hits = np.array(rows, dtype=float).T
    bins = np.minimum((probabilities * _BINS).astype(int), _BINS - 1)
    gaps = [
        (bins == b).mean() * abs(probabilities[bins == b].mean() - hits[bins == b].mean())
        for b in range(_BINS)
        if (bins == b).any()
    ]
    return float(sum(gaps))


def cross_validated(sentences: Sequence[WeighedSentence]) -> list[tuple[WeighedSentence, ChoiceWeights]]:
    """Return each sentence with weights that were fitted without its fold."""
    pairs = []
    for fold in range(FOLDS):
        weights = fit(labelled([row for i, row in enumerate(sentences) if i % FOLDS != fold]))
        pairs += [(row, weights) for i, row in enumerate(sentences) if i % FOLDS == fold]
    return pairs


def _threshold(held_out: Sequence[tuple[WeighedSentence, ChoiceWeights]]) -> float:
    """Return the highest threshold whose cross-validated F0.5 is the best or within `_TIE` of it.

    Among equals the quieter one: a teacher trusts what seldom changes a right sentence.
    """
    f05 = {}
    for least in _THRESHOLDS:
        found = report(
            outcome(row.source, row.corrected(w.model_copy(update={"min_confidence": least})), row.references)
            for row, w in held_out
        )
        print(f"cross-validated at {least:.2f}: {_line(found)}")
        f05[least] = found.all.f05.value
    return max(least for least in f05 if f05[least] >= max(f05.values()) - _TIE)


def main() -> None:
    """Fit, cross-validate, choose the threshold, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weighed", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--report", type=Path, help="weights to score instead of fitting")
    args = parser.parse_args()
    sentences = read_weighed(args.weighed)
    if args.report:
        weights = ChoiceWeights.model_validate_json(args.report.read_text("utf-8"))
    else:
        weights = fit(labelled(sentences))
        weights = weights.model_copy(update={"min_confidence": _threshold(cross_validated(sentences))})
    for name in dict.fromkeys(row.set for row in sentences):
        print(f"{name:20s} {_line(scored([row for row in sentences if row.set == name], weights))}")
    print(f"{'all':20s} {_line(scored(sentences, weights))}")
    print(f"expected calibration error {calibration_error(sentences, weights):.3f}")
    print(weights.model_dump_json(indent=2))
    if args.out:
        args.out.write_text(weights.model_dump_json(indent=2) + "\n", "utf-8")


def _line(found: Report) -> str:
    alarms = f"{100 * found.false_alarms.value:.1f}%" if found.false_alarms else "-"
    return (
        f"n {found.sentences:4d}  P {100 * found.all.precision.value:5.1f}  R {100 * found.all.recall.value:5.1f}  "
        f"F0.5 {100 * found.all.f05.value:5.1f}  not tense {100 * found.other.f05.value:5.1f}  "
        f"exact {100 * found.exact.value:5.1f}%  false alarms {alarms}"
    )


if __name__ == "__main__":
    main()
