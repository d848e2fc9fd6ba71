"""The ReAct loop: plan a step, act, observe, until an answer, the cap or a repeated action (Yao et al. 2023)."""

from __future__ import annotations

import time

from tutor.agent.state import Run, StopReason
from tutor.decoding.queries import Work
from tutor.planner.planner import PlannerRun, Sink
from tutor.planner.steps import FinalAnswer, Observed, ToolCall
from tutor.tools.registry import call
from tutor.tracing.records import ObservationRecord

STEP_CAP = 8


def react(
    planner: PlannerRun, sentence: str, max_steps: int = STEP_CAP, sink: Sink | None = None
) -> Work[Run]:
    """Run the loop over one sentence.

    Parameters
    ----------
    planner : PlannerRun
        The planner, started on the sentence.
    sentence : str
        The sentence.
    max_steps : int
        Steps at most, 1 to `STEP_CAP`.
    sink : callable, optional
        Receives the trace records.

    Returns
    -------
    Run
        With `final_answer`, `step_cap` or `duplicate_action` as its stop reason (G6), and every step up to there.
    """
    run = Run(sentence)
    for number in range(1, min(max_steps, STEP_CAP) + 1):
        text, step = yield from planner.step(tuple(run.observed), sink)
        if isinstance(step, FinalAnswer):
            run.answer, run.stop_reason = step.answer, StopReason.final_answer
            return run
        if run.observed and run.observed[-1].call == step:
            run.stop_reason = StopReason.duplicate_action
            return run
        observed = _act(number, text, step, sink)
        run.observed.append(observed)
        planner.observe(observed.result.prompt_text())
    run.stop_reason = StopReason.step_cap
    return run


def _act(number: int, text: str, step: ToolCall, sink: Sink | None) -> Observed:
    started = time.perf_counter()
    observed = Observed(number, step, text, call(step.tool, step.args))
    if sink:
        sink(ObservationRecord(
            step=number, tool=step.tool, args=step.args, result=observed.result.model_dump(mode="json"),
            text=observed.result.prompt_text(), seconds=time.perf_counter() - started,
        ))  # fmt: skip
    return observed
