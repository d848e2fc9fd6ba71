"""Fit the choice on weighed sentences and measure it by cross-validation: calibration, thresholds, what each feature buys.

``python -m tutor.training.calibrate WEIGHED --out DIR`` writes ``choice.json``, ``calibration.json`` and the diagram.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np

from tutor.evaluation.calibration import Confidence, Reliability, reliability
from tutor.evaluation.intervals import Interval, Sums, draws, interval, ratio
from tutor.evaluation.scores import Counts, Outcome
from tutor.planner.choice import ChoiceWeights
from tutor.training.fit import CrossValidation, HeldOut, cross_validate, feature_names, fit, labelled
from tutor.training.tables import calibration_text
from tutor.training.targets import rightness
from tutor.training.thresholds import CONFIDENCES, Setting, choose, measured, outcomes
from tutor.training.weighed import WeighedSentence, read_weighed

_FAMILIES = ("to_", "fluency")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What leaving a feature out costs, cross-validated.

    Attributes
    ----------
    feature : str
        The feature, or ``to_*`` for all that tell what kind of form is put in, ``fluency*`` for both slopes.
    loss : float
        Rise of the mean negative log-likelihood, in nats a stretch; below 0 the choice is better without it.
    f05 : Interval
        Fall of F0.5, each at the threshold of its best F0.5; sentences are drawn in pairs.
    """

    feature: str
    loss: float
    f05: Interval


@dataclass(frozen=True, slots=True)
class Calibration:
    """A fitted choice and what is known of it, all but `weights` from held-out folds.

    Attributes
    ----------
    weights : ChoiceWeights
        Fitted on all sentences, with the threshold to ship.
    sentences : dict of str to int
        Sentences by set.
    reliability : Reliability or None
        Of the likeliest edit of each stretch.
    shipped : Setting
        What that threshold gives.
    settings : list of Setting
        What others give.
    features : list of LeftOut
        What each feature buys.
    """

    weights: ChoiceWeights
    sentences: dict[str, int]
    reliability: Reliability | None
    shipped: Setting
    settings: list[Setting]
    features: list[LeftOut]


def calibrate(
    sentences: Sequence[WeighedSentence], without: Sequence[str] = (), *, ablate: bool = True
) -> Calibration:
    """Fit the choice and measure it.

    Parameters
    ----------
    sentences : sequence of WeighedSentence
        What was weighed.
    without : sequence of str
        Features to leave out, or patterns of their names such as ``to_*``.
    ablate : bool
        Whether to measure what each feature buys.

    Raises
    ------
    ValueError
        If no feature matches a pattern.
    """
    known = feature_names(sentences)
    for pattern in without:
        if known and not any(fnmatchcase(name, pattern) for name in known):
            raise ValueError(f"no feature matches {pattern!r}; there are {', '.join(sorted(known))}")
    found = cross_validate(sentences, without)
    grid = [measured(found.held_out, min_confidence) for min_confidence in CONFIDENCES]
    shipped = choose(grid)
    names = [row.set for row in sentences]
    return Calibration(
        weights=fit(labelled(sentences, without)).model_copy(
            update={"min_confidence": shipped.min_confidence}
        ),
        sentences={name: names.count(name) for name in dict.fromkeys(names)},
        reliability=reliability([likeliest(each) for each in found.held_out]),
        shipped=shipped,
        settings=grid,
        features=list(_ablations(sentences, found, without)) if ablate else [],
    )


def likeliest(held_out: HeldOut) -> list[Confidence]:
    """Return the probability of the likeliest candidate of each stretch, and whether it is right."""
    return [
        max(zip(probabilities, right, strict=True), key=lambda pair: pair[0])
        for probabilities, right in zip(held_out.probabilities, rightness(held_out.sentence), strict=True)
    ]


def _ablations(
    sentences: Sequence[WeighedSentence],
    whole: CrossValidation,
    without: Sequence[str],
) -> Iterator[LeftOut]:
    names = {name for values, _ in labelled(sentences, without) for row in values for name in row}
    families = {
        next((f"{prefix}*" for prefix in _FAMILIES if name.startswith(prefix)), name): None
        for name in sorted(names)
    }
    base = _best(whole)
    for feature in families:
        rest = cross_validate(sentences, [*without, feature])
        table = [[*_sums(a), *_sums(b)] for a, b in zip(base, _best(rest), strict=True)]
        difference = interval(table, lambda s: _f05(s[:, :3]) - _f05(s[:, 3:]), draws(len(table)))
        yield LeftOut(feature, rest.loss - whole.loss, difference)


def _best(found: CrossValidation) -> list[Outcome]:
    """Return what the threshold of best F0.5 makes."""
    best = max(CONFIDENCES, key=lambda each: measured(found.held_out, each).counts.f())
    return outcomes(found.held_out, best)


def _sums(outcome: Outcome) -> tuple[int, int, int]:
    total = sum(outcome.counts.values(), Counts())
    return total.tp, total.fp, total.fn


def _f05(sums: Sums) -> Sums:
    return ratio(1.25 * sums[:, 0], sums @ np.array([1.25, 1.0, 0.25]))


def figures(found: Calibration) -> dict[str, Any]:
    """Return what was measured as JSON values."""
    return asdict(found) | {"weights": found.weights.model_dump()}


def write(found: Calibration, folder: Path) -> None:
    """Write the weights, the figures and the reliability diagram into a folder."""
    from tutor.evaluation.plots import plot_reliability

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "choice.json").write_text(found.weights.model_dump_json(indent=2) + "\n", "utf-8")
    (folder / "calibration.json").write_text(json.dumps(figures(found), indent=2) + "\n", "utf-8")
    if found.reliability:
        plot_reliability(found.reliability, folder / "reliability.png", "Likeliest edits, held out")


def main() -> None:
    """Fit and measure from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weighed", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="folder of the results")
    parser.add_argument(
        "--without", nargs="*", default=[], metavar="FEATURE", help="features to leave out, such as to_*"
    )
    parser.add_argument("--no-ablation", action="store_true", help="skip what each feature buys")
    args = parser.parse_args()
    try:
        found = calibrate(read_weighed(args.weighed), args.without, ablate=not args.no_ablation)
    except (OSError, ValueError) as error:
        parser.exit(1, f"{error}\n")
    write(found, args.out)
    print(calibration_text(figures(found)))


if __name__ == "__main__":
    main()
