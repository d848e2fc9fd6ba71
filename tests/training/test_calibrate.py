import json
from pathlib import Path

import pytest

from tests.training.weighed_sample import sample, sentence
from tutor.planner.choice import ChoiceWeights
from tutor.training.calibrate import calibrate, figures, write
from tutor.training.tables import calibration_text
from tutor.training.targets import rightness


def test_an_honest_model_is_calibrated_on_held_out_sentences() -> None:
    found = calibrate(sample(2000, 2), ablate=False)
    assert found.reliability is not None
    assert found.reliability.error.value < 0.04
    assert found.weights.min_confidence == found.shipped.min_confidence
    assert found.sentences == {"own": 2000}


def test_a_feature_that_tells_something_is_missed_and_noise_is_not() -> None:
    lost = {row.feature: row for row in calibrate(sample(400, 3)).features}
    assert set(lost) == {"fluency*", "noise"}
    assert lost["fluency*"].loss > 0.05
    assert lost["fluency*"].f05.low > 0
    assert abs(lost["noise"].loss) < 0.01


def test_the_folder_holds_the_weights_that_the_choice_reads(tmp_path: Path) -> None:
    found = calibrate(sample(60, 4), ["noise"])
    write(found, tmp_path)
    assert ChoiceWeights.load(tmp_path) == found.weights
    assert json.loads((tmp_path / "calibration.json").read_text())["sentences"] == {"own": 60}
    assert (tmp_path / "reliability.png").is_file()


def test_the_text_has_a_row_for_each_setting_and_feature_and_marks_what_is_shipped() -> None:
    found = calibrate(sample(60, 5))
    lines = calibration_text(figures(found)).splitlines()
    assert sum(line.startswith("| ") for line in lines) == len(found.settings) + len(found.features) + 4
    (shipped,) = [line for line in lines if "**" in line]
    assert f"{found.weights.min_confidence:.2f}" in shipped
    assert "own" in lines[0]


def test_an_edit_is_right_when_one_reference_makes_it() -> None:
    assert rightness(sentence(1.0, right=True)) == [[True]]
    assert rightness(sentence(1.0, right=False)) == [[False]]


def test_features_are_left_out_by_pattern_and_a_pattern_that_matches_none_is_an_error() -> None:
    found = calibrate(sample(60, 6), ["fl*"], ablate=False)
    assert set(found.weights.weights) == {"noise"}
    with pytest.raises(ValueError, match=r"no feature matches 'flu'; there are fluency, noise"):
        calibrate(sample(60, 6), ["flu"], ablate=False)
