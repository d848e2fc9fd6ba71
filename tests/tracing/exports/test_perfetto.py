"""The timeline: events of the Trace Event Format, whose slices nest as Perfetto asks."""

import json
from collections import defaultdict
from typing import Any

from tests.tracing.exports.runs import HOSTILE, written
from tutor.tracing.exports.perfetto import write_perfetto


def events() -> list[dict[str, Any]]:
    trace: dict[str, Any] = json.loads(written(write_perfetto))
    assert trace["displayTimeUnit"] == "ms"
    return list(trace["traceEvents"])


def test_each_event_has_what_its_phase_needs() -> None:
    needed = {"X": {"ts", "dur", "cat"}, "C": {"ts", "args"}, "M": {"args"}}
    for event in events():
        assert {"ph", "name", "pid", "tid"} | needed[event["ph"]] <= event.keys()
        if event["ph"] == "C":
            assert all(isinstance(value, float) for value in event["args"].values())


def test_slices_of_a_run_nest() -> None:
    found = defaultdict(list)
    for event in events():
        if event["ph"] == "X":
            assert event["dur"] >= 0
            found[event["pid"]].append((event["ts"], event["ts"] + event["dur"]))
    assert len(found) == 3
    for slices in found.values():
        whole = slices[0]
        for start, end in slices:
            assert whole[0] <= start <= end <= whole[1]
            assert not any(start < other < end < stop for other, stop in slices)


def test_runs_are_processes_named_for_their_sentence() -> None:
    names = [event["args"]["name"] for event in events() if event["name"] == "process_name"]
    assert names[:2] == ["run 1: He goed to school.", f"run 2: {HOSTILE}"]


def test_steps_and_tools_are_slices_with_what_they_cost() -> None:
    slices = {event["name"]: event for event in events() if event["ph"] == "X" and event["pid"] == 1}
    step = slices['step 1: conjugate(verb="go", tense="past_simple")']
    assert step["args"]["prompt_tokens"] == 200
    assert slices["conjugate"]["args"]["result"] == "went"
    assert slices["step 2"]["dur"] == 250_000
