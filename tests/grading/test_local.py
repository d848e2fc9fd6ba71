from pathlib import Path

import pytest

from tests.grading.quick import Heard, QuickJob, plan, write_rows
from tests.grading.test_run import quietly
from tutor.grading.local import WorkerError, run_in_workers
from tutor.grading.rows import Row
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


@pytest.mark.parametrize(
    ("last", "error", "message"), [("die", WorkerError, "--workers"), ("full", OSError, "No space")]
)
def test_a_worker_that_dies_or_fails_ends_the_run_and_costs_its_shard_only(
    last: str, error: type[Exception], message: str
) -> None:
    rows = [Row("a.txt", 1, text, id="1") for text in ("He goed.", last, "Yes.")]
    shards = ((number, [row]) for number, row in enumerate(rows))
    finished = run_in_workers(shards, QuickJob(), Heard().tell, 1)
    assert next(finished)[0] == 0
    with pytest.raises(error, match=message):
        next(finished)
