import numpy as np
import pytest

from tests.scripted import ScriptedModel
from tutor.benchmark.counting import CountedModel, Forward
from tutor.decoding.forest import Forest
from tutor.decoding.queries import Decide, Fluency, Predict
from tutor.decoding.tokenizer import Tokenizer


@pytest.fixture
def model(tokenizer: Tokenizer) -> CountedModel:
    return CountedModel(ScriptedModel(tokenizer, ["{}"]))


def forest(*paths: list[int]) -> Forest:
    found = Forest()
    for path in paths:
        found.add(path)
    return found


def test_a_prediction_runs_what_is_new_of_its_context(model: CountedModel) -> None:
    context = model.context()
    context.append([5, 6, 7])
    counts = model.start()
    model.answer([Predict(context, np.array([1, 2]))])
    assert counts.forwards == [Forward(3, 0)]
    assert (counts.decided, counts.cached, counts.scored, counts.processed) == (1, 0, 0, 3)


def test_a_forest_counts_by_the_nodes_whose_prediction_counts(model: CountedModel) -> None:
    counts = model.start()
    model.answer([Fluency(forest([1, 2, 3], [1, 2, 4])), Decide(forest([1, 2], [1, 3]))])
    assert counts.forwards == [Forward(1, 0), Forward(2, 2)]
    assert (counts.scored, counts.processed, counts.decided) == (3, 3, 0)


def test_answers_are_those_of_the_model(model: CountedModel, tokenizer: Tokenizer) -> None:
    plain = ScriptedModel(tokenizer, ["{}"])
    answers = []
    for each in (model, plain):
        context = each.context()
        context.append(tokenizer.encode("Learner: Hi.\n"))
        answers += each.answer([Predict(context, np.arange(tokenizer.size))])
    assert answers[0].equal(answers[1])


def test_a_new_count_leaves_the_old_one(model: CountedModel) -> None:
    first = model.start()
    second = model.start()
    model.answer([Decide(forest([1]))])
    assert first.processed == 0
    assert second.processed == 1
