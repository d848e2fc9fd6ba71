"""What counts and ranks a stream in bounded memory."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

from tutor.grading.report.rates import Tally


class TopCounter:
    """Counts of the most frequent keys, by the frequent-items sketch of Misra and Gries.

    At most ``2 * capacity`` keys are held. Up to that many, counts are exact, and so is the order-independence of
    the result; beyond, a count is too low by at most `missed` (Agarwal et al. 2013, "Mergeable summaries").
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._counts: dict[Any, int] = {}
        self.missed = 0

    def add(self, key: Any) -> None:
        """Count a key once."""
        self._counts[key] = self._counts.get(key, 0) + 1
        if len(self._counts) > 2 * self._capacity:
            self._prune()

    def _prune(self) -> None:
        cut = sorted(self._counts.values(), reverse=True)[self._capacity]
        self._counts = {key: count - cut for key, count in self._counts.items() if count > cut}
        self.missed += cut

    def most_common(self, number: int) -> list[tuple[Any, int]]:
        """Return the most frequent keys with their counts, equal counts in the order of the keys."""
        return sorted(self._counts.items(), key=lambda item: (-item[1], item[0]))[:number]


class Ranking:
    """The few first of a stream by a key; of those that show the same text, the first only."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: list[tuple[Any, str, Any]] = []

    def offer(self, key: Any, text: str, make: Callable[[], Any]) -> None:
        """Keep what `make` returns if its key is among the lowest; keys must not tie for different things."""
        if len(self._kept) == self._size and key >= self._kept[-1][0]:
            return
        twin = next((each for each in self._kept if each[1] == text), None)
        if twin is not None:
            if key >= twin[0]:
                return
            self._kept.remove(twin)
        insort(self._kept, (key, text, make()), key=lambda each: each[0])
        del self._kept[self._size :]

    def __iter__(self) -> Iterator[Any]:
        """Yield what was kept, the first first."""
        return (kept for _, _, kept in self._kept)


_UNITS: tuple[tuple[str, Callable[[date], date]], ...] = (
    ("day", lambda day: day),
    ("month", lambda day: day.replace(day=1)),
    ("year", lambda day: day.replace(month=1, day=1)),
    ("century", lambda day: date(max(day.year // 100 * 100, 1), 1, 1)),
)


class Timeline:
    """Tallies over time, by the finest of day, month, year and century that makes no more than `capacity` points.

    Each unit is a whole number of the finer ones and the unit follows from the dates alone, so the order in which
    they come does not matter. There are 100 centuries at most, whatever the capacity.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._level = 0
        self._points: dict[date, Tally] = {}

    def add(self, day: date, errors: int, words: int) -> None:
        """Count one cluster at its date."""
        self._points.setdefault(_UNITS[self._level][1](day), Tally()).add(errors, words)
        while len(self._points) > self._capacity and self._level < len(_UNITS) - 1:
            self._coarsen()

    def _coarsen(self) -> None:
        self._level += 1
        finer, self._points = self._points, {}
        for day, tally in finer.items():
            self._points.setdefault(_UNITS[self._level][1](day), Tally()).merge(tally)

    @property
    def unit(self) -> str:
        """The unit of the points."""
        return _UNITS[self._level][0]

    def __iter__(self) -> Iterator[tuple[date, Tally]]:
        """Yield the points in the order of time, each with its first day."""
        return iter(sorted(self._points.items(), key=lambda point: point[0]))
