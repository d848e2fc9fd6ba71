import math

import pytest

from tests.sample_trace import PAST, PRESENT, sample_run
from tests.tracing.test_diff import changed, run_of
from tutor.tracing.anomalies import Anomaly, Limits, anomalies
from tutor.tracing.records import (
    Alternative,
    ChoiceRecord,
    FinalRecord,
    ObservationRecord,
    StepRecord,
    TokenProbability,
    TokenRecord,
)

RIVAL = TokenProbability(7, "future", 0.29, True)


def kinds(found: list[Anomaly]) -> list[str]:
    return [each.kind for each in found]


def test_what_the_model_wanted_and_was_refused_stands_out() -> None:
    (found,) = anomalies(run_of(*sample_run()))
    assert (found.kind, found.step, found.token, found.path) == ("against_wish", 1, 3, "$.args.tense")
    assert found.value == PRESENT.probability
    assert '"present" (60.0%)' in found.message
    assert anomalies(run_of(*sample_run()), Limits(wish=0.61)) == []


def test_a_forced_token_against_the_wish_stands_out_too() -> None:
    run = changed(TokenRecord, 0, logprob_before=-5.0, logprob_after=0.0, best_blocked=PRESENT)
    assert next((each.kind, each.token) for each in anomalies(run)) == ("against_wish", 0)


def test_a_mask_that_takes_nearly_all_stands_out() -> None:
    found = anomalies(changed(TokenRecord, 3, blocked_mass=0.995, best_blocked=PAST, best_rival=None))
    assert kinds(found) == ["blocked_mass"]


def test_a_near_tie_is_told_by_its_gap() -> None:
    run = changed(TokenRecord, 3, best_rival=RIVAL, best_blocked=None)
    (found,) = anomalies(run)
    assert found.kind == "near_tie"
    assert found.value == pytest.approx(math.log(0.3 / 0.29))
    assert '"future"' in found.message
    assert anomalies(run, Limits(tie_nats=0.01)) == []


def test_a_near_tie_of_whole_alternatives_is_one_among_those_that_exclude_each_other() -> None:
    rows = (
        Alternative("He goed.", 0.0, 0.47),
        Alternative("goed -> went", 1.0, 0.49, True),
        Alternative("He -> She", 1.0, 0.485),
    )
    found = anomalies(changed(ChoiceRecord, 0, alternatives=rows), Limits(wish=1.0))
    (tie,) = [each for each in found if each.kind == "near_tie"]
    assert '"He goed." (47.0%)' in tie.message
    assert tie.value == pytest.approx(0.02)
    assert anomalies(changed(ChoiceRecord, 0, alternatives=rows, cached=True), Limits(wish=1.0)) == []


def test_the_same_call_again_is_a_loop_and_the_cap_an_end() -> None:
    header, *records = sample_run()
    call = records[:7]
    again = [
        record.model_copy(update={"number": 2} if isinstance(record, StepRecord) else {"step": 2})
        for record in call
    ]
    end = FinalRecord(status="step_cap", stop_reason="step_cap", correction={})
    found = anomalies(run_of(header, *call, *again, end), Limits(wish=1.0))
    assert [(each.kind, each.step) for each in found] == [("loop", 2), ("cap", 2)]
    assert "step 1" in found[0].message


def test_an_open_reason_and_more_reasons_than_changes_are_a_wide_rationale() -> None:
    run = changed(TokenRecord, 3, path="$.answer.rationale[0]", best_blocked=None, entropy_after=0.8)
    assert kinds(anomalies(run)) == ["wide_rationale"]
    steps = [record for record in sample_run() if isinstance(record, StepRecord)]
    answer = {**steps[1].parsed["answer"], "rationale": ["one", "two"]}
    wide = changed(StepRecord, 1, parsed={**steps[1].parsed, "answer": answer})
    assert kinds(anomalies(wide, Limits(wish=1.0))) == ["wide_rationale"]


def test_failed_tools_and_broken_traces_stand_out() -> None:
    run = changed(ObservationRecord, 0, result={"error": "no verb"}, text="error: no verb")
    assert kinds(anomalies(run, Limits(wish=1.0))) == ["tool_error"]
    assert kinds(anomalies(run_of(*sample_run()[:-1]), Limits(wish=1.0))) == ["unfinished"]
