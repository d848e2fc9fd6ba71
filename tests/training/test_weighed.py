from pathlib import Path

import pytest

from tests.tiny import tiny_model
from tests.training.weighed_sample import sentence
from tutor.decoding.model import TransformersModel
from tutor.evaluation.readers import Item
from tutor.planner.choice import ChoiceWeights
from tutor.planner.planner import Planner, PlannerOptions
from tutor.training.weighed import WeighedSentence, read_weighed, weigh_all


@pytest.fixture(scope="module")
def planner(tmp_path_factory: pytest.TempPathFactory) -> Planner:
    model = TransformersModel(tiny_model(tmp_path_factory.mktemp("tiny")), "cpu")
    return Planner(model, ChoiceWeights(), PlannerOptions())


def test_weights_correct_a_sentence_from_their_threshold_on() -> None:
    row = sentence(2.0, right=True)
    weights = ChoiceWeights(bias=0.0, weights={"fluency": 1.0}, min_confidence=0.8)
    assert row.corrected(weights) == "He went home."
    assert row.corrected(weights.model_copy(update={"min_confidence": 0.9})) == "He goed home."
    assert row.corrected(weights, [[0.7]]) == "He goed home."


def test_sentences_are_weighed_in_order_with_the_forms_that_the_tools_returned(
    planner: Planner, tmp_path: Path
) -> None:
    items = [
        ("own", Item(text, (text,))) for text in ("He goed home.", "Hola, soy Marta.", "She have a dog.")
    ]
    rows = list(weigh_all(planner, items))
    assert [row.source for row in rows] == [item.source for _, item in items]
    assert "went" in {candidate.text for stretch in rows[0].stretches for candidate in stretch}
    assert rows[1].stretches == ()
    path = tmp_path / "weighed.jsonl"
    path.write_text("".join(row.model_dump_json() + "\n" for row in rows))
    assert read_weighed(path) == rows
    assert all(isinstance(row, WeighedSentence) for row in rows)


def test_everything_that_calls_could_return_holds_what_they_did(planner: Planner) -> None:
    items = [("own", Item(text, (text,))) for text in ("They singing a song.", "She have a dog.")]
    for own, every in zip(weigh_all(planner, items), weigh_all(planner, items, everything=True), strict=True):
        found = [
            {(each.start, each.end, each.text) for s in row.stretches for each in s} for row in (own, every)
        ]
        assert own.tools == every.tools
        assert len(found[1]) >= len(found[0]) > 0
