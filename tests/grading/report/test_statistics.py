import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.grading.report.rows import Row, failed, out_of_scope, row, went
from tutor.grading.report import Statistics
from tutor.grading.report.statistics import MOST_LEARNERS

ROWS = st.lists(
    st.builds(
        lambda make, who, day, number: make(learner=who, date=day, id=str(number), line=number),
        st.sampled_from(
            [
                went,
                lambda **fields: row("She walks to the old school.", **fields),
                lambda **fields: row(
                    "He have goed.",
                    ("have", "has", "R:VERB:SVA", 0.9),
                    ("goed", "gone", "R:VERB:FORM", 0.6),
                    **fields,
                ),
                lambda **fields: failed("step_cap", **fields),
                lambda **fields: failed("error", message="too long", **fields),
                lambda **fields: out_of_scope("Hola a todos.", "not English", **fields),
            ]
        ),
        st.sampled_from([None, *(f"learner {number}" for number in range(14))]),
        st.sampled_from([None, "2025-03-01", "2025-04-09T10:00", "some day"]),
        st.integers(1, 5),
    ),
    max_size=60,
)


def summary(rows: list[Row]) -> dict[str, Any]:
    statistics = Statistics()
    for each in rows:
        statistics.add(each)
    return statistics.summary() | {"learners": list(statistics.learners())}


@settings(deadline=None)
@given(ROWS, st.randoms())
def test_the_order_of_rows_does_not_matter(rows: list[Row], random: Any) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)
    assert summary(rows) == summary(shuffled)


@settings(deadline=None)
@given(ROWS)
def test_totals_add_up(rows: list[Row]) -> None:
    found = summary(rows)
    named = [each for each in rows if each["learner"] is not None]
    assert found["sentences"] == len(rows) == sum(found["statuses"].values())
    assert sum(each["sentences"] for each in found["learners"]) == len(named)
    assert sum(each["count"] for each in found["types"].values()) == found["errors"]["count"]
    assert sum(each["count"] for each in found["verbs"]) == found["errors"]["count"]
    assert found["errors"]["count"] == sum(len(each["edits"]) for each in rows)
    assert sum(found["stopped"].values()) == sum(each["status"] in ("step_cap", "error") for each in rows)
    dated = sum(point["sentences"] for point in found["progress"]["points"])
    undated = sum(each["date"] is None and each["status"] in ("corrected", "unchanged") for each in rows)
    assert dated + found["undated"] + undated == found["read"]["sentences"]


@settings(deadline=None)
@given(ROWS)
def test_a_summary_is_json(rows: list[Row]) -> None:
    found = summary(rows)
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_words_of_sentences_without_an_answer_do_not_dilute_the_rate() -> None:
    found = summary([went(), failed("step_cap"), out_of_scope("Hola a todos.", "not English")])
    assert found["errors"]["per_100_words"] == 20
    assert (found["words"], found["read"]["words"]) == (11, 5)
    assert found["out_of_scope"] == {"not English": 1}


def test_verbs_are_counted_whatever_their_case() -> None:
    found = summary([went(), row("GOED he home?", ("GOED", "WENT", "R:VERB:INFL", 0.7))])
    assert found["verbs"] == [{"wrong": "goed", "right": "went", "type": "R:VERB:INFL", "count": 2}]


def test_the_worst_sentence_has_most_errors_and_the_best_is_the_longest_without_any() -> None:
    two = row("He have goed.", ("have", "has", "R:VERB:SVA", 0.9), ("goed", "gone", "R:VERB:FORM", 0.6))
    short, long = row("She walks."), row("She walks to the old school.")
    spelling = {"start": 0, "end": 3, "kind": "spelling", "message": "", "suggestion": None}
    misspelled = row("Teh man walks to the old school of the town.", additional_issues=[spelling])
    found = summary([went(), two, short, long, long, misspelled])
    assert [each["sentence"] for each in found["worst"]] == [two["sentence"], went()["sentence"]]
    assert [each["sentence"] for each in found["best"]] == [long["sentence"], short["sentence"]]


def test_learners_are_the_clusters_once_there_are_ten() -> None:
    def wide(learners: int) -> tuple[str, float]:
        rows = [went(learner=f"bad {n}") if n % 2 else row("She walks to the old school.", learner=str(n))
                for n in range(learners) for _ in range(20)]  # fmt: skip
        found = summary(rows)
        return found["interval"]["clusters"], found["errors"]["high"] - found["errors"]["low"]

    assert wide(9)[0] == "sentences"
    clusters, width = wide(12)
    assert clusters == "learners"
    assert width > 1.5 * wide(9)[1]


def test_learners_beyond_the_bound_count_for_the_corpus_only() -> None:
    number = MOST_LEARNERS + 30
    found = summary([went(learner=f"{learner}") for learner in range(number)])
    assert (len(found["learners"]), found["unlisted"]) == (MOST_LEARNERS, 30)
    assert found["errors"]["count"] == number


def test_a_long_sentence_is_kept_by_its_beginning_only() -> None:
    found = summary([row("He goed " + "on and " * 500 + "goed.", ("goed", "went", "R:VERB:INFL", 0.9))])
    (worst,) = found["worst"]
    assert len(worst["sentence"]) == 400
    assert [edit["original"] for edit in worst["edits"]] == ["goed"]
