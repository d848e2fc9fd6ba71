import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from tests.grading.quick import corrected
from tutor.grading.spreadsheet import COLUMNS, CsvSink, safe

STARTS = st.sampled_from(["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
PLACE = {"id": "1", "learner": None, "date": None, "file": "a.txt", "line": 3}


def written(**place: object) -> list[list[str]]:
    stream = io.BytesIO()
    sink = CsvSink(stream)
    sink.add(PLACE | corrected("He goed.").model_dump(mode="json") | place)
    return list(csv.reader(io.StringIO(stream.getvalue().decode("utf-8-sig"), newline="")))


@given(STARTS, st.text(max_size=20))
def test_no_cell_is_a_formula(start: str, rest: str) -> None:
    assert str(safe(start + rest)).startswith("'")
    if not start.isspace():
        assert str(safe(f" \u00a0{start}{rest}")).startswith("'")


@given(
    st.characters(exclude_categories=["Cs"]), st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
)
def test_cells_come_back_but_for_the_apostrophe(first: str, rest: str) -> None:
    _, cells = written(sentence=first + rest)
    assert cells[COLUMNS.index("sentence")].removeprefix("'") == (first + rest).removeprefix("'").replace(
        "\0", "␀"
    )
    assert len(cells) == len(COLUMNS)


def test_a_row_says_what_changed_and_why() -> None:
    header, cells = written()
    row = dict(zip(header, cells, strict=True))
    assert row["corrected"] == "He went."
    assert row["changes"] == "goed → went (R:VERB:INFL, 90%)"
    assert row["reasons"] == 'Step 1: "went" is the past simple of "go".'
    assert row["line"] == "3"
    assert row["learner"] == ""
