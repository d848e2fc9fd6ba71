"""What the tutor weighed on an evaluation set: every run's candidates with their features, kept for fitting and scoring.

``python -m tutor.training.weighed --model DIR --out FILE SET...`` runs the sets; an interrupted run is continued.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from tutor.agent.react import react
from tutor.agent.tutor import MODEL
from tutor.decoding.model import TransformersModel
from tutor.decoding.queries import Work, run_together
from tutor.evaluation.ledger import Ledger, NamedItem, named_items
from tutor.evaluation.readers import Item
from tutor.language.scope import scope_reasons
from tutor.language.tokens import tokenize
from tutor.paths import models_dir
from tutor.planner.choice import ChoiceWeights, features, stretches
from tutor.planner.lattice import lattice
from tutor.planner.planner import Planner, PlannerOptions
from tutor.planner.scores import Scores
from tutor.training.examples import full_observations


class Candidate(BaseModel):
    """One replacement that was weighed."""

    model_config = ConfigDict(frozen=True)

    start: int
    end: int
    text: str
    features: dict[str, float]


class WeighedSentence(BaseModel):
    """A sentence after its run: the stretches that may change, each with its candidates."""

    model_config = ConfigDict(frozen=True)

    set: str
    source: str
    references: tuple[str, ...]
    stop_reason: str
    tools: tuple[str, ...]
    stretches: tuple[tuple[Candidate, ...], ...]

    def probabilities(self, weights: ChoiceWeights) -> list[list[float]]:
        """Return the probability of each candidate of each stretch."""
        return [
            weights.probabilities([candidate.features for candidate in stretch]) for stretch in self.stretches
        ]

    def corrected(
        self, weights: ChoiceWeights, probabilities: Sequence[Sequence[float]] | None = None
    ) -> str:
        """Return the sentence as these weights correct it, by the probabilities that they give unless others are given."""
        text, position = [], 0
        for stretch, found in zip(self.stretches, probabilities or self.probabilities(weights), strict=True):
            index = weights.decide(found)
            if index is not None:
                text += [self.source[position : stretch[index].start], stretch[index].text]
                position = stretch[index].end
        return "".join(text) + self.source[position:]


def weigh(planner: Planner, name: str, item: Item, *, everything: bool = False) -> Work[WeighedSentence]:
    """Run one sentence and return what was weighed: the forms that its calls returned, or all that calls could return."""
    reasons = scope_reasons(item.source, tokenize(item.source))
    started = planner.start(item.source, reasons)
    run = yield from react(started, item.source)
    more = full_observations(item.source, len(run.observed)) if everything else []
    observed = (*run.observed, *more)
    found = lattice(item.source, observed)
    choosing = planner.chooser.choose(found, observed) if everything else started.choice(observed)
    choice = None if reasons else (yield from choosing)
    weighed = choice.alternatives if choice else ()
    rivals = stretches([Scores(each.replacement, each.fluency, each.error_model) for each in weighed])
    return WeighedSentence(
        set=name,
        source=item.source,
        references=item.references,
        stop_reason=str(run.stop_reason),
        tools=tuple(step.call.tool for step in run.observed),
        stretches=tuple(
            tuple(
                Candidate(
                    start=each.replacement.start,
                    end=each.replacement.end,
                    text=each.replacement.text,
                    features=features(found, observed, each),
                )
                for each in stretch
            )
            for stretch in rivals
        ),
    )


def weigh_all(
    planner: Planner, items: Sequence[NamedItem], *, everything: bool = False, width: int = 32
) -> Iterator[WeighedSentence]:
    """Run sentences side by side and yield what was weighed, in order; the arguments are those of `weigh`."""
    works = (weigh(planner, name, item, everything=everything) for name, item in items)
    return run_together(planner.model, works, width)


def read_weighed(path: Path) -> list[WeighedSentence]:
    """Read a whole file of weighed sentences."""
    return [WeighedSentence.model_validate_json(line) for line in path.read_text("utf-8").splitlines()]


def main() -> None:
    """Run the sets and write what was weighed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path, help="evaluation sets (.tsv, .m2, .jsonl)")
    parser.add_argument("--model", type=Path, default=models_dir() / MODEL)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--limit", type=int, help="sentences of each set, drawn with a fixed seed")
    parser.add_argument(
        "--targets", action="store_true", help="weigh the corrections too, as right sentences"
    )
    parser.add_argument(
        "--everything",
        action="store_true",
        help="weigh all forms that calls could return, not just those that the run asked for",
    )
    args = parser.parse_args()
    from rich.progress import track

    items = named_items(args.sets, args.limit, with_targets=args.targets)
    planner = Planner(TransformersModel(args.model), ChoiceWeights.load(args.model), PlannerOptions())
    ledger = Ledger(args.out, WeighedSentence)
    missing = ledger.missing(items)
    for _ in track(
        ledger.fill(items, partial(weigh_all, planner, everything=args.everything)),
        "Weighing",
        total=missing,
    ):
        pass


if __name__ == "__main__":
    main()
