import json
from typing import Any

import pytest
from typer.testing import CliRunner

from tutor.benchmark import run as module
from tutor.benchmark.run import Plan, Progress
from tutor.cli.app import app

runner = CliRunner()

ENTRY = {
    "n": 4, "seconds": 2.0, "sentences_per_s": 2.0, "floor_s": 1.0, "p50_s": 0.5, "p95_s": 0.7,
    "tokens": {"processed": 100, "cached": 20, "decided": 9}, "parts": {"forward": 0.9, "rest": 0.1},
}  # fmt: skip
FIGURES = {
    "setting": {"model": "m", "device": "cpu", "dtype": "float32", "threads": 1},
    "machine": {"gemm_flops_per_s": 3e10, "bandwidth_bytes_per_s": 1e10},
    "memory": {"peak_bytes": 2**30},
    "cold_start": {"n": 1, "wall_s": 2.5},
    "latency": ENTRY,
    "batch": [ENTRY | {"width": 8}],
    "baselines": None,
    "agreement": {
        "n": 4,
        "identical": 0.75,
        "correction": 1.0,
        "differences": [
            {"sentence": "[red]He\x1b go[/]", "alone": None, "together": "He goes", "margin": 0.01}
        ],
    },
    "ratios": {"batch_vs_floor": 0.5, "batch_vs_outlines_generate": None},
}


@pytest.fixture
def plans(monkeypatch: pytest.MonkeyPatch) -> list[Plan]:
    seen: list[Plan] = []

    def run(plan: Plan, progress: Progress = print) -> dict[str, Any]:
        seen.append(plan)
        return FIGURES

    monkeypatch.setattr(module, "run", run)
    return seen


def test_json_is_one_object_with_every_figure(plans: list[Plan]) -> None:
    result = runner.invoke(app, ["bench", "--json"])
    assert json.loads(result.stdout) == FIGURES
    assert plans == [Plan()]


def test_options_reach_the_plan(plans: list[Plan]) -> None:
    arguments = [
        "--sentences",
        "20",
        "--alone",
        "30",
        "--batch",
        "4,16",
        "--baseline-batch",
        "",
        "--baseline",
        "5",
    ]
    assert runner.invoke(app, ["bench", *arguments]).exit_code == 0
    (plan,) = plans
    assert (plan.sentences, plan.alone, plan.baseline, plan.widths, plan.baseline_widths) == (
        20,
        20,
        5,
        (4, 16),
        (),
    )


def test_the_tables_hold_the_figures_and_untrusted_text_stays_text(plans: list[Plan]) -> None:
    result = runner.invoke(app, ["bench"])
    assert result.exit_code == 0, result.exception
    assert "30 GFLOP/s" in result.stdout
    assert "8 at a time" in result.stdout
    assert (
        "75.0% of 4 answers are the same in a batch and one at a time, 100.0% of the corrections"
        in " ".join(result.stdout.split())
    )
    assert "[red]He" in result.stdout
    assert "\x1b" not in result.stdout


@pytest.mark.parametrize(
    "arguments", [["--batch", "0"], ["--batch", "a,b"], ["--sentences", "0"], ["--file", "/no"]]
)
def test_bad_usage_is_2_before_anything_is_measured(plans: list[Plan], arguments: list[str]) -> None:
    assert runner.invoke(app, ["bench", *arguments]).exit_code == 2
    assert not plans
