"""Shards graded on this machine: in this process, or in worker processes that each hold the model."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from threading import Thread
from typing import Any

import torch

from tutor.grading.rows import Row
from tutor.grading.shard import Graded, Job, Tell, grade

Shard = tuple[int, Sequence[Row]]
Finished = Generator[tuple[int, Graded], None, None]
"""Shards by number, as they are done; closing it stops the work."""


class WorkerError(RuntimeError):
    """A worker that ended before its work did."""


def run_here(shards: Iterable[Shard], job: Job, tell: Tell) -> Finished:
    """Yield shards as they are graded, one after the other, on all cores."""
    tutor = job.load()
    for number, rows in shards:
        yield number, grade(rows, tutor, job, tell)


def run_in_workers(shards: Iterable[Shard], job: Job, tell: Tell, workers: int) -> Finished:
    """Yield shards as they are graded, by worker processes that share the cores.

    Each worker holds one shard at a time, and only this process writes: a worker that is killed costs its shard.

    Raises
    ------
    WorkerError
        If a worker ends by itself, as where memory runs out.
    """
    coming = iter(shards)
    context = multiprocessing.get_context("spawn")
    idle: list[Any] = []
    busy: dict[Any, int] = {}
    processes = []
    try:
        with _interrupts_ignored():  # by the workers from their first moment: Ctrl-C is for this process
            for _ in range(workers):
                ours, theirs = context.Pipe()
                process = context.Process(target=_work, args=(theirs, job, _threads(workers)), daemon=True)
                process.start()
                theirs.close()
                processes.append(process)
                idle.append(ours)
        while True:
            while idle and (shard := next(coming, None)) is not None:
                busy[worker := idle.pop()] = shard[0]
                worker.send(shard[1])
            if not busy:
                return
            for worker in wait(list(busy)):
                message = _received(worker)
                if isinstance(message, Exception):
                    raise message
                if isinstance(message, Graded):
                    idle.append(worker)
                    yield busy.pop(worker), message
                else:
                    tell(*message)
    finally:
        for process in processes:
            process.terminate()
            process.join()


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _threads(workers: int) -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores // workers)


def _received(worker: Any) -> Any:
    try:
        return worker.recv()
    except (EOFError, ConnectionError) as error:
        raise WorkerError(
            "a worker was killed, perhaps for memory; what is finished is kept: give the same command again, with "
            "fewer --workers"
        ) from error


def _work(parent: Connection, job: Job, threads: int) -> None:
    """Grade what the parent sends until it ends."""
    Thread(target=_end_with_parent, daemon=True).start()
    torch.set_num_threads(threads)
    try:
        tutor = job.load()
        while True:
            rows = parent.recv()
            parent.send(grade(rows, tutor, job, lambda status, count: parent.send((status, count))))
    except EOFError:
        pass
    except Exception as error:
        parent.send(error if isinstance(error, OSError) else RuntimeError(f"{type(error).__name__}: {error}"))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
