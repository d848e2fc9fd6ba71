"""Where the time goes, by part of the program: a sampler that looks at the stack now and then."""

from __future__ import annotations

import sys
import threading
import time
from collections import defaultdict
from types import FrameType, TracebackType
from typing import Self

# The first part of which a module is on the stack has the time: language is analysed for tools and for schemas alike.
PARTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("forward", ("tutor.decoding.model", "tutor.decoding.packing", "tutor.decoding.forest")),
    ("mask", ("tutor.decoding.mask",)),
    ("tools", ("tutor.tools.registry",)),
    ("schema", ("tutor.planner.schema", "tutor.planner.lattice", "tutor.planner.coverage")),
    ("choice", ("tutor.planner.scores", "tutor.planner.choice")),
    ("answer", ("tutor.agent.correction",)),
)
REST = "rest"
_INTERVAL = 0.004


class PartSampler:
    """Samples what the thread that made it does, while it is open.

    A sample weighs the time since the one before, so that a library which holds the interpreter lock loses nothing of its
    share.
    """

    def __init__(self) -> None:
        self._watched = threading.get_ident()
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        """Begin."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End."""
        self._done.set()
        self._thread.join()

    def shares(self) -> dict[str, float]:
        """Return the share of the time of each part, 0 to 1; all of them together are 1."""
        total = sum(self._seconds.values()) or 1.0
        return {name: self._seconds[name] / total for name in (*(name for name, _ in PARTS), REST)}

    def _watch(self) -> None:
        before = time.perf_counter()
        while not self._done.wait(_INTERVAL):
            frame = sys._current_frames().get(self._watched)
            now = time.perf_counter()
            self._seconds[part_of(modules(frame))] += now - before
            before = now


def modules(frame: FrameType | None) -> set[str]:
    """Return the names of the modules on a stack."""
    found = set()
    while frame is not None:
        found.add(frame.f_globals.get("__name__", ""))
        frame = frame.f_back
    return found


def part_of(stack: set[str]) -> str:
    """Return the part that the time is given to while these modules are on the stack."""
    return next((name for name, owners in PARTS if not stack.isdisjoint(owners)), REST)
