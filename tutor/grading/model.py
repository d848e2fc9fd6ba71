"""Which model it is."""

from __future__ import annotations

import hashlib
from pathlib import Path

from tutor.decoding.weights import sha256

_IGNORED = {"README.md", "SHA256SUMS"}


def digest(folder: Path) -> str:
    """Return the digest of all files of a model folder that bear on its answers."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name not in _IGNORED)
    listing = "".join(f"{sha256(path)}  {path.relative_to(folder).as_posix()}\n" for path in files)
    return hashlib.sha256(listing.encode()).hexdigest()
