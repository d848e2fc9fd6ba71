import json

from tests.evaluation.test_summary import RIGHT, SOURCE, prediction
from tutor.evaluation.calls import ComparedCalls, State
from tutor.evaluation.evaluate import as_json, summaries
from tutor.training.tables import calls_table, edits_table, runs_table, types_table

SETS = json.loads(
    json.dumps(
        as_json(
            summaries(
                [
                    prediction(RIGHT, RIGHT).model_copy(update={"set": "wrong"}),
                    prediction(None, SOURCE).model_copy(update={"set": "right"}),
                ],
                [ComparedCalls(set="wrong", source=SOURCE, states=(State(oracle=None, planner=None),))],
            ),
            {},
        )
    )
)["sets"]


def rows(table: str) -> dict[str, list[str]]:
    return {
        cells[0]: cells[1:]
        for cells in ([c.strip() for c in line.split("|")[1:-1]] for line in table.splitlines())
    }


def test_a_set_without_errors_has_false_alarms_only_and_one_without_right_sentences_has_none() -> None:
    found = rows(edits_table(SETS))
    assert found["wrong"] == ["1", "100.0", "100.0", "100.0 [100.0, 100.0]", "100.0", "-"]
    assert found["right"] == ["1", "-", "-", "-", "100.0", "0.0 [0.0, 0.0]"]
    assert found["all"][0] == "2"


def test_types_show_what_was_due() -> None:
    found = rows(types_table(SETS))
    assert "right" not in found
    assert found["wrong"].count("100.0 (1)") == 2  # inflection, and all that is not tense


def test_calls_are_shown_for_sets_that_have_them_and_runs_for_all() -> None:
    assert set(rows(calls_table(SETS))) == {"set", "---", "wrong", "all"}
    assert rows(runs_table(SETS))["right"] == ["0.0", "100.0", "0.0", "0.0", "0.0", "-"]
