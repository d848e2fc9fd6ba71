"""A tutor for the server that answers when it is told to."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator

from tutor.agent.state import Correction, Status, StopReason, Timing
from tutor.agent.tutor import Options


class HeldTutor:
    """Leaves sentences as they are once `go` is set, fails at the sentence "fail", and remembers its batches."""

    def __init__(self, *, held: bool = False) -> None:
        self.go, self.begun = threading.Event(), threading.Event()
        self.batches: list[tuple[Options, list[str]]] = []
        if not held:
            self.go.set()

    def correct_many(self, sentences: Iterable[str], options: Options) -> Iterator[Correction]:
        batch: list[str] = []
        self.batches.append((options, batch))
        for sentence in sentences:
            batch.append(sentence)
            self.begun.set()
            assert self.go.wait(20)
            if sentence == "fail":
                raise RuntimeError("failed")
            yield unchanged(sentence)


def unchanged(sentence: str) -> Correction:
    return Correction(
        sentence=sentence,
        status=Status.unchanged,
        stop_reason=StopReason.final_answer,
        timing=Timing(total_s=0.0),
    )
