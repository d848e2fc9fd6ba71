"""The choice of the correction: whole alternatives of the lattice against the unchanged sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from pydantic import BaseModel, ConfigDict

from tutor.decoding.queries import Context, Work
from tutor.decoding.tokenizer import Tokenizer
from tutor.language.verb_groups import analyse
from tutor.planner.lattice import Lattice, Replacement
from tutor.planner.scores import Scores, score
from tutor.planner.steps import Observed
from tutor.tools.check_subject_verb_agreement import Result as Agreement

_CLIP = 20.0
_FLUENT = 6.0  # nats beyond which more fluency tells less: it grows with what the sentence lacked


class ChoiceWeights(BaseModel):
    """A log-linear choice between a stretch as it stands and its replacements, fitted on a dev set.

    Leaving it has score 0, each replacement the score of its features; the softmax over both gives the confidences.

    Attributes
    ----------
    bias : float
        Score of any change as such.
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

    def score(self, values: dict[str, float]) -> float:
        """Return the score of a replacement with these features, against 0 for leaving the stretch."""
        return self.bias + sum(self.weights.get(name, 0.0) * value for name, value in values.items())

    def probabilities(self, rivals: Sequence[dict[str, float]]) -> list[float]:
        """Return the probability of each of the replacements of a stretch, by their features."""
        scores = torch.tensor([0.0, *(self.score(values) for values in rivals)], dtype=torch.float64)
        return scores.softmax(0).tolist()[1:]

    def decide(self, probabilities: Sequence[float]) -> int | None:
        """Return which of the replacements of a stretch to make, by their probabilities, or None for no change."""
        best = max(range(len(probabilities)), key=lambda index: probabilities[index])
        return best if probabilities[best] >= self.min_confidence else None


@dataclass(frozen=True, slots=True)
class ScoredEdit:
    """A replacement with its scores and the probability that it is right, against its rivals and no change."""

    replacement: Replacement
    fluency: float
    error_model: float
    score: float
    probability: float


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
    written = item.last + 1 - item.first
    words = len(item.text.split())
    before = analyse(lattice.tokens, item.group).tense
    kinds = {_kind(source.evidence.slot) for source in item.sources}
    fluency = max(-_CLIP, min(_CLIP, scores.fluency))
    return {
        "fluency": fluency,
        "fluency_above": max(fluency - _FLUENT, 0.0),
        "error_model": max(-_CLIP, min(_CLIP, scores.error_model)),
        "disagrees": float(_answers_disagreement(lattice, observed, item)),
        "longer": float(words > written),
        "shorter": float(words < written),
        "same_kind": float(_kind(before) in kinds),
    } | {f"to_{kind}": 1.0 for kind in sorted(kinds)}


def _kind(slot: str | None) -> str:
    """Return the coarse kind of a paradigm cell; none for a group that is none."""
    if slot is None:
        return "none"
    for part in ("passive", "perfect", "continuous"):
        if part in slot:
            return part
    if slot in ("past_simple", "to_infinitive", "gerund", "past_participle"):
        return slot
    return "present" if slot in ("base", "present_simple", "third_person") else "modal"


def _answers_disagreement(lattice: Lattice, observed: Sequence[Observed], item: Replacement) -> bool:
    """Return whether an agreement step found the replaced group not to agree and expects the replacement."""
    written = f" {lattice.sentence[item.start : item.end]} "
    results = {step.number: step.result for step in observed}
    for source in item.sources:
        result = results[source.step]
        if isinstance(result, Agreement) and result.agrees is False and written in f" {result.verb} ":
            expected = {word for group in result.expected for word in (group, group.split()[0])}
            if source.evidence.form in expected:
                return True
    return False


class Chooser:
    """Chooses corrections by fluency and error model.

    Parameters
    ----------
    tokenizer : Tokenizer
        The model's tokenizer.
    weights : ChoiceWeights
        Weighs them.
    """

    def __init__(self, tokenizer: Tokenizer, weights: ChoiceWeights) -> None:
        self.tokenizer, self.weights = tokenizer, weights

    def choose(
        self,
        lattice: Lattice,
        observed: Sequence[Observed],
        *,
        context: Context | None = None,
        min_confidence: float | None = None,
        generator: torch.Generator | None = None,
    ) -> Work[Choice]:
        """Return the best correction of a lattice.

        Parameters
        ----------
        lattice : Lattice
            The sentence and what may change in it.
        observed : sequence of Observed
            The tool calls of the run.
        context : Context, optional
            The context of the run, which begins with the sentence.
        min_confidence : float, optional
            Probability from which an edit is made; the weights' own without one.
        generator : torch.Generator, optional
            Sample each stretch by the probabilities instead of taking the best of at least `min_confidence`.

        Returns
        -------
        Choice
            At most one edit a stretch, so edits do not overlap. No edit: `corrected` is None.
        """
        weights = self.weights
        if min_confidence is not None:
            weights = weights.model_copy(update={"min_confidence": min_confidence})
        alternatives: list[ScoredEdit] = []
        edits: list[ScoredEdit] = []
        for stretch in (yield from self.rank(lattice, observed, context)):
            alternatives += stretch
            best = _sampled(stretch, generator) if generator else _likeliest(stretch, weights)
            if best is not None:
                edits.append(best)
        corrected = lattice.apply([edit.replacement for edit in edits]) if edits else None
        return Choice(corrected, tuple(edits), tuple(alternatives))

    def rank(
        self, lattice: Lattice, observed: Sequence[Observed], context: Context | None = None
    ) -> Work[list[list[ScoredEdit]]]:
        """Return the likely replacements with their scores, one list for each stretch that they compete for."""
        scores = yield from score(self.tokenizer, lattice, context)
        return [self._weigh(stretch, lattice, observed) for stretch in stretches(scores)]

    def _weigh(
        self, rivals: list[Scores], lattice: Lattice, observed: Sequence[Observed]
    ) -> list[ScoredEdit]:
        values = [features(lattice, observed, rival) for rival in rivals]
        probabilities = self.weights.probabilities(values)
        return [
            ScoredEdit(
                rival.replacement, rival.fluency, rival.error_model, self.weights.score(row), probability
            )
            for rival, row, probability in zip(rivals, values, probabilities, strict=True)
        ]


def stretches(scores: Sequence[Scores]) -> list[list[Scores]]:
    """Return replacements grouped into stretches: those whose spans overlap, directly or through others."""
    groups: list[list[Scores]] = []
    end = -1
    for item in sorted(scores, key=lambda found: (found.replacement.first, found.replacement.last)):
        if not groups or item.replacement.first > end:
            groups.append([])
        groups[-1].append(item)
        end = max(end, item.replacement.last)
    return groups


def _likeliest(stretch: Sequence[ScoredEdit], weights: ChoiceWeights) -> ScoredEdit | None:
    """Return the likeliest replacement, or None where it is not likely enough."""
    index = weights.decide([edit.probability for edit in stretch])
    return None if index is None else stretch[index]


def _sampled(stretch: Sequence[ScoredEdit], generator: torch.Generator) -> ScoredEdit | None:
    """Return a replacement drawn by its probability, or None for no change."""
    probabilities = [edit.probability for edit in stretch]
    rest = max(0.0, 1.0 - sum(probabilities))
    drawn = int(torch.multinomial(torch.tensor([*probabilities, rest]), 1, generator=generator))
    return stretch[drawn] if drawn < len(stretch) else None
