import csv
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tutor.agent.tutor import MAX_CHARACTERS
from tutor.grading.rows import Row
from tutor.grading.source import Columns, open_source

anything = st.text(st.characters(codec="utf-8"), max_size=30)
slow = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


USUAL = Columns()


def rows(path: Path, columns: Columns = USUAL, **options: object) -> list[Row]:
    given_options = {"kind": None, "split": None, "limit": None} | options
    source = open_source(path, path.name, columns=columns, **given_options)  # type: ignore[arg-type]
    return list(source.rows())


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_lines_of_text_are_rows_that_know_their_line(tmp_path: Path) -> None:
    found = rows(write(tmp_path / "a.txt", "One.\r\n\n  \nTwo."))
    assert [(row.file, row.line, row.id, row.text) for row in found] == [
        ("a.txt", 1, "1", "One."), ("a.txt", 4, "4", "Two."),
    ]  # fmt: skip


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_the_delimiter_is_the_one_of_the_header(tmp_path: Path, mark: str) -> None:
    path = write(
        tmp_path / "a.csv", f"id{mark}learner{mark}Sentence{mark}date\n7{mark}ana{mark}Hi.{mark}2024-01-02\n"
    )
    (row,) = rows(path)
    assert (row.id, row.learner, row.text, row.date) == ("7", "ana", "Hi.", "2024-01-02")


def test_columns_are_found_by_the_names_asked_for(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "n,who,said,better\n7,ana,Hi.,Hello.\n")
    (row,) = rows(path, Columns("Said", "n", "who", "better"))
    assert (row.id, row.learner, row.text, row.references) == ("7", "ana", "Hi.", ("Hello.",))
    with pytest.raises(ValueError, match=r"a\.csv: no column 'text'; name one of 'n', 'who'.*--text"):
        rows(path)
    with pytest.raises(ValueError, match=r"no column 'x'.*--target"):
        rows(path, Columns("said", target="x"))


@slow
@given(st.lists(st.tuples(anything, anything), max_size=8))
def test_every_csv_row_that_a_writer_quotes_comes_back_to_the_letter(
    tmp_path: Path, pairs: list[tuple[str, str]]
) -> None:
    path = tmp_path / "a.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, quoting=csv.QUOTE_ALL)
        writer.writerows([("learner", "text"), *pairs])
    assert [(row.learner or "", row.text) for row in rows(path)] == [
        (name if name.strip() else "", text) for name, text in pairs
    ]


@slow
@given(st.lists(st.text(max_size=30), max_size=8))
def test_every_json_line_is_a_row_and_every_row_can_be_written(tmp_path: Path, texts: list[str]) -> None:
    path = write(tmp_path / "a.jsonl", "".join(json.dumps({"text": text}) + "\n" for text in texts))
    found = rows(path)
    assert len(found) == len(texts)
    for text, row in zip(texts, found, strict=True):
        row.text.encode()
        assert row.text == text or "surrogate" in (row.problem or "")


@slow
@given(st.binary(max_size=200))
def test_no_bytes_stop_a_table(tmp_path: Path, content: bytes) -> None:
    for row in rows(write(tmp_path / "a.csv", b"text,id\n" + content)):
        row.text.encode()
    for row in rows(write(tmp_path / "a.jsonl", content)):
        row.text.encode()
    for row in rows(write(tmp_path / "a.m2", content)):
        row.text.encode()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('2,"never closed', "not CSV"),
        ('2,"closed" early', "not CSV"),
        ("2", "1 cells where the first line has 2"),
        ("2,a,b", "3 cells where the first line has 2"),
        ("2," + "x" * (MAX_CHARACTERS + 1), "at most"),
        ('2,"' + "x\n" * 500_000 + '"', "1000000 characters"),
    ],
)
def test_a_bad_csv_row_is_a_problem_with_its_line_and_costs_no_other(
    tmp_path: Path, line: str, why: str
) -> None:
    path = write(tmp_path / "a.csv", f"id,text\n1,He goed.\n{line}\n3,I has.\n4,Yes.\n")
    found = rows(path)
    assert [row.id for row in found] == ["1", "2", "3", "4"]
    assert [row.line for row in found][:2] == [2, 3]
    assert [row.problem is None for row in found] == [True, False, True, True]
    assert why in (found[1].problem or "")
    assert len(found[1].text) <= MAX_CHARACTERS


def test_quotes_in_tsv_are_text(tmp_path: Path) -> None:
    found = rows(write(tmp_path / "a.tsv", 'text\tid\n"Hi," she said.\t1\n"Yes."\t2\n\n'))
    assert [row.text for row in found] == ['"Hi," she said.', '"Yes."']


@pytest.mark.parametrize(
    "line", ["{", "[]", "3", '{"text": 3}', '{"no": "text"}', '{"text": null}', "[" * 100_000, '{"text":"\\ud800"}']
)  # fmt: skip
def test_a_bad_json_line_is_a_problem(tmp_path: Path, line: str) -> None:
    found = rows(write(tmp_path / "a.jsonl", f'{{"text": "One."}}\n{line}\n{{"text": "Two."}}\n'))
    assert [(row.line, row.problem is None) for row in found] == [(1, True), (2, False), (3, True)]


def test_json_lines_give_what_they_know(tmp_path: Path) -> None:
    line = '{"source": "Hi.", "id": 7, "learner": "ana", "references": ["Hello.", "Hey."]}'
    (row,) = rows(write(tmp_path / "a.jsonl", line))
    assert (row.text, row.id, row.learner, row.references) == ("Hi.", "7", "ana", ("Hello.", "Hey."))


def test_m2_has_the_corrections_of_each_annotator(tmp_path: Path) -> None:
    block = (
        "S He goed home .\nA 1 2|||R:VERB:INFL|||went|||REQUIRED|||-NONE-|||0\n"
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\n\n"
    )
    good, bad, last = rows(write(tmp_path / "a.m2", block + "S x\nA nonsense\n\nS Fine .\n"))
    assert (good.text, good.references) == ("He goed home .", ("He went home .", "He goed home ."))
    assert (bad.line, bad.problem is None) == (5, False)
    assert (last.text, last.references) == ("Fine .", ("Fine .",))


def test_split_makes_a_row_of_each_sentence_and_keeps_what_cannot_be_split(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.csv", "id,text\n1,He goed home. Then he sleeped! Mr. Smith was there.\n2,\n3,a,b\n"
    )
    found = rows(path, split=True)
    assert [(row.id, row.text) for row in found[:3]] == [
        ("1.1", "He goed home."), ("1.2", "Then he sleeped!"), ("1.3", "Mr. Smith was there."),
    ]  # fmt: skip
    assert [row.id for row in found[3:]] == ["2", "3"]


def test_gold_and_split_do_not_go_together(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="whole texts"):
        rows(write(tmp_path / "a.m2", "S a\n"), split=True)


def test_the_limit_counts_rows(tmp_path: Path) -> None:
    assert [row.text for row in rows(write(tmp_path / "a.txt", "a\nb\nc\n"), limit=2)] == ["a", "b"]


def test_an_unknown_ending_needs_a_format(tmp_path: Path) -> None:
    path = write(tmp_path / "a.dat", "Hi.\n")
    with pytest.raises(ValueError, match="--format"):
        rows(path)
    assert [row.text for row in rows(path, kind="txt")] == ["Hi."]


def test_a_table_without_a_header_line_is_no_table(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="empty"):
        rows(write(tmp_path / "a.csv", ""))


def test_the_identity_is_that_of_the_content(tmp_path: Path) -> None:
    def identity(content: str) -> object:
        path = write(tmp_path / "a.txt", content)
        return open_source(path, "a", None, Columns(), None, None).identity()

    assert identity("a") == identity("a") != identity("b")
