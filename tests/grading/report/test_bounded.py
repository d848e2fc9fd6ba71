from collections import Counter
from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st

from tutor.grading.report.bounded import Ranking, Timeline, TopCounter

KEYS = st.lists(st.integers(0, 30).map(str), max_size=300)
DAYS = st.lists(st.tuples(st.dates(), st.integers(0, 3), st.integers(3, 9)), max_size=60)


@settings(deadline=None)
@given(KEYS, st.integers(1, 8))
def test_a_count_is_never_too_high_and_too_low_by_what_it_says_at_most(
    keys: list[str], capacity: int
) -> None:
    counter, true = TopCounter(capacity), Counter(keys)
    for key in keys:
        counter.add(key)
    shown = dict(counter.most_common(100))
    assert len(shown) <= 2 * capacity
    for key, count in true.items():
        assert count - counter.missed <= shown.get(key, 0) <= count


@settings(deadline=None)
@given(KEYS, st.randoms())
def test_up_to_twice_the_capacity_counts_are_exact_in_any_order(keys: list[str], random: object) -> None:
    one, other, shuffled = TopCounter(16), TopCounter(16), list(keys)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    for key, again in zip(keys, shuffled, strict=True):
        one.add(key)
        other.add(again)
    assert one.missed == 0
    assert one.most_common(40) == other.most_common(40)
    assert dict(one.most_common(40)) == dict(Counter(keys))


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 20), st.sampled_from("abcdef")), unique=True), st.integers(1, 5))
def test_a_ranking_is_the_beginning_of_the_sorted_distinct_texts(
    offers: list[tuple[int, str]], size: int
) -> None:
    ranking = Ranking(size)
    for offer in offers:
        ranking.offer(offer, offer[1], lambda offer=offer: offer)  # type: ignore[misc]
    firsts = sorted({text: min(each for each in offers if each[1] == text) for _, text in offers}.values())
    assert list(ranking) == firsts[:size]


def points(days: list[tuple[date, int, int]]) -> tuple[str, list[object]]:
    timeline = Timeline(8)
    for day, errors, words in days:
        timeline.add(day, errors, words)
    return timeline.unit, list(timeline)


@settings(deadline=None)
@given(DAYS, st.randoms())
def test_progress_does_not_depend_on_the_order_of_rows(
    days: list[tuple[date, int, int]], random: object
) -> None:
    shuffled = list(days)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert points(days) == points(shuffled)


@settings(deadline=None)
@given(DAYS)
def test_progress_loses_no_word_and_stays_small(days: list[tuple[date, int, int]]) -> None:
    timeline = Timeline(8)
    for day, errors, words in days:
        timeline.add(day, errors, words)
    tallies = [tally for _, tally in timeline]
    assert sum(tally.words.total for tally in tallies) == sum(words for _, _, words in days)
    assert sum(tally.errors.total for tally in tallies) == sum(errors for _, errors, _ in days)
    assert len(tallies) <= (8 if timeline.unit != "century" else 100)


def test_days_become_months_only_when_there_are_too_many() -> None:
    assert points([(date(2025, 1, day), 0, 5) for day in range(1, 9)])[0] == "day"
    unit, months = points([(date(2025, 1 + day // 28, 1 + day % 28), 0, 5) for day in range(84)])
    assert (unit, len(months)) == ("month", 3)
