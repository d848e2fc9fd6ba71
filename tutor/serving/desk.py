"""The desk: sentences of many requests wait in one line, and one thread corrects them together."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Protocol

from tutor.agent.state import Correction
from tutor.agent.tutor import Options


class Corrector(Protocol):
    """What the desk needs of a tutor."""

    def correct_many(self, sentences: Iterable[str], options: Options) -> Iterator[Correction]:
        """Correct sentences together, in order; they are read as the work goes on."""


@dataclass(frozen=True, slots=True)
class _Job:
    sentence: str
    options: Options
    future: Future[Correction] = field(default_factory=Future)


class Desk:
    """Takes sentences from any thread and corrects them on one of its own.

    While sentences are under way, those that come in meanwhile join them, as long as their options are the same; a sentence
    with others lets no later one pass.

    Parameters
    ----------
    load : callable
        Loads the tutor; called on the desk's thread, so that a server may listen before.
    """

    def __init__(self, load: Callable[[], Corrector]) -> None:
        self._load = load
        self._line: deque[_Job] = deque()
        self._change = threading.Condition()
        self._closing = False
        self._thread = threading.Thread(target=self._work, name="desk", daemon=True)
        self.loaded: Future[None] = Future()
        """Done once the tutor is loaded; holds the error when it could not be."""

    def open(self) -> None:
        """Start to load and to work."""
        self._thread.start()

    def close(self) -> None:
        """Finish the sentences that are under way, drop those that wait, and stop."""
        with self._change:
            self._closing = True
            for job in self._line:
                job.future.cancel()
            self._line.clear()
            self._change.notify()
        self._thread.join()

    @property
    def is_ready(self) -> bool:
        """Whether the tutor is loaded."""
        return self.loaded.done() and self.loaded.exception() is None

    def submit(self, sentences: Sequence[str], options: Options) -> list[Future[Correction]]:
        """Put sentences at the end of the line; a future that is cancelled while it waits is skipped."""
        jobs = [_Job(sentence, options) for sentence in sentences]
        with self._change:
            self._line.extend(jobs)
            self._change.notify()
        return [job.future for job in jobs]

    def _work(self) -> None:
        try:
            tutor = self._load()
        except Exception as error:
            self.loaded.set_exception(error)
            return
        self.loaded.set_result(None)
        while (job := self._wait()) is not None:
            self._correct(tutor, job)

    def _wait(self) -> _Job | None:
        """Return the first job of the line as soon as there is one, or None when the desk closes."""
        with self._change:
            while not self._closing:
                if (job := self._next(None)) is not None:
                    return job
                self._change.wait()
        return None

    def _next(self, options: Options | None) -> _Job | None:
        """Take the first job off the line, if it has these options."""
        with self._change:
            while self._line and options in (None, self._line[0].options):
                job = self._line.popleft()
                if job.future.set_running_or_notify_cancel():
                    return job
        return None

    def _correct(self, tutor: Corrector, first: _Job) -> None:
        """Correct a job and those behind it."""
        under_way = deque([first])

        def sentences() -> Iterator[str]:
            yield first.sentence
            while (job := self._next(first.options)) is not None:
                under_way.append(job)
                yield job.sentence

        try:
            for correction in tutor.correct_many(sentences(), first.options):
                under_way.popleft().future.set_result(correction)
        except Exception:
            for job in under_way:  # one of them is at fault: the others shall have their answers
                _correct_alone(tutor, job)


def _correct_alone(tutor: Corrector, job: _Job) -> None:
    try:
        (correction,) = tutor.correct_many([job.sentence], job.options)
    except Exception as error:
        job.future.set_exception(error)
    else:
        job.future.set_result(correction)
