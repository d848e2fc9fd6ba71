"""The work on one shard: a pure function from its rows to the lines of its results."""

from __future__ import annotations

import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import torch

from tutor.agent.correction import failure
from tutor.agent.state import Correction
from tutor.agent.tutor import Options, Tutor
from tutor.grading.rows import Row
from tutor.tracing.files import TraceWriter

_MACHINE = (OSError, MemoryError, torch.OutOfMemoryError)
"""Faults of the machine, not of the text: another try may go well."""

Tell = Callable[[str, int], None]
"""Called as the work goes on: the status of a correction, and how many rows have it."""


@dataclass(frozen=True, slots=True)
class Job:
    """How every shard of a run is graded.

    Attributes
    ----------
    model : Path
        The model's folder.
    sha256 : str
        Its digest.
    device : str
        As for `Tutor.load`.
    options : Options
        How to correct.
    traces : bool
        Whether to keep the traces.
    """

    model: Path
    sha256: str
    device: str
    options: Options
    traces: bool = False

    def load(self) -> Tutor:
        """Load the model."""
        return Tutor.load(self.model, device=self.device)


class Graded(NamedTuple):
    """A finished shard: a JSON line for each row, the trace as a file holds it, and how long it took."""

    lines: bytes
    trace: bytes
    seconds: float


def grade(rows: Sequence[Row], tutor: Tutor, job: Job, tell: Tell) -> Graded:
    """Correct the rows of a shard, a text that repeats only once.

    Parameters
    ----------
    rows : sequence of Row
        All rows of the shard, since it is their batches that the result depends on.
    tutor : Tutor
        The loaded model.
    job : Job
        How to grade.
    tell : callable
        Learns how the work goes on.
    """
    started = time.perf_counter()
    counts = Counter(row.text for row in rows if row.problem is None)
    names = {row.text: row.id for row in reversed(rows)}
    found: dict[str, Correction] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.jsonl"
        with TraceWriter(path) if job.traces else nullcontext() as trace:
            for correction in _corrections(tutor, {text: names[text] for text in counts}, job, trace):
                found[correction.sentence] = correction
                tell(correction.status, counts[correction.sentence])
        kept = path.read_bytes() if job.traces else b""
    corrections = [failure(row.text, row.problem) if row.problem else found[row.text] for row in rows]
    if bad := sum(row.problem is not None for row in rows):
        tell("error", bad)
    lines = b"".join(map(_line, rows, corrections))
    return Graded(lines, kept, time.perf_counter() - started)


def _corrections(
    tutor: Tutor, names: dict[str, str], job: Job, trace: TraceWriter | None
) -> Iterator[Correction]:
    """Yield the corrections of texts; one that the program fails on is an error, and no end of the run."""
    left = dict(names)
    try:
        for correction in tutor.correct_many(names, job.options, ids=names.values(), trace=trace):
            del left[correction.sentence]
            yield correction
    except _MACHINE:
        raise
    except Exception:
        for text, name in left.items():
            try:
                yield tutor.correct(text, job.options, trace, name)
            except _MACHINE:
                raise
            except Exception as error:
                yield failure(text, f"unexpected {type(error).__name__}: {error}")


def _line(row: Row, correction: Correction) -> bytes:
    place: dict[str, object] = {
        "id": row.id, "learner": row.learner, "date": row.date, "file": row.file, "line": row.line
    }  # fmt: skip
    if row.references:
        place["references"] = row.references
    answer = place | correction.model_dump(mode="json", exclude={"timing"})
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
