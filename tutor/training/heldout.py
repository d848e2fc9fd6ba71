"""Our own evaluation sets: sentences whose verbs and structures training never sees, with the oracle's calls.

``python -m tutor.training.heldout`` writes the traces of `corpus/heldout` anew; needed when oracle, tools or mask change.
"""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import islice
from random import Random
from typing import Any

from tutor.agent.tutor import MODEL
from tutor.decoding.tokenizer import Tokenizer
from tutor.language.morphology import Person, Tense, conjugate, learner_forms
from tutor.paths import corpus_dir, models_dir
from tutor.planner.steps import ToolCall
from tutor.training.ceiling import aligned
from tutor.training.errors import Broken, Edit
from tutor.training.examples import policy_example
from tutor.training.oracle import traces
from tutor.training.pairs import write_rows

SEED = 20
ROWS = 300
_ERRORS = ((0, 1, 2), (0.5, 0.35, 0.15))
_SLOT = re.compile(r"\{(\w+)(?::(\w+))?(?::(not))?(?:\|([\w+,]+))?\}")
_KIND = "VERB"
_BE = {Person.first_sg: "am", Person.third_sg: "is"}


@cache
def grammar() -> dict[str, Any]:
    """Return the templates, verbs and lists of the held-out sentences."""
    return tomllib.loads((corpus_dir() / "heldout" / "grammar.toml").read_text("utf-8"))


def generated(rng: Random) -> Iterator[Broken]:
    """Yield sentences of the held-out grammar without end, about half of them with errors."""
    structures = grammar()["structures"]
    while True:
        template = rng.choice(rng.choice(structures)["templates"])
        slots = [match for match in _SLOT.finditer(template) if match[4]]
        errors = min(rng.choices(*_ERRORS)[0], len(slots))
        yield _Sentence(rng, {match.start() for match in rng.sample(slots, errors)}).write(template)


class _Sentence:
    """One sentence in the making, right and as a learner writes it."""

    def __init__(self, rng: Random, broken: set[int]) -> None:
        self._rng, self._broken = rng, broken
        self._person = Person.third_sg
        self._verbs = list(grammar()["verbs"]["A"])
        self._source = self._target = ""
        self._edits: list[Edit] = []

    def write(self, template: str) -> Broken:
        """Fill the slots of a template."""
        at = 0
        for match in _SLOT.finditer(template):
            self._add(template[at : match.start()])
            self._fill(match)
            at = match.end()
        self._add(template[at:])
        return Broken(self._source, self._target, tuple(self._edits))

    def _add(self, text: str) -> None:
        if not self._target:
            text = text[:1].upper() + text[1:]
        self._source, self._target = self._source + text, self._target + text

    def _fill(self, match: re.Match[str]) -> None:
        slot, tense, negative, wrong = match.groups()
        data = grammar()
        if tense:
            self._verb(
                slot, Tense(tense), negative is not None, wrong if match.start() in self._broken else None
            )
        elif slot == "be":
            self._add(_BE.get(self._person, "are"))
        elif slot in data["lists"]:
            self._add(self._rng.choice(data["lists"][slot]))
        else:
            names = [slot] if slot in data["subjects"] else list(data["subjects"])
            text, person = self._rng.choice(data["subjects"][self._rng.choice(names)])
            self._person = Person(person)
            self._add(text)

    def _verb(self, slot: str, tense: Tense, negative: bool, wrong: str | None) -> None:
        person = {"A3": Person.third_sg, "AP": Person.third_pl}.get(slot, self._person)
        lemma, *rest = self._verbs.pop(self._rng.randrange(len(self._verbs))).split()
        right = conjugate(lemma, tense, person, negative=negative)[0]
        options = [_wrong(each, lemma, tense, person, negative) for each in wrong.split(",")] if wrong else []
        slips = [each for each in options if each and each not in conjugate(lemma, tense, person)]
        written = self._rng.choice(slips) if slips else right
        if written != right:
            start = len(self._source)
            self._edits.append(Edit(start, start + len(written), written, right, _KIND))
        self._source, self._target = self._source + written, self._target + right
        self._add(" ".join(["", *rest]))


def _wrong(kind: str, lemma: str, tense: Tense, person: Person, negative: bool) -> str | None:
    """Return what a learner writes in the place of a form, or None where this verb has no such slip."""
    if kind == "agree":
        other = Person.third_pl if person is Person.third_sg else Person.third_sg
        return conjugate(lemma, tense, other, negative=negative)[0]
    if kind == "rule":
        return next(iter(learner_forms(lemma)), None)
    words = [
        conjugate(lemma, Tense(each), person)[0] if each in set(Tense) else each for each in kind.split("+")
    ]
    return " ".join(words)


def written() -> Iterator[Broken]:
    """Yield the hand-written sentences."""
    with (corpus_dir() / "heldout" / "written.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield aligned(row["source"], row["target"])


def sets() -> dict[str, Iterator[dict[str, Any]]]:
    """Return the rows of each set; sentences whose correction no tool supports are left out."""
    distinct = {pair.source: pair for pair in islice(generated(Random(SEED)), ROWS)}
    return {
        "templates": traces(iter(distinct.values())),
        "written": traces(written()),
    }


def main() -> None:
    """Write the sets into `corpus/heldout`; a run that the mask does not allow is left out of its row."""
    tokenizer = Tokenizer(models_dir() / MODEL)
    for name, rows in sets().items():
        write_rows((within_mask(tokenizer, row) for row in rows), corpus_dir() / "heldout" / f"{name}.jsonl")


def within_mask(tokenizer: Tokenizer, row: dict[str, Any]) -> dict[str, Any]:
    """Return a row, without its run if the mask does not allow it."""
    calls = [ToolCall(**step) for step in row["steps"]]
    if policy_example(tokenizer, row["source"], row["target"], calls) is not None:
        return row
    return {name: value for name, value in row.items() if name != "steps"}


if __name__ == "__main__":
    main()
