from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.serving.fakes import HeldTutor, unchanged
from tutor.agent.tutor import Options
from tutor.serving.desk import Desk

EN, ES = Options(), Options(lang="es")


@contextmanager
def opened(tutor: HeldTutor) -> Iterator[Desk]:
    desk = Desk(lambda: tutor)
    desk.open()
    desk.loaded.result(20)
    try:
        yield desk
    finally:
        tutor.go.set()
        desk.close()


def test_answers_belong_to_their_sentences() -> None:
    with opened(HeldTutor()) as desk:
        futures = desk.submit([f"{i}." for i in range(50)], EN)
        assert [future.result(20) for future in futures] == [unchanged(f"{i}.") for i in range(50)]


def test_sentences_that_come_in_meanwhile_join_the_batch() -> None:
    tutor = HeldTutor(held=True)
    with opened(tutor) as desk:
        futures = desk.submit(["a"], EN)
        assert tutor.begun.wait(20)
        futures += desk.submit(["b", "c"], EN)
        tutor.go.set()
        assert [future.result(20).sentence for future in futures] == ["a", "b", "c"]
    assert tutor.batches == [(EN, ["a", "b", "c"])]


def test_other_options_wait_for_their_turn_and_let_nobody_pass() -> None:
    tutor = HeldTutor(held=True)
    with opened(tutor) as desk:
        futures = desk.submit(["a"], EN)
        assert tutor.begun.wait(20)
        for sentence, options in (("b", ES), ("c", EN), ("d", EN)):
            futures += desk.submit([sentence], options)
        tutor.go.set()
        for future in futures:
            future.result(20)
    assert tutor.batches == [(EN, ["a"]), (ES, ["b"]), (EN, ["c", "d"])]


def test_a_sentence_that_was_cancelled_while_it_waited_is_skipped() -> None:
    tutor = HeldTutor(held=True)
    with opened(tutor) as desk:
        first = desk.submit(["a"], EN)
        assert tutor.begun.wait(20)
        cancelled, last = desk.submit(["b", "c"], EN)
        assert cancelled.cancel()
        tutor.go.set()
        assert last.result(20) == unchanged("c")
        assert first[0].done()
    assert tutor.batches == [(EN, ["a", "c"])]


def test_a_failure_is_that_of_its_own_sentence_and_the_desk_goes_on() -> None:
    with opened(HeldTutor()) as desk:
        good, bad, better = desk.submit(["a", "fail", "b"], EN)
        assert (good.result(20), better.result(20)) == (unchanged("a"), unchanged("b"))
        with pytest.raises(RuntimeError, match="failed"):
            bad.result(20)
        assert desk.submit(["c"], EN)[0].result(20) == unchanged("c")


def test_closing_finishes_what_is_under_way_and_drops_what_waits() -> None:
    tutor = HeldTutor(held=True)
    with opened(tutor) as desk:
        (first,) = desk.submit(["a"], EN)
        assert tutor.begun.wait(20)
        (waiting,) = desk.submit(["b"], ES)
    assert first.result(0) == unchanged("a")
    assert waiting.cancelled()


def test_a_tutor_that_cannot_be_loaded_is_told() -> None:
    def load() -> HeldTutor:
        raise OSError("no weights")

    desk = Desk(load)
    assert not desk.is_ready
    desk.open()
    with pytest.raises(OSError, match="no weights"):
        desk.loaded.result(20)
    assert not desk.is_ready
    desk.close()
