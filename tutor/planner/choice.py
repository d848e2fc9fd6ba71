"""The choice of the correction: whole alternatives of the lattice against the unchanged sentence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from pydantic import BaseModel, ConfigDict

from tutor.decoding.model import LanguageModel
from tutor.language.lexicon import is_known_word
from tutor.planner.lattice import Lattice, Replacement
from tutor.planner.scores import Scores, score
from tutor.planner.steps import Observed
from tutor.tools.check_subject_verb_agreement import Result as Agreement

_CLIP = 20.0


class ChoiceWeights(BaseModel):
    """A logistic model of "this edit is right", fitted on a dev set; its probabilities are the confidences.

    Attributes
    ----------
    bias : float
        Intercept.
    weights : dict of str to float
        Weight of each feature of `features`; a feature without one counts nothing.
    min_confidence : float
        Probability from which an edit is made.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    bias: float = -1.0
    weights: dict[str, float] = {"fluency": 0.5, "error_model": 0.5}
    min_confidence: float = 0.5

    @classmethod
    def load(cls, folder: Path) -> ChoiceWeights:
        """Read ``choice.json`` of a model folder; a folder without one gets the plain sum of the two scores."""
        path = folder / "choice.json"
        return cls.model_validate_json(path.read_text("utf-8")) if path.is_file() else cls()

    def logit(self, values: dict[str, float]) -> float:
        """Return the log-odds that an edit with these features is right."""
        return self.bias + sum(self.weights.get(name, 0.0) * value for name, value in values.items())


@dataclass(frozen=True, slots=True)
class ScoredEdit:
    """A replacement with its scores and the probability that it is right."""

    replacement: Replacement
    fluency: float
    error_model: float
    logit: float

    @property
    def probability(self) -> float:
        """Probability that the edit is right, 0 to 1."""
        return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, self.logit))))


@dataclass(frozen=True, slots=True)
class Choice:
    """The correction that was chosen and what it was chosen from."""

    corrected: str | None
    edits: tuple[ScoredEdit, ...]
    alternatives: tuple[ScoredEdit, ...]


def features(lattice: Lattice, observed: Sequence[Observed], scores: Scores) -> dict[str, float]:
    """Return what the choice knows of one replacement, as numbers.

    Parameters
    ----------
    lattice : Lattice
        The sentence.
    observed : sequence of Observed
        The tool calls of the run.
    scores : Scores
        The replacement and its scores.
    """
    item = scores.replacement
    written = [token.norm for token in lattice.tokens[item.first : item.last + 1]]
    words = len(item.text.split())
    verdicts = _verdicts(lattice, observed, item)
    return {
        "fluency": max(-_CLIP, min(_CLIP, scores.fluency)),
        "error_model": max(-_CLIP, min(_CLIP, scores.error_model)),
        "disagrees": float(False in verdicts),
        "agrees": float(True in verdicts and False not in verdicts),
        "non_word": float(not is_known_word(lattice.tokens[item.group.head].norm)),
        "auxiliary": float(item.group.is_auxiliary),
        "unlikely": float(not item.group.likely),
        "longer": float(words > len(written)),
        "shorter": float(words < len(written)),
    }


def _verdicts(lattice: Lattice, observed: Sequence[Observed], item: Replacement) -> set[bool | None]:
    """Return what agreement steps said of the replaced group, as far as the replacement answers them."""
    written = f" {lattice.sentence[item.start : item.end]} "
    results = {step.number: step.result for step in observed}
    found = set()
    for source in item.sources:
        result = results[source.step]
        if isinstance(result, Agreement) and written in f" {result.verb} ":
            form = source.evidence.form
            expected = {word for group in result.expected for word in (group, group.split()[0])}
            if result.agrees is not False or form in expected:
                found.add(result.agrees)
    return found


class Chooser:
    """Chooses corrections by fluency and error model.

    Parameters
    ----------
    model : LanguageModel
        Gives the scores.
    weights : ChoiceWeights
        Weighs them.
    """

    def __init__(self, model: LanguageModel, weights: ChoiceWeights) -> None:
        self.model, self.weights = model, weights

    def choose(
        self,
        lattice: Lattice,
        observed: Sequence[Observed],
        *,
        min_confidence: float | None = None,
        generator: torch.Generator | None = None,
    ) -> Choice:
        """Return the best correction of a lattice.

        Parameters
        ----------
        lattice : Lattice
            The sentence and what may change in it.
        observed : sequence of Observed
            The tool calls of the run.
        min_confidence : float, optional
            Probability from which an edit is made; the weights' own without one.
        generator : torch.Generator, optional
            Sample each edit by its probability instead of taking those of at least `min_confidence`.

        Returns
        -------
        Choice
            Edits do not overlap; of overlapping ones the likeliest is made. No edit: `corrected` is None.
        """
        least = self.weights.min_confidence if min_confidence is None else min_confidence
        ranked = sorted(self.rank(lattice, observed), key=lambda edit: -edit.logit)
        chosen: list[ScoredEdit] = []
        for edit in ranked:
            item = edit.replacement
            threshold = float(torch.rand((), generator=generator)) if generator else least
            free = all(item.last < other.replacement.first or item.first > other.replacement.last for other in chosen)
            if free and edit.probability >= threshold:
                chosen.append(edit)
        edits = tuple(sorted(chosen, key=lambda edit: edit.replacement.start))
        corrected = lattice.apply([edit.replacement for edit in edits]) if edits else None
        return Choice(corrected, edits, tuple(ranked))

    def rank(self, lattice: Lattice, observed: Sequence[Observed]) -> list[ScoredEdit]:
        """Return every replacement with its scores, in the lattice's order."""
        return [
            ScoredEdit(
                scores.replacement,
                scores.fluency,
                scores.error_model,
                self.weights.logit(features(lattice, observed, scores)),
            )
            for scores in score(self.model, lattice)
        ]
