import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tutor.evaluation.intervals import Interval, draws, interval, ratio, share

rows = st.lists(st.tuples(st.integers(0, 3), st.integers(3, 5)), min_size=1, max_size=30)


@given(rows)
def test_an_interval_lies_within_what_single_sentences_give(table: list[tuple[int, int]]) -> None:
    found = interval(table, share, draws(len(table)))
    rates = [part / whole for part, whole in table]
    assert min(rates) - 1e-9 <= found.low <= found.high <= max(rates) + 1e-9
    assert np.isclose(found.value, sum(part for part, _ in table) / sum(whole for _, whole in table))


def test_the_first_draw_is_the_sample_itself_and_all_are_of_its_size() -> None:
    drawn = draws(7, seed=3)
    assert (drawn[0] == 1).all()
    assert (drawn.sum(1) == 7).all()
    assert (drawn == draws(7, seed=3)).all()
    assert (drawn != draws(7, seed=4)).any()


def test_more_sentences_make_a_narrower_interval() -> None:
    few, many = ([(i % 2, 1) for i in range(size)] for size in (20, 2000))
    width = {
        len(table): (lambda found: found.high - found.low)(interval(table, share, draws(len(table))))
        for table in (few, many)
    }
    assert width[2000] < width[20] / 5


def test_what_holds_nothing_to_rate_is_perfect_and_widens_no_interval() -> None:
    assert np.isnan(ratio(np.array([0.0]), np.array([0.0])))
    assert interval([(0, 0), (0, 0)], share, draws(2)) == Interval(1.0, 1.0, 1.0)
    assert interval([(0, 1), *[(0, 0)] * 9], share, draws(10)) == Interval(0.0, 0.0, 0.0)
