import math
import random

from tutor.planner.choice import ChoiceWeights
from tutor.training.calibrate import calibration_error, cross_validated, fit, labelled
from tutor.training.targets import rightness, word_edits
from tutor.training.weighed import Candidate, WeighedSentence


def sentence(value: float, right: bool) -> WeighedSentence:
    candidate = Candidate(start=3, end=7, text="went", features={"fluency": value})
    references = ("He went home.",) if right else ("He goed home.",)
    return WeighedSentence(
        set="own", source="He goed home.", references=references, stop_reason="final_answer", tools=(),
        stretches=((candidate,),),
    )  # fmt: skip


def sample(size: int, seed: int) -> list[WeighedSentence]:
    """Return sentences whose edit is right with the probability that a logistic model gives."""
    rng = random.Random(seed)
    values = [rng.uniform(-4, 4) for _ in range(size)]
    return [sentence(value, rng.random() < 1 / (1 + math.exp(1.0 - 1.5 * value))) for value in values]


def test_the_fit_recovers_the_weights_that_made_the_data() -> None:
    weights = fit(labelled(sample(4000, 1)))
    assert abs(weights.bias + 1.0) < 0.2
    assert abs(weights.weights["fluency"] - 1.5) < 0.2


def test_the_true_weights_are_calibrated_and_inflated_ones_are_not() -> None:
    rows = sample(3000, 2)
    assert calibration_error(rows, ChoiceWeights(bias=-1.0, weights={"fluency": 1.5})) < 0.03
    assert calibration_error(rows, ChoiceWeights(bias=4.0, weights={"fluency": 1.5})) > 0.2


def test_a_fold_is_judged_by_weights_that_never_saw_it() -> None:
    rows = sample(50, 3)
    assert sorted(map(repr, (row for row, _ in cross_validated(rows)))) == sorted(map(repr, rows))


def test_an_edit_is_right_when_one_reference_makes_it() -> None:
    assert rightness(sentence(1.0, right=True)) == [[True]]
    assert rightness(sentence(1.0, right=False)) == [[False]]


def test_word_edits_name_the_words_that_differ() -> None:
    assert word_edits("He goed home.", "He went home.") == {(1, 2, "went")}
    assert word_edits("He goed.", "He goed.") == frozenset()


def test_weights_correct_a_sentence_from_their_threshold_on() -> None:
    row = sentence(2.0, right=True)
    weights = ChoiceWeights(bias=0.0, weights={"fluency": 1.0}, min_confidence=0.8, min_error=1.0)
    assert row.corrected(weights) == "He went home."
    assert row.corrected(weights.model_copy(update={"min_confidence": 0.9})) == "He goed home."
