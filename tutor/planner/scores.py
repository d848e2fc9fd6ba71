"""Two scores of the likely replacements of a lattice: fluency under the base model, odds under the error model.

Together they make a noisy channel: how much better the sentence reads, and how likely a learner who meant that wrote this
(Brill & Moore 2000; Junczys-Dowmunt et al. 2018 rescore the same way). Both come from one forward pass over a token forest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from tutor.decoding.forest import Forest
from tutor.decoding.queries import Context, Decide, Fluency, Work
from tutor.decoding.tokenizer import Tokenizer
from tutor.planner.lattice import Lattice, Replacement
from tutor.planner.prompt import rewrite_prompt, sentence_prompt

LIKELY = -4.0  # log-odds under the error model from which a replacement's fluency is worth a forward pass
CANDIDATES = 8  # such replacements of one verb group
WINDOW = 8  # tokens after a change over which fluency is compared; further ones hardly differ
FOREST_NODES = 1024
_FLUENCY_OPENING = "\n"


@dataclass(frozen=True, slots=True)
class Scores:
    """What the models say of one replacement against the sentence as it stands.

    Attributes
    ----------
    replacement : Replacement
        The replacement, alone.
    fluency : float
        Gain of the sentence's log-probability under the base model, in nats.
    error_model : float
        Log-odds against leaving it, under the tuned model among the texts of the lattice, in nats.
    """

    replacement: Replacement
    fluency: float
    error_model: float


@dataclass(frozen=True, slots=True)
class _Change:
    """Where a tokenised alternative leaves the sentence and where it joins it again."""

    ids: list[int]
    begin: int
    end: int
    original_end: int


def score(tokenizer: Tokenizer, lattice: Lattice, context: Context | None = None) -> Work[list[Scores]]:
    """Return the scores of the replacements of a lattice that the error model finds likely, at most `CANDIDATES` a verb group.

    Parameters
    ----------
    tokenizer : Tokenizer
        The model's tokenizer.
    lattice : Lattice
        The sentence and what may change in it.
    context : Context, optional
        The context of the run, which begins with the sentence.

    Returns
    -------
    list of Scores
        One for each likely text that a single replacement makes.
    """
    found = lattice.alternatives()
    if not found:
        return []
    texts = [f" {text}" for text in (lattice.sentence, *found)]
    original, *alternatives = tokenizer.encode_batch(texts)
    changes = [_change(original, ids) for ids in alternatives]
    odds = yield from _log_odds(tokenizer, lattice.sentence, original, changes, context)
    items = list(found.values())
    likely = _likely(items, odds)
    gains = yield from _fluency_gains(tokenizer, original, [changes[index] for index in likely])
    return [Scores(items[index], gain, odds[index]) for index, gain in zip(likely, gains, strict=True)]


def _likely(items: Sequence[Replacement], odds: Sequence[float]) -> list[int]:
    """Return which replacements are likely enough to be weighed, in their order."""
    groups: dict[int, list[int]] = {}
    for index in sorted(range(len(items)), key=lambda index: -odds[index]):
        rivals = groups.setdefault(items[index].group.head, [])
        if odds[index] >= LIKELY and len(rivals) < CANDIDATES:
            rivals.append(index)
    return sorted(index for rivals in groups.values() for index in rivals)


def _change(original: Sequence[int], ids: list[int]) -> _Change:
    shorter = min(len(original), len(ids))
    begin = next((i for i in range(shorter) if original[i] != ids[i]), shorter)
    tail = next((i for i in range(shorter - begin) if original[-1 - i] != ids[-1 - i]), shorter - begin)
    return _Change(ids, begin, len(ids) - tail, len(original) - tail)


def _log_odds(
    tokenizer: Tokenizer,
    sentence: str,
    original: list[int],
    changes: list[_Change],
    context: Context | None,
) -> Work[list[float]]:
    prompt, opening = tokenizer.encode_batch([rewrite_prompt(sentence), sentence_prompt(sentence)])
    shared = len(opening) if prompt[: len(opening)] == opening else 0
    forest = Forest()
    base = forest.add([*prompt, *original])
    # One token beyond the change tells a form from a longer one that begins with it ("go", "going").
    paths = [forest.add([*prompt, *change.ids[: change.end + 1]]) for change in changes]
    log_probs = yield Decide(forest, context, shared)
    return [
        _total(log_probs, path[len(prompt) + change.begin :])
        - _total(log_probs, base[len(prompt) + change.begin : len(prompt) + change.original_end + 1])
        for change, path in zip(changes, paths, strict=True)
    ]


def _fluency_gains(tokenizer: Tokenizer, original: list[int], changes: list[_Change]) -> Work[list[float]]:
    opening = tokenizer.encode(_FLUENCY_OPENING)
    gains: list[float] = []
    while len(gains) < len(changes):
        forest = Forest()
        base = forest.add([*opening, *original])
        paths = []
        for change in changes[len(gains) :]:
            paths.append(forest.add([*opening, *change.ids[: change.end + WINDOW]]))
            if len(forest) >= FOREST_NODES:
                break
        log_probs = yield Fluency(forest)
        for change, path in zip(changes[len(gains) : len(gains) + len(paths)], paths, strict=True):
            kept = base[len(opening) + change.begin : len(opening) + change.original_end + WINDOW]
            gains.append(_total(log_probs, path[len(opening) + change.begin :]) - _total(log_probs, kept))
    return gains


def _total(log_probs: torch.Tensor, nodes: list[int]) -> float:
    return float(log_probs[nodes].sum())
