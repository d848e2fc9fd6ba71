from collections.abc import Sequence

from tests.training.weighed_sample import sentence
from tutor.evaluation.scores import Counts
from tutor.training.fit import HeldOut
from tutor.training.thresholds import CONFIDENCES, Setting, choose, measured


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


def test_a_setting_counts_edits_and_the_false_alarms_of_each_set() -> None:
    found = measured(ROWS, 0.5)
    assert (found.counts.tp, found.counts.fp, found.counts.fn) == (2, 2, 0)
    assert found.false_alarms == {"b": (1, 2), "noisy": (1, 2)}
    assert measured(ROWS, 0.6).false_alarms == {"b": (0, 2), "noisy": (1, 2)}


def setting(confidence: float, counts: Counts, alarms: int) -> Setting:
    return Setting(confidence, counts, counts, {"a": (alarms, 100)})


def test_the_best_f05_is_chosen_however_quiet_another_setting_is() -> None:
    loud = setting(0.5, Counts(1000, 200, 500), 9)
    assert choose([loud, setting(0.9, Counts(300, 10, 1200), 0)]) is loud
    assert choose([measured(ROWS, each) for each in CONFIDENCES]).counts.tp == 2


def test_among_settings_of_like_f05_the_one_that_corrects_most_is_chosen() -> None:
    most, fewer = setting(0.5, Counts(1000, 200, 500), 9), setting(0.6, Counts(980, 185, 520), 2)
    assert 0 < fewer.counts.f() - most.counts.f() < 0.0025
    assert choose([most, fewer]) is choose([fewer, most]) is most
