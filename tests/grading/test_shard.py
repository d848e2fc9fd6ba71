import json

import pytest

from tests.grading.quick import QuickJob, QuickTutor
from tutor.grading.rows import Row
from tutor.grading.shard import Graded, grade


def row(text: str, number: int = 1, **more: object) -> Row:
    return Row("a.txt", number, text, id=str(number), **more)  # type: ignore[arg-type]


def work(*rows: Row, traces: bool = False) -> tuple[Graded, QuickTutor, list[tuple[str, int]]]:
    tutor, told = QuickTutor(), list[tuple[str, int]]()
    graded = grade(rows, tutor, QuickJob(traces=traces), lambda *each: told.append(each))  # type: ignore[arg-type]
    return graded, tutor, told


def answers(graded: Graded) -> list[dict[str, object]]:
    return [json.loads(line) for line in graded.lines.splitlines()]


def test_a_row_of_the_results_says_where_it_stands_and_what_correct_says_but_the_timing() -> None:
    graded, _, _ = work(row("He goed.", 3, learner="ana", date="2024-01-02", references=("He went.",)))
    (answer,) = answers(graded)
    assert list(answer)[:7] == ["id", "learner", "date", "file", "line", "references", "sentence"]
    assert answer["learner"] == "ana"
    assert answer["line"] == 3
    assert answer["references"] == ["He went."]
    assert answer["corrected"] == "He went."
    assert "timing" not in answer


def test_a_text_that_repeats_is_decoded_once_and_answered_each_time() -> None:
    graded, tutor, told = work(row("He goed."), row("Yes.", 2), row("He goed.", 3))
    assert list(tutor.asked) == ["He goed.", "Yes."]
    assert [answer["id"] for answer in answers(graded)] == ["1", "2", "3"]
    assert [answer["corrected"] for answer in answers(graded)] == ["He went.", None, "He went."]
    assert sum(count for _, count in told) == 3


def test_bad_rows_keep_their_place_and_are_not_decoded() -> None:
    graded, tutor, told = work(row("Yes."), row("x", 2, problem="3 cells"), row("No.", 3))
    assert [answer["status"] for answer in answers(graded)] == ["unchanged", "error", "unchanged"]
    assert answers(graded)[1]["message"] == "3 cells"
    assert list(tutor.asked) == ["Yes.", "No."]
    assert ("error", 1) in told


def test_a_text_that_the_program_fails_on_is_an_error_and_the_others_are_corrected() -> None:
    graded, _, _ = work(row("Yes."), row("fail", 2), row("He goed.", 3), row("fail too", 4))
    assert [answer["status"] for answer in answers(graded)] == ["unchanged", "error", "corrected", "error"]
    assert "KeyError" in str(answers(graded)[1]["message"])


def test_a_fault_of_the_machine_ends_the_shard() -> None:
    with pytest.raises(OSError, match="No space"):
        work(row("Yes."), row("full", 2))
    with pytest.raises(OSError, match="No space"):
        work(row("fail"), row("full", 2))


def test_traces_are_named_by_the_ids_of_the_rows() -> None:
    graded, _, _ = work(row("Yes.", 7), row("No.", 8), traces=True)
    headers = [json.loads(line) for line in graded.trace.splitlines() if b'"header"' in line]
    assert [header["sentence_id"] for header in headers] == ["7", "8"]
    assert work(row("Yes."))[0].trace == b""
