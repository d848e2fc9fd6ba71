import io
import json
from pathlib import Path

import pytest

from tests.grading.quick import corrected, plan
from tests.grading.test_run import quietly, results
from tutor.grading import parquet
from tutor.grading.parquet import ParquetSink, parquet_records

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

PLACE = {"id": "1", "learner": None, "date": None, "file": "a", "line": 1}


def test_results_come_back_from_parquet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "_CHUNK", 2)
    monkeypatch.setattr(parquet, "_GROUP", 2)
    rows = [PLACE | corrected(f"He goed {n}.").model_dump(mode="json", exclude={"timing"}) for n in range(10)]
    rows[3]["references"] = ["He went."]
    stream = io.BytesIO()
    with ParquetSink(stream) as sink:
        for row in rows:
            sink.add(row)
    file = pq.ParquetFile(io.BytesIO(stream.getvalue()))
    assert file.num_row_groups == 3
    for row, back in zip(rows, file.read().to_pylist(), strict=True):
        for step in back["steps"]:
            step["args"], step["observation"] = json.loads(step["args"]), json.loads(step["observation"])
        assert back == {"references": None} | row


def test_a_parquet_file_is_graded_row_by_row(tmp_path: Path) -> None:
    text = pa.array([b"He goed.", b"broken \xff", None, b"Yes."]).cast(pa.binary())
    text = pa.Array.from_buffers(pa.string(), len(text), text.buffers(), null_count=1)
    learner = pa.array(["ana", "bob", "bob", "ana"]).dictionary_encode()
    pq.write_table(pa.table({"Text": text, "student": learner, "id": [5, 6, 7, 8]}), tmp_path / "a.parquet")
    quietly(plan(tmp_path / "a.parquet", tmp_path / "out"))
    found = results(tmp_path / "out")
    assert [(row["id"], row["line"], row["learner"]) for row in found] == [
        ("5", 1, "ana"), ("6", 2, "bob"), ("7", 3, "bob"), ("8", 4, "ana"),
    ]  # fmt: skip
    assert [row["status"] for row in found] == ["corrected", "error", "error", "unchanged"]


def test_a_file_that_is_no_parquet_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(b"PAR1 nonsense")
    with pytest.raises(ValueError, match=r"a\.parquet: not a Parquet file"):
        list(parquet_records(tmp_path / "a.parquet", lambda names: {}))


def test_without_pyarrow_reading_names_the_extra_and_writing_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.grading.quick import Heard
    from tutor.grading.run import run

    monkeypatch.setattr(parquet, "find_spec", lambda name: None)
    with pytest.raises(RuntimeError, match=r"pip install 'tutor\[grade\]'"):
        list(parquet_records(tmp_path / "a.parquet", lambda names: {}))
    (tmp_path / "a.txt").write_text("He goed.\n")
    heard = Heard()
    run(plan(tmp_path / "a.txt", tmp_path / "out"), heard)
    assert any("tutor[grade]" in note for note in heard.notes)
    assert not (tmp_path / "out" / "results.parquet").exists()
