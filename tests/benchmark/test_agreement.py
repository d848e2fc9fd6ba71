import math
from pathlib import Path

import pytest

from tests.sample_trace import sample_run
from tutor.agent.state import Correction, Edit, Status, StopReason, Timing
from tutor.agent.tutor import Tutor
from tutor.benchmark import agreement as module
from tutor.benchmark.agreement import agreement, closest
from tutor.tracing.files import RunTrace, TraceWriter, read_runs


def corrected(text: str | None, confidence: float = 0.9, seconds: float = 1.0) -> Correction:
    edit = Edit(start=0, end=2, original="Me", replacement="I", type="R", confidence=confidence, step=1)
    return Correction(
        sentence="Me go.",
        corrected=text,
        status=Status.corrected if text else Status.unchanged,
        stop_reason=StopReason.final_answer,
        edits=(edit,) if text else (),
        timing=Timing(total_s=seconds),
    )


@pytest.fixture
def run(tmp_path: Path) -> RunTrace:
    with TraceWriter(tmp_path / "t.jsonl") as trace:
        for record in sample_run("1", "He goed to school."):
            trace.write(record)
    (found,) = read_runs(tmp_path / "t.jsonl")
    return found


@pytest.fixture
def tutor(monkeypatch: pytest.MonkeyPatch, run: RunTrace) -> Tutor:
    monkeypatch.setattr(module, "traced", lambda tutor, sentences: [run for _ in sentences])
    return object.__new__(Tutor)


def test_times_and_confidences_make_no_difference(tutor: Tutor) -> None:
    found = agreement(tutor, [corrected("I go.", 0.9, 1.0)], [corrected("I go.", 0.85, 2.0)], 0.5)
    assert found["identical"] == 1.0
    assert found["differences"] == []
    assert found["confidence_difference"] == pytest.approx(0.05)


def test_each_difference_is_listed_with_its_margin(tutor: Tutor, run: RunTrace) -> None:
    same = corrected("I go.")
    found = agreement(tutor, [same, corrected("I go.")], [same, corrected(None)], 0.5)
    assert found["n"] == 2
    assert found["identical"] == found["correction"] == 0.5
    (difference,) = found["differences"]
    assert (difference["alone"], difference["together"]) == ("I go.", None)
    assert difference["margin"] == closest(run, 0.5)


def test_the_margin_is_that_of_the_closest_decision(run: RunTrace) -> None:
    margin = closest(run, 0.5)
    assert margin < math.inf
    chosen = max(
        alternative.probability or 0.0
        for step in run.steps
        for choice in step.choices
        for alternative in choice.alternatives
    )
    assert closest(run, chosen) <= 1e-6


def test_a_run_without_a_decision_has_no_margin(run: RunTrace) -> None:
    assert closest(RunTrace(run.header), 0.5) == math.inf
