"""The ledger of a run: a manifest that says what it is, and a file for each finished shard."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from tutor.grading.files import remove_unfinished, replacing
from tutor.grading.shard import Graded


@dataclass(frozen=True, slots=True)
class Share:
    """The part of the shards that one machine does: every `of`-th from the `number`-th, from 1."""

    number: int = 1
    of: int = 1

    def __contains__(self, shard: int) -> bool:
        """Return whether a shard is part of it."""
        return shard % self.of == self.number - 1

    @property
    def is_whole(self) -> bool:
        """Whether there is no other part."""
        return self.of == 1


_MANIFEST = "manifest.json"
_PARTS = ("shards", "traces")
_LABELS = {
    "tutor": "the version of tutor",
    "name": "the input's name",
    "sha256": "the input's content",
    "encoding": "the input's encoding",
}
"""What a run is told by besides options, by its name in the manifest."""
_PATIENCE = 1.0
"""Seconds to wait for a lock that another run may only be trying."""


class LedgerError(RuntimeError):
    """A folder that belongs to another run, or a shard that is damaged."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """The finished shards of a run.

    A shard is a file of JSON lines: one about the shard, with the digest of the rest, then its rows as they stand in the
    results. It appears under its name all at once, so that a run killed at any moment goes on from the shards that are there.

    Attributes
    ----------
    folder : Path
        Where it lies.
    manifest : dict
        ``identity``, all that the results depend on; ``rows`` and ``shard_size``.
    """

    folder: Path
    manifest: dict[str, Any]

    @property
    def rows(self) -> int:
        """How many rows the input has."""
        return int(self.manifest["rows"])

    @property
    def shard_size(self) -> int:
        """How many rows a shard has; the last one may have fewer."""
        return int(self.manifest["identity"]["shard_size"])

    @property
    def shards(self) -> int:
        """How many shards there are."""
        return -(-self.rows // self.shard_size)

    def rows_of(self, shard: int) -> int:
        """Return how many rows a shard has."""
        return min(self.shard_size, self.rows - shard * self.shard_size)

    def has(self, shard: int) -> bool:
        """Return whether a shard is finished."""
        return self._path(shard).exists()

    def missing(self) -> int:
        """Return how many shards are not finished."""
        return sum(not self.has(shard) for shard in range(self.shards))

    def put(self, shard: int, graded: Graded) -> None:
        """Keep a finished shard, its trace first."""
        if graded.trace:
            with replacing(self.trace_path(shard)) as stream:
                stream.write(graded.trace)
        digest = hashlib.sha256(graded.lines).hexdigest()
        head = {"shard": shard, "seconds": round(graded.seconds, 3), "sha256": digest}
        with replacing(self._path(shard)) as stream:
            stream.write(json.dumps(head).encode() + b"\n")
            stream.write(graded.lines)

    def read(self, shard: int) -> tuple[float, list[bytes]]:
        """Return the seconds that a shard took and the lines of its rows.

        Raises
        ------
        LedgerError
            If the file is damaged.
        """
        path = self._path(shard)
        head, _, body = path.read_bytes().partition(b"\n")
        try:
            found = json.loads(head)
            intact = found["shard"] == shard and found["sha256"] == hashlib.sha256(body).hexdigest()
        except (ValueError, TypeError, KeyError):
            intact = False
        if not intact:
            raise LedgerError(f"{path}: damaged; delete it and give the same command again")
        return float(found["seconds"]), body.splitlines(keepends=True)

    def take(self, other: Ledger) -> None:
        """Copy from the ledger of another machine the shards that are missing here.

        Raises
        ------
        LedgerError
            If it is of another run, or one of its shards is damaged.
        """
        _compare(other.folder, other.manifest["identity"], self.manifest["identity"])
        for shard in range(self.shards):
            if other.has(shard) and not self.has(shard):
                seconds, lines = other.read(shard)
                trace = other.trace_path(shard)
                kept = trace.read_bytes() if trace.exists() else b""
                self.put(shard, Graded(b"".join(lines), kept, seconds))

    def trace_path(self, shard: int) -> Path:
        """Return where the trace of a shard lies."""
        return self.folder / "traces" / f"{shard:07}.jsonl"

    def _path(self, shard: int) -> Path:
        return self.folder / "shards" / f"{shard:07}.jsonl"


def open_ledger(folder: Path, identity: dict[str, Any], count: Callable[[], int], *, restart: bool) -> Ledger:
    """Return the ledger of a folder, a new one where there is none.

    Parameters
    ----------
    folder : Path
        Where it lies; made if need be.
    identity : dict
        All that the results depend on, as JSON.
    count : callable
        Counts the rows of the input; called for a new ledger only.
    restart : bool
        Whether to drop what is there.

    Raises
    ------
    LedgerError
        If it is of a run with another input, model or options.
    """
    manifest = folder / _MANIFEST
    if restart:
        manifest.unlink(missing_ok=True)
        for name in _PARTS:
            shutil.rmtree(folder / name, ignore_errors=True)
    for name in _PARTS:
        (folder / name).mkdir(parents=True, exist_ok=True)
    with FileLock(folder / "manifest.lock"):  # of several shares that begin together, one counts
        if not manifest.exists():
            begun = {"identity": identity, "rows": count()}
            with replacing(manifest) as stream:
                stream.write(json.dumps(begun, indent=2).encode() + b"\n")
    ledger = read_ledger(folder)
    _compare(folder, ledger.manifest["identity"], identity)
    return ledger


def read_ledger(folder: Path) -> Ledger:
    """Return the ledger of a folder.

    Raises
    ------
    LedgerError
        If there is none.
    """
    try:
        return Ledger(folder, json.loads((folder / _MANIFEST).read_bytes()))
    except (FileNotFoundError, ValueError) as error:
        raise LedgerError(f"{folder}: no ledger of `tutor grade`") from error


def _compare(folder: Path, begun: dict[str, Any], now: dict[str, Any]) -> None:
    differences = list(_differences(begun, now))
    if differences:
        raise LedgerError(
            f"{folder.parent} was begun otherwise: {'; '.join(differences)}. Take another folder, or --restart to drop "
            "what is there"
        )


def _differences(begun: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    for name in begun | now:
        old, new = begun.get(name), now.get(name)
        if isinstance(old, dict) and isinstance(new, dict):
            yield from _differences(old, new)
        elif old != new:
            label = _LABELS.get(name, f"--{name.replace('_', '-')}")
            yield f"{label} was {_said(old)}, now {_said(new)}"


def _said(value: object) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "on" if value else "off"
    return str(value)[:40]


@contextmanager
def claimed(folder: Path, share: Share) -> Iterator[None]:
    """Hold a folder for one run over the whole of it, or for one run over each share.

    Raises
    ------
    LedgerError
        If another run holds it.
    OSError
        If it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OSError(error.errno, f"cannot write there ({error.strerror})", str(folder.parent)) from error
    whole = FileLock(folder / "lock")
    own = whole if share.is_whole else FileLock(folder / f"lock-{share.number}-of-{share.of}")
    with ExitStack() as held:
        try:
            held.enter_context(own.acquire(timeout=0))
            others = map(FileLock, folder.glob("lock-*")) if share.is_whole else [whole]
            for other in others:
                with other.acquire(timeout=_PATIENCE):
                    pass
        except Timeout as error:
            raise LedgerError(f"{folder.parent}: another run is at work here") from error
        if share.is_whole:
            for place in (folder.parent, folder, *(folder / name for name in _PARTS)):
                remove_unfinished(place)
        yield
