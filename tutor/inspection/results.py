"""What a trace leaves out because it can be computed: the long results of tools."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tutor.planner.steps import Observed, ToolCall, parse_step
from tutor.tools.registry import call
from tutor.tracing.compact import result_digest
from tutor.tracing.files import RunTrace, StepTrace
from tutor.tracing.records import RAW_LOGITS, HeaderRecord, ObservationRecord


def check_own(header: HeaderRecord) -> None:
    """Refuse a run that tutor did not decode but recorded: it cannot be decoded again.

    Raises
    ------
    ValueError
        When the run is of another generator.
    """
    if header.sampler_position != RAW_LOGITS:
        raise ValueError(
            f"run {header.sentence_id} is of another generator, which tutor recorded but cannot run again"
        )


def with_results(run: RunTrace) -> RunTrace:
    """Return a run with the tool results that its trace holds as digests, by calling the tools again.

    Parameters
    ----------
    run : RunTrace
        A run as read.

    Returns
    -------
    RunTrace
        The same, complete; a result that the tools of this version do not give is left out, as it was.
    """
    steps = [replace(step, observation=_with_result(step.observation)) for step in run.steps]
    return replace(
        run,
        steps=steps,
        final=run.final and run.final.model_copy(update={"correction": _correction(run, steps)}),
    )


def _with_result(seen: ObservationRecord | None) -> ObservationRecord | None:
    if seen is None or seen.result_sha256 is None:
        return seen
    result = call(seen.tool, seen.args).model_dump(mode="json")
    if result_digest(result) != seen.result_sha256:
        return seen
    return seen.model_copy(update={"result": result, "result_sha256": None})


def _correction(run: RunTrace, steps: list[StepTrace]) -> dict[str, Any]:
    assert run.final is not None
    found = {step.number: step.observation.result for step in steps if step.observation is not None}
    correction = run.final.correction
    if "steps" not in correction:
        return correction
    summaries = [
        each | {"observation": found.get(each["number"], each["observation"])} for each in correction["steps"]
    ]
    return correction | {"steps": summaries}


def observed(run: RunTrace) -> list[Observed]:
    """Return the tool calls of a run with what the tools return for them."""
    found = []
    for step in run.steps:
        parsed = parse_step(step.text) if step.observation is not None else None
        if isinstance(parsed, ToolCall):
            found.append(Observed(step.number, parsed, step.text, call(parsed.tool, parsed.args)))
    return found
