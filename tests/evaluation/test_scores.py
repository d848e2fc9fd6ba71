import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.evaluation.errant_edits import verb_edits
from tutor.evaluation.scores import KINDS, Counts, Outcome, outcome, report

WRONG = "Yesterday he go home and she have a idea."
RIGHT = "Yesterday he went home and she had a idea."


def total(found: Outcome) -> Counts:
    return sum(found.counts.values(), Counts())


@pytest.mark.parametrize(
    ("source", "target", "kind"),
    [
        ("He walk to school.", "He walks to school.", "SVA"),
        ("I want to swimming now.", "I want to swim now.", "FORM"),
        ("He goed home.", "He went home.", "INFL"),
        ("They sleeping now.", "They are sleeping now.", "TENSE"),
    ],
)
def test_each_kind_of_verb_edit_is_seen(source: str, target: str, kind: str) -> None:
    assert [edit.kind for edit in verb_edits(source, target)] == [kind]


def test_other_edits_do_not_count() -> None:
    assert verb_edits("I saw cat on the tree.", "I saw a cat in the tree.") == frozenset()


def test_a_perfect_hypothesis_scores_one() -> None:
    found = outcome(WRONG, RIGHT, [RIGHT])
    assert total(found) == Counts(tp=2)
    assert found.exact


def test_leaving_all_alone_costs_recall_only() -> None:
    assert total(outcome(WRONG, WRONG, [RIGHT])) == Counts(fn=2)


def test_a_wrong_form_is_a_false_alarm_and_a_miss() -> None:
    found = total(outcome("He goed home.", "He gone home.", ["He went home."]))
    assert (found.fp, found.fn, found.tp) == (1, 1, 0)


def test_the_reference_that_fits_best_counts() -> None:
    references = ["They are sleeping now.", "They were sleeping now."]
    assert total(outcome("They sleeping now.", references[1], references)) == Counts(tp=1)


def test_false_alarms_are_counted_on_correct_sentences_only() -> None:
    good = "The dogs bark."
    found = report(
        [
            outcome(good, good, [good]),
            outcome(good, "The dogs barks.", [good]),
            outcome("The dogs barks.", good, [good]),
        ]
    )
    assert found.false_alarms is not None
    assert found.false_alarms.value == 0.5
    assert found.exact.value == pytest.approx(2 / 3)
    assert report([outcome("The dogs barks.", good, [good])]).false_alarms is None


def test_nothing_to_score_is_an_error() -> None:
    with pytest.raises(ValueError, match="nothing"):
        report([])
    with pytest.raises(ValueError, match="no reference"):
        outcome("a", "a", [])


counts = st.builds(Counts, st.integers(0, 3), st.integers(0, 3), st.integers(0, 3))
outcomes = st.builds(
    Outcome,
    st.fixed_dictionaries(dict.fromkeys(KINDS, counts)),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)


@given(st.lists(outcomes, min_size=1, max_size=12))
def test_intervals_hold_within_bounds_and_sums_add_up(found: list[Outcome]) -> None:
    result = report(found)
    assert sum((result.by_kind[kind].counts for kind in KINDS), Counts()) == result.all.counts
    assert result.tense.counts + result.other.counts == result.all.counts
    for interval in (result.all.precision, result.all.recall, result.all.f05, result.exact):
        assert 0 <= interval.low <= interval.high <= 1
    assert result.all.f05.value == pytest.approx(result.all.counts.f())
    assert result.all.precision.value == result.all.counts.precision
    assert result.all.recall.value == result.all.counts.recall


@given(counts)
def test_f_lies_between_precision_and_recall(each: Counts) -> None:
    low, high = sorted((each.precision, each.recall))
    assert low - 1e-9 <= each.f() <= high + 1e-9 or each.tp == 0


def test_the_bootstrap_is_seeded() -> None:
    found = [outcome(WRONG, WRONG, [RIGHT]), outcome(WRONG, RIGHT, [RIGHT])]
    assert report(found, seed=3) == report(found, seed=3)
