from collections import Counter
from pathlib import Path

import pytest

from tests.grading.quick import Heard, QuickJob, plan, write_rows
from tests.grading.test_run import quietly
from tutor.grading.local import WorkerError
from tutor.grading.run import run


def test_workers_give_the_results_of_one_process(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "a.txt", 60)
    quietly(plan(source, tmp_path / "one", job=QuickJob(traces=True)))
    heard = Heard()
    run(plan(source, tmp_path / "two", workers=2, job=QuickJob(traces=True)), heard)
    for name in ("results.jsonl", "results.csv", "results.m2"):
        assert (tmp_path / "two" / name).read_bytes() == (tmp_path / "one" / name).read_bytes()
    lengths = [len((tmp_path / name / "traces.jsonl").read_bytes().splitlines()) for name in ("one", "two")]
    assert lengths[0] == lengths[1] > 60


def test_a_worker_that_dies_or_fails_ends_the_run_and_costs_its_shard_only(tmp_path: Path) -> None:
    for last, error, message in (("die", WorkerError, "--workers"), ("full", OSError, "No space")):
        source = write_rows(tmp_path / f"{last}.txt", 16)
        with source.open("a") as stream:
            stream.write(f"{last}\n")
        with pytest.raises(error, match=message):
            quietly(plan(source, tmp_path / last, workers=2))
        kept = Counter(path.name for path in (tmp_path / last / "ledger" / "shards").iterdir())
        assert set(kept) <= {"0000000.jsonl", "0000001.jsonl"}
