"""The files of results, made in one pass over the finished shards."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from tutor.grading.files import replacing
from tutor.grading.gold import GoldScores
from tutor.grading.ledger import Ledger
from tutor.grading.m2 import M2Sink
from tutor.grading.parquet import ParquetSink, has_parquet
from tutor.grading.report import LEARNERS, Statistics
from tutor.grading.spreadsheet import CsvSink

RESULTS = "results.jsonl"
TRACES = "traces.jsonl"
SUMMARY = "summary.json"
FILES = (RESULTS, "results.csv", "results.parquet", "results.m2", TRACES, SUMMARY, LEARNERS, "report.html")
_FIRST = 5


class Sink(Protocol):
    """What takes the rows of the results one by one."""

    def add(self, row: dict[str, Any]) -> None:
        """Take a row."""


@dataclass
class Tally:
    """What a run amounts to in numbers.

    Attributes
    ----------
    seconds : float
        Time spent on all shards, summed over the workers.
    """

    seconds: float = 0.0
    statuses: Counter[str] = field(default_factory=Counter)
    stops: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def add(self, row: dict[str, Any]) -> None:
        """Take a row of the results."""
        self.statuses[row["status"]] += 1
        self.stops[row["stop_reason"]] += 1
        if row["status"] == "error" and len(self.failures) < _FIRST:
            self.failures.append(f"{row['file']}, line {row['line']}: {row['message']}")

    def summary(self) -> dict[str, Any]:
        """Return the numbers as JSON."""
        rows = self.statuses.total()
        return {
            "rows": rows,
            "statuses": dict(sorted(self.statuses.items())),
            "stop_reasons": dict(sorted(self.stops.items())),
            "first_errors": self.failures,
            "timing": {
                "worker_seconds": round(self.seconds, 1),
                "rows_per_worker_second": round(rows / self.seconds, 3) if self.seconds else None,
            },
        }


def write_outputs(ledger: Ledger, out: Path, about: dict[str, Any], watch: Callable[[int], None]) -> None:
    """Write every file of results but the report, each as a whole or not at all.

    Parameters
    ----------
    ledger : Ledger
        With every shard finished.
    out : Path
        Folder of the results.
    about : dict
        What the summary says besides: of what run it is.
    watch : callable
        Called with the number of rows after each shard.
    """
    identity = ledger.manifest["identity"]
    tally, statistics, gold = Tally(), Statistics(), GoldScores()
    with ExitStack() as files:
        results = files.enter_context(replacing(out / RESULTS))
        sinks: list[Sink] = [tally, statistics, gold]
        sinks.extend(_tables(files, out, tokenized=identity["input"]["format"] == "m2"))
        for shard in range(ledger.shards):
            seconds, lines = ledger.read(shard)
            tally.seconds += seconds
            for line in lines:
                row = json.loads(line)
                for sink in sinks:
                    sink.add(row)
            results.writelines(lines)
            watch(len(lines))
    if identity["options"]["traces"]:
        _join_traces(ledger, out / TRACES)
    with replacing(out / LEARNERS) as stream:
        for learner in statistics.learners():
            stream.write(json.dumps(learner, ensure_ascii=False).encode() + b"\n")
    summary = about | tally.summary() | gold.summary() | {"statistics": statistics.summary()}
    with replacing(out / SUMMARY) as stream:
        stream.write(json.dumps(summary, ensure_ascii=False, indent=2).encode() + b"\n")


def _tables(files: ExitStack, out: Path, *, tokenized: bool) -> Iterator[Sink]:
    """Yield what writes the results in other formats, its files kept open by the stack."""
    yield CsvSink(files.enter_context(replacing(out / "results.csv")))
    yield M2Sink(files.enter_context(replacing(out / "results.m2")), tokenized=tokenized)
    if has_parquet():
        stream = files.enter_context(replacing(out / "results.parquet"))
        yield files.enter_context(ParquetSink(stream))


def _join_traces(ledger: Ledger, path: Path) -> None:
    with replacing(path) as joined:
        for shard in range(ledger.shards):
            if (trace := ledger.trace_path(shard)).exists():
                with trace.open("rb") as part:
                    shutil.copyfileobj(part, joined)
