"""A tutor that needs no model, and runs over it: what surrounds the decoding is what is tested."""

from __future__ import annotations

import os
import signal
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tutor.agent.state import Correction, Edit, Status, StepSummary, StopReason, Timing
from tutor.agent.tutor import Options
from tutor.grading.run import Plan
from tutor.grading.shard import Job
from tutor.tracing.files import TraceWriter

MODEL = Path(__file__).parent


class QuickTutor:
    """Turns each ``goed`` into ``went``; dies, fails or dawdles where the sentence says so."""

    def __init__(self, pause: float = 0.0) -> None:
        self.pause = pause
        self.asked: deque[str] = deque(maxlen=100)  # bounded: memory is measured over a million rows

    def correct_many(
        self,
        sentences: Iterable[str],
        options: Options,
        *,
        ids: Iterable[str],
        trace: TraceWriter | None = None,
    ) -> Iterator[Correction]:
        for sentence, name in zip(sentences, ids, strict=True):
            yield self.correct(sentence, options, trace, name)

    def correct(self, sentence: str, options: Options, trace: TraceWriter | None, name: str) -> Correction:
        self.asked.append(sentence)
        time.sleep(self.pause)
        if "fail" in sentence:
            raise KeyError(sentence)
        if "full" in sentence:
            raise OSError(28, "No space left on device")
        if "die" in sentence:
            os.kill(os.getpid(), signal.SIGKILL)
        return corrected(sentence, trace, name)


def corrected(sentence: str, trace: TraceWriter | None = None, name: str = "1") -> Correction:
    from tests.sample_trace import sample_run

    for record in sample_run(name, sentence) if trace else ():
        trace.write(record)
    start = sentence.find("goed")
    edit = Edit(
        start=start, end=start + 4, original="goed", replacement="went", type="R:VERB:INFL", confidence=0.9, step=1
    )  # fmt: skip
    step = StepSummary(
        number=1, tool="lookup_irregular_verb", args={"verb": "go"}, observation={"form": "went"}, summary="went"
    )  # fmt: skip
    found = start >= 0
    return Correction(
        sentence=sentence,
        corrected=sentence.replace("goed", "went", 1) if found else None,
        status=Status.corrected if found else Status.unchanged,
        rationale=('Step 1: "went" is the past simple of "go".',) if found else (),
        edits=(edit,) if found else (),
        steps=(step,) if found else (),
        stop_reason=StopReason.final_answer,
        timing=Timing(total_s=0.1),
    )


@dataclass(frozen=True, slots=True)
class QuickJob(Job):
    """A job for the quick tutor, in other processes too."""

    model: Path = MODEL
    sha256: str = "0" * 64
    device: str = "cpu"
    options: Options = field(default_factory=Options)
    traces: bool = False
    pause: float = 0.0

    def load(self) -> Any:
        return QuickTutor(self.pause)


class Heard:
    """Remembers what a run tells."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.counts: dict[str, int] = {}

    def stage(self, name: str, total: int | None, done: int = 0) -> None:
        self.counts = {}

    def tell(self, status: str, rows: int) -> None:
        self.counts[status] = self.counts.get(status, 0) + rows

    def note(self, text: str) -> None:
        self.notes.append(text)


def plan(path: Path | None, out: Path, **options: Any) -> Plan:
    """Return a plan for the quick tutor with small shards."""
    return Plan(**({"path": path, "out": out, "job": QuickJob(), "shard_size": 8} | options))


def write_rows(path: Path, number: int) -> Path:
    """Write a text file of so many sentences, a few of which repeat."""
    path.write_text("".join(f"He goed to place {row * row % 97}.\n" for row in range(number)))
    return path
