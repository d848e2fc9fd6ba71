from pathlib import Path
from typing import Any

import pytest

from tutor.grading.ledger import Ledger, LedgerError, Share, claimed, open_ledger, read_ledger
from tutor.grading.shard import Graded

IDENTITY: dict[str, Any] = {"input": {"sha256": "aa"}, "options": {"lang": "en"}, "shard_size": 10}
DONE = Graded(b'{"id":"1"}\n{"id":"2"}\n', b"", 1.5)


def begin(
    folder: Path, identity: dict[str, Any] = IDENTITY, *, rows: int = 25, restart: bool = False
) -> Ledger:
    return open_ledger(folder, identity, lambda: rows, restart=restart)


def test_a_shard_comes_back_as_it_was_put(tmp_path: Path) -> None:
    ledger = begin(tmp_path)
    assert [ledger.rows_of(shard) for shard in range(ledger.shards)] == [10, 10, 5]
    ledger.put(1, DONE)
    assert [ledger.has(shard) for shard in range(3)] == [False, True, False]
    assert ledger.missing() == 2
    assert ledger.read(1) == (1.5, [b'{"id":"1"}\n', b'{"id":"2"}\n'])


def test_rows_are_counted_once(tmp_path: Path) -> None:
    begin(tmp_path, rows=25)
    assert begin(tmp_path, rows=99).rows == 25


def test_a_run_with_other_input_model_or_options_is_refused_by_name(tmp_path: Path) -> None:
    begin(tmp_path).put(0, DONE)
    other = {"input": {"sha256": "bb"}, "options": {"lang": "es", "traces": True}, "shard_size": 1}
    told = "the input's content was aa, now bb; --lang was en, now es; --traces was none, now on; --shard-size was 10, now 1"
    with pytest.raises(LedgerError, match=rf"{told}\..*--restart"):
        begin(tmp_path, other)
    assert begin(tmp_path).has(0)
    assert not begin(tmp_path, other, restart=True).has(0)


@pytest.mark.parametrize("damage", [b"", b"{}\n", b"[1]\n", b"no json"])
def test_a_damaged_shard_is_named(tmp_path: Path, damage: bytes) -> None:
    ledger = begin(tmp_path)
    ledger.put(0, DONE)
    (path,) = (tmp_path / "shards").iterdir()
    for content in (damage, path.read_bytes()[:-1], path.read_bytes() + b"x"):
        path.write_bytes(content)
        with pytest.raises(LedgerError, match=f"{path.name}: damaged; delete it"):
            ledger.read(0)


def test_shards_of_another_folder_are_taken_over_if_it_is_the_same_run(tmp_path: Path) -> None:
    mine, theirs, strange = (
        begin(tmp_path / "mine"),
        begin(tmp_path / "theirs"),
        begin(tmp_path / "strange", IDENTITY | {"shard_size": 5}),
    )
    mine.put(0, DONE)
    theirs.put(0, Graded(b"other\n", b"", 1.0))
    theirs.put(2, Graded(b"x\n", b"trace\n", 2.0))
    mine.take(theirs)
    assert mine.read(0)[1] == DONE.lines.splitlines(keepends=True)
    assert mine.read(2) == (2.0, [b"x\n"])
    assert mine.trace_path(2).read_bytes() == b"trace\n"
    with pytest.raises(LedgerError, match="--shard-size was 5, now 10"):
        mine.take(strange)
    with pytest.raises(LedgerError, match="no ledger"):
        read_ledger(tmp_path)


def test_the_shares_are_a_partition() -> None:
    shares = [Share(number, 3) for number in (1, 2, 3)]
    assert [[shard in share for share in shares].count(True) for shard in range(20)] == [1] * 20
    assert all(shard in Share() for shard in range(20))


@pytest.mark.parametrize(
    ("first", "second", "both"),
    [
        (Share(), Share(), False),
        (Share(), Share(1, 2), False),
        (Share(1, 2), Share(), False),
        (Share(1, 2), Share(1, 2), False),
        (Share(1, 2), Share(2, 2), True),
    ],
)
def test_two_runs_share_a_folder_only_for_different_shares(
    tmp_path: Path, first: Share, second: Share, both: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tutor.grading.ledger._PATIENCE", 0.05)
    with claimed(tmp_path, first):
        if both:
            with claimed(tmp_path, second):
                pass
        else:
            with pytest.raises(LedgerError, match="another run"), claimed(tmp_path, second):
                pass
    with claimed(tmp_path, second):
        pass
