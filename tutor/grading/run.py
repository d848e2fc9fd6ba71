"""A whole run: the input is read, the shards that are missing are graded, the results are written."""

from __future__ import annotations

import json
import platform
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any, Literal, Protocol

from tutor import __version__
from tutor.grading.cluster import require_ray, run_on_ray
from tutor.grading.encoding import LATIN
from tutor.grading.files import replacing
from tutor.grading.gold import UNSCORED
from tutor.grading.ledger import Ledger, LedgerError, Share, claimed, open_ledger, read_ledger
from tutor.grading.local import Finished, Shard, run_here, run_in_workers
from tutor.grading.outputs import FILES, SUMMARY, write_outputs
from tutor.grading.parquet import MISSING, has_parquet
from tutor.grading.report import write_report
from tutor.grading.shard import Job
from tutor.grading.source import Columns, Format, Source, open_source

LEDGER = "ledger"
_PACKAGES = ("torch", "transformers", "llguidance")
_TOLD = 10_000


class Watch(Protocol):
    """What shows how a run goes on."""

    def stage(self, name: str, total: int | None, done: int = 0) -> None:
        """Begin a stage that goes through so many rows, some of them done before."""

    def tell(self, status: str, rows: int) -> None:
        """Count rows, and what became of them."""

    def note(self, text: str) -> None:
        """Say something that the user should know."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be graded, how, where, and by whom.

    Attributes
    ----------
    path : Path or None
        File or folder; None is the standard input.
    out : Path
        Folder of the results.
    job : Job
        How each shard is graded.
    kind, columns, split, limit
        As for `open_source`.
    shard_size : int
        Rows of a shard.
    share : Share
        The shards that are graded here; only a run over the whole writes results.
    merge : sequence of Path
        Folders of other runs, from which finished shards are taken first.
    engine : str
        ``"local"`` or ``"ray"``.
    workers : int or None
        Shards at a time.
    restart : bool
        Whether to drop what is there.
    """

    path: Path | None
    out: Path
    job: Job
    kind: Format | None = None
    columns: Columns = field(default_factory=Columns)
    split: bool | None = None
    limit: int | None = None
    shard_size: int = 256
    share: Share = field(default_factory=Share)
    merge: Sequence[Path] = ()
    engine: Literal["local", "ray"] = "local"
    workers: int | None = None
    restart: bool = False


def run(plan: Plan, watch: Watch) -> dict[str, Any] | None:
    """Carry a plan out, going on from what an earlier run of it has finished.

    Returns
    -------
    dict or None
        The summary, as in ``summary.json``; None where only a share of the shards was graded.

    Raises
    ------
    LedgerError
        If the folder belongs to another run, or one is at work there.
    ValueError
        If the input cannot be read at all.
    OSError
        If a file cannot be read or written.
    """
    if plan.engine == "ray":
        require_ray()
    folder = plan.out / LEDGER
    source = None if plan.path is None else _source(plan, plan.path, plan.path.name or str(plan.path))
    with claimed(folder, plan.share):
        source = source or _source(plan, _spooled(plan), "-")
        if source.encoding == LATIN:
            watch.note(f"{source.name}: not UTF-8; read as Latin-1 (Windows-1252)")
        if plan.restart:
            for name in FILES:
                (plan.out / name).unlink(missing_ok=True)
        identity = _identity(plan, source)
        ledger = open_ledger(folder, identity, partial(_count, source, watch), restart=plan.restart)
        if not ledger.rows:
            watch.note(f"{source.name}: there is no row in it")
        for other in plan.merge:
            ledger.take(read_ledger(other / LEDGER))
        _grade(plan, source, ledger, watch)
        if not plan.share.is_whole:
            return None
        if ledger.missing():
            raise LedgerError(f"{source.name} changed while it was read: give the same command again")
        return _write(plan, ledger, watch)


def _source(plan: Plan, path: Path, name: str) -> Source:
    """Open the input as far as its first row, so that one that cannot be read is refused before anything is written."""
    source = open_source(path, name, plan.kind, plan.columns, plan.split, plan.limit)
    next(source.rows(), None)
    return source


def _spooled(plan: Plan) -> Path:
    """Keep the standard input in a file and return its path."""
    path = plan.out / LEDGER / f"input.{plan.kind or 'txt'}"
    with replacing(path) as spool:
        shutil.copyfileobj(sys.stdin.buffer, spool)
    return path


def _identity(plan: Plan, source: Source) -> dict[str, Any]:
    job = plan.job
    return {
        "tutor": __version__,
        "input": source.identity(),
        "model": job.sha256,
        "options": asdict(job.options) | {"device": job.device, "traces": job.traces},
        "shard_size": plan.shard_size,
    }


def _count(source: Source, watch: Watch) -> int:
    watch.stage("Reading", None)
    rows = 0
    for rows, _ in enumerate(source.rows(), start=1):
        if rows % _TOLD == 0:
            watch.tell("", _TOLD)
    return rows


def _grade(plan: Plan, source: Source, ledger: Ledger, watch: Watch) -> None:
    share = [shard for shard in range(ledger.shards) if shard in plan.share]
    done = sum(ledger.rows_of(shard) for shard in share if ledger.has(shard))
    total = sum(map(ledger.rows_of, share))
    if done == total:
        return
    watch.stage("Grading", total, done)
    with closing(_graded(plan, _shards(source, ledger, plan.share), watch)) as finished:
        for shard, graded in finished:
            ledger.put(shard, graded)


def _shards(source: Source, ledger: Ledger, share: Share) -> Iterator[Shard]:
    """Yield the shards of a share that are not finished, as the input is read."""
    rows = source.rows()
    for shard in range(ledger.shards):
        found = list(islice(rows, ledger.shard_size))
        if shard in share and not ledger.has(shard):
            yield shard, found


def _graded(plan: Plan, shards: Iterator[Shard], watch: Watch) -> Finished:
    if plan.engine == "ray":
        return run_on_ray(shards, plan.job, watch.tell, plan.workers)
    if plan.workers and plan.workers > 1:
        return run_in_workers(shards, plan.job, watch.tell, plan.workers)
    return run_here(shards, plan.job, watch.tell)


def _write(plan: Plan, ledger: Ledger, watch: Watch) -> dict[str, Any]:
    if not has_parquet():
        watch.note(f"no results.parquet: {MISSING}")
    watch.stage("Writing", ledger.rows)
    about = {
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "run": ledger.manifest["identity"],
        "model": plan.job.model.name,
        "versions": {"python": platform.python_version()} | {name: version(name) for name in _PACKAGES},
    }
    write_outputs(ledger, plan.out, about, lambda rows: watch.tell("", rows))
    write_report(plan.out, plan.job.options.lang)
    summary: dict[str, Any] = json.loads((plan.out / SUMMARY).read_bytes())
    if "not_scored" in summary.get("gold", {}):
        watch.note(UNSCORED)
    return summary
