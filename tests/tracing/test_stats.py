"""Planted runs: what the statistics must say of them is known."""

from pathlib import Path

import pytest
from pyarrow import parquet

from tests.sample_trace import sample_run
from tests.tracing.test_diff import changed, run_of
from tutor.tracing.files import RunTrace
from tutor.tracing.interventions import rows
from tutor.tracing.parquet import SCHEMA, write_parquet
from tutor.tracing.records import Alternative, ChoiceRecord, FinalRecord, TokenProbability, TokenRecord
from tutor.tracing.stats import stats
from tutor.tracing.stats_plot import plot_stats


def judged(runs: dict[bool, list[RunTrace]]) -> tuple[list[RunTrace], dict[int, bool]]:
    found = [run for each in runs.values() for run in each]
    return found, {id(run): right for right, each in runs.items() for run in each}


def test_tokens_are_counted_by_path_tool_and_cause() -> None:
    found = stats([run_of(*sample_run()), run_of(*sample_run("2"))])
    assert (found.runs, found.steps, found.tokens) == (2, 4, 20)
    assert found.forced == pytest.approx(14 / 20)
    paths = {group.name: group for group in found.by_path}
    tense = paths["$.args.tense"]  # "past" was decided, "present" refused; "_simple" is forced
    assert (tense.tokens, tense.decided, tense.refused, tense.forced) == (4, 2, 2, 0.5)
    assert tense.blocked_mass == pytest.approx(0.6)
    tools = {group.name: group.tokens for group in found.by_tool}
    assert tools == {"conjugate": 10, "final_answer": 10}
    assert [(group.name, group.tokens) for group in found.by_cause] == [("enum", 2)]


def test_a_pattern_is_told_from_an_enum_by_its_path() -> None:
    found = stats([run_of(*sample_run())], patterns=("$.args.tense",))
    assert [(group.name, group.tokens) for group in found.by_cause] == [("pattern", 1)]


def test_blocked_mass_is_set_against_right_and_wrong_answers() -> None:
    right, wrong = run_of(*sample_run()), changed(TokenRecord, 3, blocked_mass=0.9)
    runs, verdicts = judged({True: [right, right], False: [wrong]})
    outcome = stats(runs, lambda run: verdicts[id(run)]).outcome
    assert outcome is not None
    assert (outcome.right, outcome.wrong, outcome.auc) == (2, 1, 1.0)
    assert outcome.mean_right == pytest.approx(0.6)
    assert outcome.mean_wrong == pytest.approx(0.9)
    assert stats(runs).outcome is None


def test_the_choice_is_calibrated_against_the_verdicts() -> None:
    def sure(probability: float) -> RunTrace:
        rows = (Alternative("x", 0.0, 0.5), Alternative("a -> b", 1.0, probability, True))
        return changed(ChoiceRecord, 0, alternatives=rows)

    runs, verdicts = judged({True: [sure(0.95), sure(0.95), sure(0.95)], False: [sure(0.95), sure(0.32)]})
    found = stats(runs, lambda run: verdicts[id(run)])
    assert [(each.low, each.runs, each.right) for each in found.calibration] == [
        (0.3, 1, 0.0),
        (0.9, 4, 0.75),
    ]
    assert found.calibration_error == pytest.approx((1 * 0.32 + 4 * 0.2) / 5)
    assert stats(runs).calibration == []


def test_time_is_told_by_part_and_adds_up_to_the_runs() -> None:
    timed = changed(FinalRecord, 0, correction={"timing": {"total_s": 0.5}})
    seconds = stats([timed]).seconds
    assert seconds["forward"] == pytest.approx(900e-6)
    assert seconds["mask"] == pytest.approx(30e-6)
    assert sum(seconds.values()) == pytest.approx(0.5)


def test_every_token_is_a_row_of_the_table(tmp_path: Path) -> None:
    run = changed(TokenRecord, 3, best_blocked=TokenProbability(9, "pre\x00sent", 0.6, False))
    assert write_parquet(rows(run, lambda _: True), tmp_path / "t.parquet") == 10
    table = parquet.read_table(tmp_path / "t.parquet")
    assert table.schema.equals(SCHEMA)
    decided = table.to_pylist()[3]
    assert (decided["text"], decided["refused"], decided["cause"]) == ("past", "pre\x00sent", "enum")
    assert decided["right"] is True


def test_the_plot_is_drawn_with_and_without_references(tmp_path: Path) -> None:
    runs = [run_of(*sample_run())]
    plot_stats(stats(runs), tmp_path / "without.svg")
    plot_stats(stats(runs, lambda _: True), tmp_path / "with.svg")
    assert "Calibration" in (tmp_path / "with.svg").read_text()
    assert "Calibration" not in (tmp_path / "without.svg").read_text()
