import json
from dataclasses import replace

import pytest

from tutor.grounding import check_run
from tutor.planner.steps import Observed, ToolCall, dump_step, parse_step
from tutor.tools.base import ToolError
from tutor.tools.registry import call

FINAL = (
    '{"next":"final_answer","answer":{"corrected":null,"rationale":[],"spanish_gloss":null,"in_scope":true}}'
)
VERBS = ("go", "be", "do", "have", "see", "swim", "put", "take", "lie")
STEPS = [dump_step(ToolCall(tool="lookup_irregular_verb", args={"verb": verb})) for verb in VERBS]


def carried_out(steps: list[str]) -> list[Observed]:
    observed = []
    for number, text in enumerate(steps, start=1):
        step = parse_step(text)
        assert isinstance(step, ToolCall)
        observed.append(Observed(number, step, text, call(step.tool, step.args)))
    return observed


@pytest.mark.parametrize(
    ("steps", "carried", "reason", "cap"),
    [
        ([FINAL], 0, "final_answer", 8),
        ([*STEPS[:3], FINAL], 3, "final_answer", 8),
        ([*STEPS[:7], FINAL], 7, "final_answer", 8),
        (STEPS[:8], 8, "step_cap", 8),
        (STEPS[:2], 2, "step_cap", 2),
        ([STEPS[0], STEPS[1], STEPS[1]], 2, "duplicate_action", 8),
        ([STEPS[0], STEPS[1], STEPS[0], FINAL], 3, "final_answer", 8),
    ],
)
def test_a_run_that_ends_as_it_should_passes(steps: list[str], carried: int, reason: str, cap: int) -> None:
    assert check_run(steps, carried_out(steps[:carried]), reason, cap) == []


@pytest.mark.parametrize(
    ("steps", "carried", "reason", "cap"),
    [
        (STEPS[:9], 9, "step_cap", 8),
        (STEPS[:9], 9, "step_cap", 20),
        (STEPS[:3], 3, "step_cap", 2),
        (STEPS[:3], 3, "step_cap", 8),
        (STEPS[:3], 3, None, 8),
        ([], 0, None, 8),
        ([FINAL], 0, "step_cap", 8),
        ([STEPS[0], STEPS[0], STEPS[1], FINAL], 3, "final_answer", 8),
        ([STEPS[0], STEPS[0]], 1, "step_cap", 2),
        ([STEPS[0], STEPS[1]], 1, "duplicate_action", 8),
        ([FINAL, FINAL], 0, "final_answer", 8),
        ([*STEPS[:3], FINAL], 2, "final_answer", 8),
    ],
)
def test_a_run_that_ends_otherwise_breaks_g6(
    steps: list[str], carried: int, reason: str | None, cap: int
) -> None:
    assert {
        violation.guarantee for violation in check_run(steps, carried_out(steps[:carried]), reason, cap)
    } == {"G6"}


def test_an_observation_that_no_tool_made_is_noticed() -> None:
    (honest,) = carried_out(STEPS[:1])
    forged = replace(honest, result=call("lookup_irregular_verb", {"verb": "see"}))
    failed = replace(honest, result=ToolError(error="no"))
    for observed in (forged, failed):
        assert check_run([STEPS[0], FINAL], [observed], "final_answer")
    other_call = replace(honest, call=ToolCall(tool=honest.call.tool, args={"verb": "see"}))
    assert check_run([STEPS[0], FINAL], [other_call], "final_answer")
    assert json.loads(honest.text)["args"] == honest.call.args
