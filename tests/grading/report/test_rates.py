from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutor.grading.report.rates import Sample, proportion, rate

CLUSTERS = st.lists(
    st.integers(1, 40).flatmap(lambda words: st.tuples(st.integers(0, words), st.just(words))), min_size=1
)


def sample(clusters: list[tuple[int, int]]) -> Sample:
    found = Sample()
    for errors, words in clusters:
        found.add(Counter(verb=errors), words)
    return found


def interval(clusters: list[tuple[int, int]]) -> tuple[float, float, float]:
    found = sample(clusters)
    shown = rate(found.errors, found.words)
    return shown["low"], shown["per_100_words"], shown["high"]


@settings(deadline=None)
@given(CLUSTERS)
def test_a_rate_lies_within_its_interval(clusters: list[tuple[int, int]]) -> None:
    low, value, high = interval(clusters)
    assert 0 <= low <= value <= high
    assert value == pytest.approx(100 * sum(e for e, _ in clusters) / sum(w for _, w in clusters), abs=1e-3)


def test_without_an_error_the_interval_still_has_a_width() -> None:
    low, value, high = interval([(0, 10)] * 5)
    assert (low, value) == (0, 0)
    assert 5 < high < 10


def test_more_words_narrow_the_interval() -> None:
    few, many = interval([(1, 20)] * 4), interval([(1, 20)] * 400)
    assert many[2] - many[0] < (few[2] - few[0]) / 5


def test_errors_that_come_together_widen_the_interval() -> None:
    spread, together = interval([(1, 20)] * 40), interval([(10, 20)] * 4 + [(0, 20)] * 36)
    assert spread[1] == together[1]
    assert together[2] - together[0] > 2 * (spread[2] - spread[0])


def test_the_interval_of_independent_words_is_wilsons() -> None:
    # 10 of 100: the interval of Wilson's formula, by hand.
    low, _, high = interval([(1, 1)] * 10 + [(0, 1)] * 90)
    assert (low, high) == (pytest.approx(5.52, abs=0.05), pytest.approx(17.44, abs=0.05))
    assert proportion(10, 100) == {"count": 10, "percent": 10, "low": 5.5229, "high": 17.4366}


def test_without_words_there_is_no_rate() -> None:
    found = Sample()
    assert rate(found.errors, found.words)["per_100_words"] is None
    assert proportion(0, 0)["percent"] is None
