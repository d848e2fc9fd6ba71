"""Files that are there as a whole or not at all."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

_ENDING = ".unfinished"
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for writing that takes its place, on disk and synced, when the block ends without an error.

    Raises
    ------
    OSError
        If it cannot be written; where the disk is full, the message says what to do.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}{_ENDING}")
    opened = _opened(temporary, path)
    try:
        with opened as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
        _sync(path.parent)
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise OSError(error.errno, _reason(error), str(path)) from error
    finally:
        temporary.unlink(missing_ok=True)


def _opened(temporary: Path, path: Path) -> IO[bytes]:
    """Open the temporary file; an error names what the user knows: the file, or the folder that is missing."""
    try:
        return temporary.open("wb")
    except OSError as error:
        place = path.parent if error.errno == errno.ENOENT else path
        raise OSError(error.errno, _reason(error), str(place)) from error


def _reason(error: OSError) -> str:
    remedy = "; what is finished is kept: make room and give the same command again"
    return f"{error.strerror}{remedy if error.errno in _FULL else ''}"


def _sync(folder: Path) -> None:
    """Make the names in a folder survive a loss of power; Windows neither needs nor allows it."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def remove_unfinished(folder: Path) -> None:
    """Remove what killed runs left half written."""
    for path in folder.glob(f".*{_ENDING}"):
        path.unlink(missing_ok=True)
