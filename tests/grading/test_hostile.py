import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.grading import hostile
from tests.grading.quick import plan
from tests.grading.test_run import quietly, results
from tutor.grading.tables import comma_separated


@pytest.mark.parametrize(("name", "write"), [("a.csv", hostile.write_csv), ("a.jsonl", hostile.write_json)])
def test_every_hostile_row_is_accounted_for_and_spoils_no_other(
    tmp_path: Path, name: str, write: Callable[..., list[bool]]
) -> None:
    fine = write(tmp_path / name, 200)
    quietly(plan(tmp_path / name, tmp_path / "out", shard_size=64))
    found = results(tmp_path / "out")
    assert [row["status"] != "error" for row in found] == fine
    if name == "a.csv":
        assert [row["id"] for row in found] == [str(number) for number in range(200)]
    opened = (tmp_path / "out" / "results.csv").read_text(encoding="utf-8-sig")
    cells = list(csv.reader(io.StringIO(opened, newline="")))
    assert len(cells) == 201
    assert not [cell for row in cells for cell in row if cell.startswith(tuple("=+-@\t\r\n"))]


def test_a_quote_that_is_never_closed_is_looked_for_once() -> None:
    lines = ["text\n", '"open\n', *(f"row {number}\n" for number in range(20_000))]
    records = list(comma_separated(lines))
    assert len(records) == len(lines)
    assert [number for number, _, problem in records if problem] == [2]
