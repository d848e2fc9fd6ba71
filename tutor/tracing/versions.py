"""The versions that decode a run."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version

from tutor import __version__

_PACKAGES = ("torch", "transformers", "llguidance", "outlines")


@cache  # to read them takes 2 ms, and a header of each sentence has them
def versions() -> dict[str, str]:
    """Return the versions of tutor, torch, transformers, llguidance and outlines."""
    return {"tutor": __version__} | {name: version(name) for name in _PACKAGES}
