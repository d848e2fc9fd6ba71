"""Weighed sentences whose truth is known."""

import math
import random

from tutor.training.weighed import Candidate, WeighedSentence


def sentence(
    value: float, right: bool, *, set: str = "own", noise: float = 0.0, correct: bool = False
) -> WeighedSentence:
    """Return a sentence with one candidate; `right` says whether its edit is, `correct` whether nothing is wrong."""
    candidate = Candidate(start=3, end=7, text="went", features={"fluency": value, "noise": noise})
    reference = "He went home." if right else "He goed home." if correct else "He had gone home."
    return WeighedSentence(
        set=set, source="He goed home.", references=(reference,), stop_reason="final_answer", tools=(),
        stretches=((candidate,),),
    )  # fmt: skip


def sample(size: int, seed: int) -> list[WeighedSentence]:
    """Return sentences whose edit is right with the probability that a logistic model gives to its fluency alone."""
    rng = random.Random(seed)
    rows = []
    for _ in range(size):
        value = rng.uniform(-4, 4)
        right = rng.random() < 1 / (1 + math.exp(1.0 - 1.5 * value))
        rows.append(sentence(value, right, noise=rng.uniform(-1, 1), correct=rng.random() < 0.5))
    return rows
