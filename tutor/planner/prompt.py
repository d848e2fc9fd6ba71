"""The prompt: the sentence and the steps so far, append-only, so that one cache serves a whole run."""

from __future__ import annotations

OPENING = "Learner:"
TEACHER = "Teacher:"


def sentence_prompt(sentence: str) -> str:
    """Return the opening of a run, which every step and the error model's choice share."""
    return f"{OPENING} {sentence}\n"


def observation_prompt(observation: str) -> str:
    """Return what follows the text of a tool call: the observation on a line of its own."""
    return f"\n> {observation}\n"


def rewrite_prompt(sentence: str) -> str:
    """Return the context in which the error model weighs corrections of a sentence, each after a space."""
    return sentence_prompt(sentence) + TEACHER
