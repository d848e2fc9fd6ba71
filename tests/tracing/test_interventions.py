"""Planted steps: the cause of each refusal is known."""

import pytest

from tutor.tracing.files import StepTrace
from tutor.tracing.interventions import Cause, causes
from tutor.tracing.json_path import JsonPath
from tutor.tracing.records import TokenProbability, TokenRecord

TEXT = [
    '{"',
    "next",
    '":"',
    "tool",
    '_call","args":{"word":"',
    "go",
    "es",
    '","tags":["a"',
    "]",
    ',"end":',
    "null",
    "}}",
]


def planted(refusals: dict[int, str]) -> StepTrace:
    """Return a step of `TEXT` in which the model wanted, with 70%, the refused texts in the places of their tokens."""
    path, step = JsonPath(), StepTrace(1)
    for place, text in enumerate(TEXT):
        refused = refusals.get(place)
        wanted = None if refused is None else TokenProbability(99, refused, 0.7, False)
        step.tokens.append(TokenRecord(
            token_id=place, text=text, path=str(path), origin="decided", allowed=2, logprob_before=-1.6,
            logprob_after=-0.1, blocked_mass=0.7, best_blocked=wanted,
        ))  # fmt: skip
        path.feed(text)
    return step


@pytest.mark.parametrize(
    ("place", "refused", "cause"),
    [
        (0, "Sure", "enum"),  # where a value begins
        (1, "nex", "canonical"),  # the same text in other tokens
        (1, "step", "key"),
        (2, "=", "key"),  # the quote still belongs to the key
        (3, "final", "enum"),
        (5, "walk", "pattern"),
        (6, '"', "length"),  # the model wanted to end the value
        (7, "ing", "length"),  # and here to go on
        (8, ",", "length"),  # one item more
        (9, "}", "separator"),
        (10, "true", "enum"),
        (11, " ", "separator"),
    ],
)
def test_each_refusal_has_its_cause(place: int, refused: str, cause: Cause) -> None:
    found = causes(planted({place: refused}), patterns=("$.args.word",))
    assert found[place] == cause
    assert [each for each in found if each] == [cause]


def test_what_was_less_likely_than_what_was_allowed_was_not_refused() -> None:
    step = planted({3: "final"})
    likelier = TokenProbability(50, "tools", 0.8, True)
    step.tokens[3] = step.tokens[3].model_copy(update={"best_rival": likelier})
    assert causes(step) == [None] * len(TEXT)
    step.tokens[3] = step.tokens[3].model_copy(update={"best_rival": None, "logprob_before": -0.1})
    assert causes(step) == [None] * len(TEXT)
