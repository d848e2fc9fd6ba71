import pytest

from tests.training.weighed_sample import sample, sentence
from tutor.training.fit import cross_validate, fit, labelled, log_loss


def test_the_fit_recovers_the_weights_that_made_the_data() -> None:
    weights = fit(labelled(sample(4000, 1)))
    assert abs(weights.bias + 1.0) < 0.2
    assert abs(weights.weights["fluency"] - 1.5) < 0.2
    assert abs(weights.weights["noise"]) < 0.2


def test_a_feature_left_out_has_no_weight() -> None:
    assert set(fit(labelled(sample(50, 2), {"noise"})).weights) == {"fluency"}


def test_the_fitted_weights_lose_less_than_others() -> None:
    stretches = labelled(sample(500, 3))
    best = fit(stretches)
    assert log_loss(stretches, best) < log_loss(stretches, best.model_copy(update={"bias": best.bias + 1}))


def test_each_sentence_is_judged_by_weights_that_never_saw_it() -> None:
    rows = [sentence(1.0, right=False) for _ in range(4)] + [sentence(1.0, right=True)]
    found = cross_validate(rows)
    assert [each.sentence for each in found.held_out] == rows
    # The one right edit is alone in its fold: the weights that judge it saw wrong ones only.
    assert found.held_out[4].probabilities[0][0] < min(
        each.probabilities[0][0] for each in found.held_out[:4]
    )


def test_nothing_to_fit_on_is_an_error() -> None:
    with pytest.raises(ValueError, match="anything to choose"):
        fit([])
