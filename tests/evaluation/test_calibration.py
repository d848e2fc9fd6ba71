import random

import pytest

from tutor.evaluation.calibration import Confidence, reliability


def sentences(size: int, shift: float = 0.0) -> list[list[Confidence]]:
    """Return sentences of one or two edits whose confidence is the chance that they are right, plus a shift."""
    rng = random.Random(0)
    chances = [[rng.uniform(0, 1 - shift) for _ in range(rng.choice([1, 2]))] for _ in range(size)]
    return [[(chance + shift, rng.random() < chance) for chance in row] for row in chances]


def test_honest_confidences_have_little_error_and_boasting_ones_have_what_they_boast() -> None:
    honest, boasting = reliability(sentences(3000)), reliability(sentences(3000, 0.3))
    assert honest is not None
    assert boasting is not None
    assert honest.error.value < 0.03
    assert boasting.error.value == pytest.approx(0.3, abs=0.03)
    assert boasting.error.low < boasting.error.value < boasting.error.high


def test_every_edit_is_in_one_bin_and_each_bin_holds_its_own() -> None:
    found = reliability([[(0.0, False), (1.0, True)], [], [(0.55, True), (0.58, False)]])
    assert found is not None
    assert [(b.low, b.edits, b.right) for b in found.bins] == [(0.0, 1, 0.0), (0.5, 2, 0.5), (0.9, 1, 1.0)]
    assert sum(b.edits for b in found.bins) == found.edits == 4
    assert all(b.low <= b.confidence <= b.high for b in found.bins)
    assert found.error.value == pytest.approx(abs(1.13 - 1) / 4)


def test_without_edits_there_is_no_diagram() -> None:
    assert reliability([[], []]) is None
