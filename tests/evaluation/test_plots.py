from pathlib import Path

from tests.evaluation.test_summary import RIGHT, prediction
from tutor.evaluation.calibration import reliability
from tutor.evaluation.plots import plot_f05_by_type, plot_reliability
from tutor.evaluation.summary import summarise

PNG = b"\x89PNG"


def test_plots_are_png_files_of_any_number_of_sets(tmp_path: Path) -> None:
    found = reliability([[(0.4, True), (0.9, True)]])
    assert found is not None
    plot_reliability(found, tmp_path / "reliability.png")
    summary = summarise([prediction(RIGHT, RIGHT)])
    plot_f05_by_type({}, tmp_path / "none.png")
    plot_f05_by_type({"a": summary, "b": summary}, tmp_path / "two.png")
    assert {path.read_bytes()[:4] for path in tmp_path.iterdir()} == {PNG}
    assert len(list(tmp_path.iterdir())) == 3
