"""Computations side by side: in order, no more than so many, and each answered as it asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from hypothesis import example, given
from hypothesis import strategies as st

from tutor.decoding.forest import Forest
from tutor.decoding.queries import Context, Fluency, Query, Work, run_alone, run_together


class Echo:
    """A model that answers each forest with its first token, and remembers how many asked at a time."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def context(self) -> Context:
        raise NotImplementedError

    def answer(self, queries: Sequence[Query]) -> list[torch.Tensor]:
        self.asked.append(len(queries))
        return [torch.tensor(query.forest.ids[0]) for query in queries if isinstance(query, Fluency)]


def asking(name: int, times: int) -> Work[tuple[int, list[int]]]:
    heard = []
    for turn in range(times):
        forest = Forest()
        forest.add([100 * name + turn])
        heard.append(int((yield Fluency(forest))))
    return name, heard


@given(times=st.lists(st.integers(0, 6), max_size=20), width=st.integers(1, 5))
@example(times=[0] * 20, width=1)  # more that ask nothing than may wait
def test_each_gets_its_own_answers_and_results_keep_their_order(times: list[int], width: int) -> None:
    model = Echo()
    works = (asking(name, count) for name, count in enumerate(times))
    results = list(run_together(model, works, width))  # type: ignore[arg-type]
    assert results == [
        (name, [100 * name + turn for turn in range(count)]) for name, count in enumerate(times)
    ]
    assert max(model.asked, default=0) <= width
    assert sum(model.asked) == sum(times)


@given(times=st.lists(st.integers(1, 6), min_size=12, max_size=30), width=st.integers(1, 3))
def test_the_input_is_not_read_far_ahead(times: list[int], width: int) -> None:
    taken = 0

    def works() -> Iterator[Work[tuple[int, list[int]]]]:
        nonlocal taken
        for name, count in enumerate(times):
            taken += 1
            yield asking(name, count)

    for done, _ in enumerate(run_together(Echo(), works(), width), start=1):  # type: ignore[arg-type]
        assert taken <= done + 4 * width


def test_a_place_that_is_free_is_taken_at_once() -> None:
    model = Echo()
    list(run_together(model, [asking(0, 6), *(asking(name, 2) for name in range(1, 4))], 2))  # type: ignore[arg-type]
    assert model.asked == [2] * 6


def test_alone_is_the_same_computation() -> None:
    assert run_alone(Echo(), asking(3, 4)) == (3, [300, 301, 302, 303])  # type: ignore[arg-type]
