from collections.abc import Sequence

from tests.training.weighed_sample import sentence
from tutor.evaluation.scores import Counts
from tutor.training.fit import HeldOut
from tutor.training.thresholds import NEVER, Setting, choose, measured, settings

BOUNDS = {"default": 0.1, "noisy": 0.5}


def held_out(rows: Sequence[tuple[float, bool, bool, str]]) -> list[HeldOut]:
    """Return sentences by the probability of their edit, whether it is right, whether nothing was wrong, and their set."""
    return [
        HeldOut(sentence(0.0, right, set=name, correct=correct), [[probability]])
        for probability, right, correct, name in rows
    ]


ROWS = held_out(
    [(0.9, True, False, "a"), (0.6, True, False, "a"), (0.55, False, True, "b"), (0.2, False, True, "b"),
     (0.95, False, True, "noisy"), (0.1, False, True, "noisy")]
)  # fmt: skip


def test_a_setting_counts_edits_and_the_false_alarms_of_each_bound() -> None:
    found = measured(ROWS, BOUNDS, 0.5, NEVER)
    assert (found.counts.tp, found.counts.fp, found.counts.fn) == (2, 2, 0)
    assert found.false_alarms == {"default": (1, 2), "noisy": (1, 2)}
    assert not found.is_quiet(BOUNDS)
    assert measured(ROWS, BOUNDS, 0.6, NEVER).is_quiet(BOUNDS)


def test_a_sure_error_is_mended_below_the_confidence_that_an_edit_needs() -> None:
    assert measured(ROWS, BOUNDS, 0.95, 0.9).counts.tp == 1
    assert measured(ROWS, BOUNDS, 0.95, NEVER).counts.tp == 0


def test_the_best_f05_within_the_bounds_is_chosen() -> None:
    chosen = choose(list(settings(ROWS, BOUNDS)), BOUNDS)
    assert (chosen.counts.tp, chosen.counts.fp) == (2, 1)
    assert chosen.is_quiet(BOUNDS)


def test_among_like_settings_the_quieter_one_is_chosen_and_the_quietest_where_all_are_too_loud() -> None:
    def setting(confidence: float, counts: Counts, alarms: int) -> Setting:
        return Setting(confidence, NEVER, counts, counts, {"default": (alarms, 100)})

    loud, quiet = setting(0.5, Counts(1000, 200, 500), 9), setting(0.6, Counts(995, 203, 505), 2)
    assert choose([loud, quiet], BOUNDS) is quiet
    assert choose([loud, setting(0.9, Counts(300, 10, 1200), 0)], BOUNDS) is loud
    assert choose([loud, quiet], {"default": 0.0}) is quiet
