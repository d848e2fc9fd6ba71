"""The whole benchmark on a tiny random model, and what its ratios mean."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.tiny import tiny_model
from tutor.benchmark.baselines import GenerateBaselines, Run
from tutor.benchmark.ratios import ratios
from tutor.benchmark.run import Plan, run

SENTENCES = ["He goed.", "I is.", "They work.", "She don't go.", "You was late."]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_model(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def figures(folder: Path) -> dict[str, Any]:
    file = folder.parent / "sentences.txt"
    file.write_text("\n".join(SENTENCES), encoding="utf-8")
    return run(Plan(
        sentences=5, alone=3, baseline=1, widths=(2, 5), baseline_widths=(2,), cold_starts=0, device="cpu", model=folder,
        file=file,
    ))  # fmt: skip


@pytest.fixture(scope="module")
def baselines(folder: Path) -> GenerateBaselines:
    return GenerateBaselines(folder, torch.device("cpu"), torch.float32)


def test_the_figures_are_plain_json_with_the_ratios_that_count(figures: dict[str, Any]) -> None:
    assert json.loads(json.dumps(figures)) == figures
    assert set(figures["ratios"]) >= {
        "batch_vs_outlines_generate",
        "batch_vs_outlines_generate_alone",
        "latency_vs_outlines_generate",
        "batch_vs_plain_generate",
        "latency_vs_plain_generate",
        "batch_vs_floor",
    }
    assert all(value > 0 for value in figures["ratios"].values())


def test_one_at_a_time_and_in_batches_the_same_tokens_are_decided(
    figures: dict[str, Any], folder: Path
) -> None:
    assert [entry["n"] for entry in figures["batch"]] == [5, 5]
    assert len({entry["tokens"]["decided"] for entry in figures["batch"]}) == 1
    assert figures["agreement"]["identical"] == 1.0


def test_the_parts_are_shares_of_the_whole(figures: dict[str, Any]) -> None:
    for entry in [figures["latency"], *figures["batch"]]:
        assert sum(entry["parts"].values()) == pytest.approx(1.0)
        assert 0 < entry["model_share"] < 1


def test_ratios_are_ours_over_theirs() -> None:
    def baseline(alone: float, best: float, p50: float) -> dict[str, Any]:
        return {"alone": {"sentences_per_s": alone, "p50_s": p50}, "best_sentences_per_s": best}

    found = ratios({
        "latency": {"floor_s": 1.0, "seconds": 4.0},
        "batch": [
            {"sentences_per_s": 20.0, "floor_s": 3.0, "seconds": 5.0},
            {"sentences_per_s": 10.0, "floor_s": 3.0, "seconds": 10.0},
        ],
        "baselines": {
            "ours_alone_p50_s": 0.5,
            "outlines_generate": baseline(1.0, 4.0, 3.0),
            "plain_generate": baseline(2.0, 5.0, 1.0),
        },
    })  # fmt: skip
    assert found == {
        "batch_vs_floor": 0.6,
        "latency_vs_floor": 0.25,
        "batch_vs_outlines_generate": 5.0,
        "batch_vs_outlines_generate_alone": 20.0,
        "latency_vs_outlines_generate": 6.0,
        "batch_vs_plain_generate": 4.0,
        "batch_vs_plain_generate_alone": 10.0,
        "latency_vs_plain_generate": 2.0,
    }


def test_what_was_not_measured_has_no_ratio() -> None:
    found = ratios({"latency": {"floor_s": 1.0, "seconds": 2.0}, "batch": [], "baselines": None})
    assert found["latency_vs_floor"] == 0.5
    assert {value for name, value in found.items() if name != "latency_vs_floor"} == {None}


def test_the_baseline_in_a_batch_writes_what_it_writes_one_at_a_time(baselines: GenerateBaselines) -> None:
    sentences = SENTENCES[1:3]
    assert baselines.correct(sentences) == sum(baselines.correct([sentence]) for sentence in sentences)


def test_the_baseline_takes_the_call_that_the_mask_leaves(baselines: GenerateBaselines) -> None:
    run = Run("He goed.")
    (tokens,) = baselines.steps([run])
    run.take(baselines.tokenizer.decode_bytes(tokens).decode())
    assert [(step.call.tool, step.call.args) for step in run.observed] == [
        ("lookup_irregular_verb", {"verb": "go"})
    ]
    assert not run.ended
    assert run.prompt.endswith(run.observed[0].result.prompt_text() + "\n")
