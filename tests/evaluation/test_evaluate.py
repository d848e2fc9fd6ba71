from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import TypeVar

import pytest

from tests.tiny import tiny_model
from tutor.agent.tutor import Options
from tutor.evaluation.evaluate import Evaluation, as_json, summaries
from tutor.evaluation.ledger import NamedItem
from tutor.evaluation.readers import Item
from tutor.evaluation.summary import Prediction
from tutor.planner.steps import ToolCall

T = TypeVar("T")
CALLS = (ToolCall(tool="lookup_spanish", args={"word": "She sings."}),)
ITEMS: list[NamedItem] = [
    ("wrong", Item("He goed home.", ("He went home.",))),
    ("wrong", Item("She have a dog.", ("She has a dog.",))),
    ("right", Item("The dogs bark.", ("The dogs bark.",))),
    ("right", Item("She sings.", ("She sings.",), CALLS)),
]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_model(tmp_path_factory.mktemp("tiny"))


def watch(work: Iterable[T], title: str, total: int) -> Iterable[T]:
    return work


def stop_after_two(work: Iterable[T], title: str, total: int) -> Iterable[T]:
    return islice(work, 2)


def untimed(rows: list[Prediction]) -> list[object]:
    return [row.model_dump(exclude={"correction": {"timing"}}) for row in rows]


def test_an_interrupted_evaluation_goes_on(model: Path, tmp_path: Path) -> None:
    with pytest.raises(KeyError):  # the rest is missing
        Evaluation(model, tmp_path).predictions(ITEMS, stop_after_two)
    counts: list[int] = []

    def counting(work: Iterable[T], title: str, total: int) -> Iterable[T]:
        counts.append(total)
        return work

    resumed = Evaluation(model, tmp_path).predictions(ITEMS, counting)
    assert counts == [2]
    assert untimed(resumed) == untimed(Evaluation(model).predictions(ITEMS, watch))


def test_results_of_other_options_are_not_mixed_in(model: Path, tmp_path: Path) -> None:
    Evaluation(model, tmp_path)
    Evaluation(model, tmp_path)
    with pytest.raises(ValueError, match="other options"):
        Evaluation(model, tmp_path, Options(min_confidence=0.9))


def test_sets_groups_and_all_are_scored(model: Path) -> None:
    evaluation = Evaluation(model)
    predictions, compared = evaluation.predictions(ITEMS, watch), evaluation.compared(ITEMS, watch)
    assert [row.source for row in compared] == ["She sings."]
    found = summaries(predictions, compared, {"mine": ["wrong"]})
    assert {name: summary.edits.sentences for name, summary in found.items()} == {
        "wrong": 2, "right": 2, "mine": 2, "all": 4,
    }  # fmt: skip
    assert found["right"].calls is not None
    assert found["wrong"].calls is None
    scores = as_json(found, evaluation.settings)["sets"]
    assert scores["right"]["edits"]["false_alarms"]["value"] == round(
        found["right"].edits.false_alarms.value,
        4,  # type: ignore[union-attr]
    )
