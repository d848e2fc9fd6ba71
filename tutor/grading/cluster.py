"""Shards graded as tasks of a Ray cluster; ray comes with the extra ``ray``."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from typing import Any

import torch

from tutor.agent.tutor import Tutor
from tutor.grading.local import Finished, Shard, WorkerError
from tutor.grading.model import digest
from tutor.grading.shard import Graded, Job, Tell, grade

_TRIES = 5


def require_ray() -> None:
    """Fail at once where ray is missing.

    Raises
    ------
    RuntimeError
        With the command that installs it.
    """
    if find_spec("ray") is None:
        raise RuntimeError("--engine ray needs the extra 'ray': pip install 'tutor[ray]'")


def run_on_ray(shards: Iterable[Shard], job: Job, tell: Tell, workers: int | None) -> Finished:
    """Yield shards as they are graded, each by a task on one core of the cluster that ``RAY_ADDRESS`` names.

    Ray only schedules: this process reads the input and writes the ledger, so that nodes share no storage, and a node that
    is lost costs the shards under way on it, which Ray gives to another.

    Parameters
    ----------
    workers : int or None
        Tasks at a time; None leaves one core of the cluster free.

    Raises
    ------
    WorkerError
        If a shard fails on several nodes.
    """
    import ray
    import ray.exceptions

    if not ray.is_initialized():
        ray.init(log_to_driver=False, include_dashboard=False, configure_logging=False)
    resources: Any = ray.cluster_resources
    task: Any = ray.remote(num_cpus=1, max_retries=_TRIES)(_task)
    coming, pending = iter(shards), dict[Any, int]()
    while True:
        width = workers or max(1, int(resources().get("CPU", 1)) - 1)
        while len(pending) < width and (shard := next(coming, None)) is not None:
            pending[task.remote(shard[1], job)] = shard[0]
        if not pending:
            return
        ready, _ = ray.wait(list(pending))
        for reference in ready:
            try:
                graded, told = ray.get(reference)
            except ray.exceptions.RayError as error:
                raise WorkerError(f"Ray: shard {pending[reference]} failed: {error}") from error
            for status, count in told:
                tell(status, count)
            yield pending.pop(reference), graded


def _task(rows: Any, job: Job) -> tuple[Graded, list[tuple[str, int]]]:
    told: list[tuple[str, int]] = []
    graded = grade(rows, _loaded(job), job, lambda status, count: told.append((status, count)))
    return graded, told


@cache
def _loaded(job: Job) -> Tutor:
    """Load the model once in each of Ray's worker processes, on the one core that a task has."""
    torch.set_num_threads(1)
    if digest(job.model) != job.sha256:
        raise RuntimeError(f"{job.model} on this node is another model: install the same everywhere")
    return job.load()
