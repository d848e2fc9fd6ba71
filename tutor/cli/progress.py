"""The progress of a long run, on stderr."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import ProgressColumn


class GradeProgress:
    """Shows rate, time left and counts while rows are graded; at no terminal, only what must be said."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import Progress

        self._console = Console(stderr=True, highlight=False)
        self._bar = Progress(*_columns(), console=self._console, transient=True)
        self._task = self._bar.add_task("Starting", total=None, counts="", rate="")
        self._counts: dict[str, int] = {}

    def stage(self, name: str, total: int | None, done: int = 0) -> None:
        """Begin a stage that goes through so many rows, some of them done before."""
        self._bar.remove_task(self._task)
        self._counts = {}
        self._task = self._bar.add_task(name, total=total, completed=done, counts="", rate="")

    def tell(self, status: str, rows: int) -> None:
        """Count rows, and what became of them."""
        if status:
            self._counts[status] = self._counts.get(status, 0) + rows
        counts = ", ".join(f"{count} {name}" for name, count in sorted(self._counts.items()))
        speed = self._bar.tasks[-1].speed
        self._bar.update(self._task, advance=rows, counts=counts, rate=f"{speed:.1f}/s" if speed else "")

    def note(self, text: str) -> None:
        """Say something that the user should know."""
        from tutor.tracing.view import printable

        self._bar.console.print(f"note: {printable(text)}", markup=False)

    def __enter__(self) -> Self:
        """Begin to show."""
        if self._console.is_terminal:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the terminal as it was, and say how to go on where Ctrl-C ended it."""
        if self._console.is_terminal:
            self._bar.stop()
        if kind is not None and issubclass(kind, SystemExit | KeyboardInterrupt):
            self.note("stopped; the same command goes on from here")


def _columns() -> list[ProgressColumn | str]:
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    return [
        TextColumn("{task.description}"), BarColumn(20), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(), TextColumn("{task.fields[counts]}"),
    ]  # fmt: skip
