from pathlib import Path
from typing import Any

import pytest
import torch

from tests.grading.quick import Heard, QuickJob, plan, write_rows
from tests.grading.test_run import quietly
from tutor.grading.local import WorkerError, _work, run_in_workers
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


def test_a_worker_that_dies_costs_its_shard_only() -> None:
    rows = [Row("a.txt", 1, text, id="1") for text in ("He goed.", "die", "Yes.")]
    finished = run_in_workers(
        ((number, [row]) for number, row in enumerate(rows)), QuickJob(), Heard().tell, 1
    )
    assert next(finished)[0] == 0
    with pytest.raises(WorkerError, match="--workers"):
        next(finished)


class Parent:
    """The parent's end of a pipe: gives shards, keeps answers."""

    def __init__(self, *shards: list[Row]) -> None:
        self.shards, self.answers = list(shards), list[Any]()

    def recv(self) -> list[Row]:
        if not self.shards:
            raise EOFError
        return self.shards.pop(0)

    def send(self, answer: Any) -> None:
        self.answers.append(answer)


def test_a_worker_hands_faults_of_the_machine_to_its_parent_and_ends_with_it() -> None:
    good, bad = ([Row("a.txt", 1, text, id="1")] for text in ("He goed.", "full"))
    parent = Parent(good, bad, good)
    _work(parent, QuickJob(), torch.get_num_threads())  # type: ignore[arg-type]
    told, graded, error = parent.answers
    assert told == ("corrected", 1)
    assert b"He went." in graded.lines
    assert isinstance(error, OSError)
    parent = Parent(good)
    _work(parent, QuickJob(), torch.get_num_threads())  # type: ignore[arg-type]
    assert len(parent.answers) == 2
