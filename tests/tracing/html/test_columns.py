"""What the page knows of a run, against its records."""

import json
import math

from tests.recorded_trace import TEXT, weather
from tests.tracing.exports.runs import as_run, cut_short, failing, good
from tutor.tracing.files import RunTrace
from tutor.tracing.html.columns import index_row, run_data
from tutor.tracing.records import TokenRecord


def pieces(run: RunTrace) -> list[str]:
    """Return the text of each step as the page puts it together."""
    data = json.loads(json.dumps(run_data(run)))
    texts = [data["texts"][at] for at in data["tokens"]["word"]]
    for at, piece in data["pieces"].items():
        texts[int(at)] = piece
    return ["".join(texts[step["first"] : step["first"] + step["count"]]) for step in data["steps"]]


def test_pieces_make_the_text_of_each_step_to_the_letter() -> None:
    for run in (good(), failing(), as_run(weather())):
        assert pieces(run) == [step.step.text for step in run.steps if step.step]
    assert pieces(cut_short()) == ['{"next":"tool_call","tool":"conjugate","args":{"verb":"go","tense":"']


def test_every_token_has_a_row_in_every_column() -> None:
    data = run_data(good())
    tokens = [token for step in good().steps for token in step.tokens]
    assert {len(column) for column in data["tokens"].values()} == {len(tokens)}
    assert len(data["top"]["counts"]) == len(tokens)
    assert [data["paths"][at] for at in data["tokens"]["path"]] == [token.path for token in tokens]
    assert sum(data["top"]["counts"]) == len(data["top"]["p"]) == 2


def test_the_best_blocked_token_is_among_the_rivals_once() -> None:
    run = as_run(weather())
    data = run_data(run)
    assert data["top"]["counts"] == [0, 2, 0, 0]
    token = run.steps[0].tokens[1]
    run.steps[0].tokens[1] = token.model_copy(update={"top": token.top[1:] if token.top else None})
    data = run_data(run)
    assert [data["ids"][at] for at in data["top"]["word"]] == [7, 9]


def test_the_logarithm_of_zero_is_a_number() -> None:
    run = as_run(weather())
    run.steps[0].tokens.append(
        TokenRecord(token_id=1, text="x", path="$", origin="decided", allowed=2, logprob_before=-math.inf)
    )
    assert math.exp(run_data(run)["tokens"]["before"][-1]) == 0
    assert "Infinity" not in json.dumps(run_data(run))


def test_the_sentence_is_marked_where_it_was_changed() -> None:
    run = good()
    assert run.final is not None
    edit = {"start": 3, "end": 7, "original": "goed", "replacement": "went"}
    run.final.correction["edits"] = [edit]
    marked = run_data(run)["marked"]
    assert "".join(text for kind, text in marked if kind != "cut") == "He  went to school."
    assert "".join(text for kind, text in marked if kind != "new") == "He goed  to school."


def test_a_row_of_the_list_sums_up_the_run() -> None:
    row = index_row(run_data(good()))
    assert (row["id"], row["status"], row["tokens"], row["refused"]) == ("1", "corrected", 10, 0.6)
    assert row["seconds"] == 0.25
    assert index_row(run_data(cut_short()))["status"] == "broken off"


def test_a_text_that_a_recorder_saw_is_no_step_of_ours() -> None:
    data = run_data(as_run(weather()))
    assert [step["label"] for step in data["steps"]] == ["text"]
    assert pieces(as_run(weather())) == [TEXT]
