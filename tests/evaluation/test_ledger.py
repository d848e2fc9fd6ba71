from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from pydantic import BaseModel

from tutor.evaluation.ledger import Ledger, NamedItem, named_items
from tutor.evaluation.readers import Item

ITEMS: list[NamedItem] = [
    (name, Item(text, (text,))) for name in ("a", "b") for text in ("One.", "Two.", "Three.")
]


class Length(BaseModel):
    set: str
    source: str
    length: int


class Worker:
    """Measures sentences and remembers which."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def __call__(self, items: Sequence[NamedItem]) -> Iterator[Length]:
        for name, item in items:
            self.done.append(name + item.source)
            yield Length(set=name, source=item.source, length=len(item.source))


def test_an_interrupted_job_goes_on_with_the_rest_and_ends_with_the_same_rows(tmp_path: Path) -> None:
    whole, path = Ledger(None, Length), tmp_path / "rows.jsonl"
    list(whole.fill(ITEMS, Worker()))
    first = Ledger(path, Length).fill(ITEMS[::-1], Worker())
    for _ in range(2):
        next(first)
    path.write_bytes(path.read_bytes() + b'{"set": "a", "sou')  # killed within a line
    later, worker = Ledger(path, Length), Worker()
    assert later.missing(ITEMS) == 4
    list(later.fill(ITEMS, worker))
    assert worker.done == [name + item.source for name, item in ITEMS[:4]]
    assert later.rows(ITEMS) == Ledger(path, Length).rows(ITEMS) == whole.rows(ITEMS)


def test_a_line_of_another_job_is_named(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"set": "a", "source": "One.", "length": 4}\n{"set": "a"}\n')
    with pytest.raises(ValueError, match=r"rows\.jsonl: line 2"):
        Ledger(path, Length)


def test_a_larger_sample_holds_the_smaller_one_and_targets_are_a_set_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "own.tsv"
    path.write_text("source\ttarget\n" + "".join(f"He go {i}.\tHe goes {i // 2}.\n" for i in range(9)))
    few, more = ({item.source for _, item in named_items([path], size)} for size in (3, 6))
    assert len(few) == 3
    assert few < more
    both = named_items([path], with_targets=True)
    assert [name for name, _ in both] == ["own"] * 9 + ["own_targets"] * 5
    assert all(item.is_correct for name, item in both if name == "own_targets")


def test_two_files_of_one_name_cannot_be_told_apart(tmp_path: Path) -> None:
    for name in ("own.tsv", "own.jsonl"):
        (tmp_path / name).write_text("source\ttarget\n" if name.endswith("tsv") else "")
    with pytest.raises(ValueError, match="named own"):
        named_items([tmp_path / "own.tsv", tmp_path / "own.jsonl"])
