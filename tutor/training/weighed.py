"""What the tutor weighed on an evaluation set: every run's candidates with their features, kept for fitting and scoring.

``python -m tutor.training.weighed --model DIR --out FILE SET...`` runs the sets; an interrupted run is continued.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from tutor.agent.react import react
from tutor.agent.tutor import MODEL
from tutor.decoding.model import TransformersModel
from tutor.decoding.queries import Work, run_together
from tutor.evaluation.readers import Item, read
from tutor.language.scope import scope_reasons
from tutor.language.tokens import tokenize
from tutor.paths import models_dir
from tutor.planner.choice import ChoiceWeights, features, stretches
from tutor.planner.lattice import lattice
from tutor.planner.planner import Planner, PlannerOptions
from tutor.planner.scores import score


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

    def corrected(self, weights: ChoiceWeights) -> str:
        """Return the sentence as these weights would correct it."""
        text, position = [], 0
        for stretch in self.stretches:
            index = weights.decide(weights.probabilities([candidate.features for candidate in stretch]))
            if index is not None:
                text += [self.source[position : stretch[index].start], stretch[index].text]
                position = stretch[index].end
        return "".join(text) + self.source[position:]


def most_likely(stretch: Iterable[Candidate], weights: ChoiceWeights) -> tuple[Candidate, float]:
    """Return the likeliest candidate of a stretch and its probability."""
    candidates = list(stretch)
    probabilities = weights.probabilities([candidate.features for candidate in candidates])
    index = max(range(len(candidates)), key=lambda position: probabilities[position])
    return candidates[index], probabilities[index]


def weigh(planner: Planner, name: str, item: Item) -> Work[WeighedSentence]:
    """Run one sentence and return what was weighed."""
    reasons = scope_reasons(item.source, tokenize(item.source))
    run = yield from react(planner.start(item.source, reasons), item.source)
    found = lattice(item.source, run.observed)
    rivals = [] if reasons else stretches((yield from score(planner.model.tokenizer, found)))
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
                    features=features(found, run.observed, each),
                )
                for each in stretch
            )
            for stretch in rivals
        ),
    )


def read_weighed(path: Path) -> list[WeighedSentence]:
    """Read a file of weighed sentences; a line that was cut off is left out."""
    lines = path.read_text("utf-8").split("\n")[:-1] if path.is_file() else []
    return [WeighedSentence.model_validate_json(line) for line in lines]


def _items(paths: Iterable[Path], limit: int | None) -> Iterator[tuple[str, Item]]:
    for path in paths:
        items = read(path)
        random.Random(0).shuffle(items)
        yield from ((path.stem, item) for item in items[:limit])


def main() -> None:
    """Run the sets and write what was weighed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path, help="evaluation sets (.tsv, .m2, .jsonl)")
    parser.add_argument("--model", type=Path, default=models_dir() / MODEL)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--width", type=int, default=32, help="sentences under way at a time")
    parser.add_argument("--limit", type=int, help="sentences of each set, drawn with a fixed seed")
    args = parser.parse_args()
    from rich.progress import track

    model = TransformersModel(args.model)
    planner = Planner(model, ChoiceWeights.load(args.model), PlannerOptions())
    done = {(row.set, row.source) for row in read_weighed(args.out)}
    todo = [(name, item) for name, item in _items(args.sets, args.limit) if (name, item.source) not in done]
    with args.out.open("a", encoding="utf-8") as out:
        works = (weigh(planner, name, item) for name, item in todo)
        for row in track(run_together(model, works, args.width), "Weighing", total=len(todo)):
            out.write(row.model_dump_json() + "\n")
            out.flush()


if __name__ == "__main__":
    main()
