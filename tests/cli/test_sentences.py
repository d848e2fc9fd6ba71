import io
import sys
from collections.abc import Iterator

import pytest

from tutor.cli.sentences import read_sentences


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    def feed(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return feed


def test_arguments_come_as_they_are(pipe) -> None:
    pipe(b"not read")
    assert list(read_sentences(["He goed.", "", "  spaced "])) == ["He goed.", "", "  spaced "]


def test_without_arguments_each_line_of_the_pipe_is_a_sentence(pipe) -> None:
    pipe(b"One.\n\n \t\nTwo.\r\nThree without end")
    assert list(read_sentences([])) == ["One.", "Two.", "Three without end"]


def test_a_dash_stands_for_the_pipe_in_its_place(pipe) -> None:
    pipe(b"b\nc\n")
    assert list(read_sentences(["a", "-", "d"])) == ["a", "b", "c", "d"]


def test_bytes_that_are_no_text_are_replaced(pipe) -> None:
    pipe(b"\xef\xbb\xbfHe \xff goed.\n\xf0\x9f\x98\x80\n")
    assert list(read_sentences([])) == ["He \ufffd goed.", "\N{GRINNING FACE}"]
    assert list(read_sentences(["He \udcff goed."])) == ["He \ufffd goed."]


def test_a_line_is_there_before_the_next_one_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(io.RawIOBase):
        asked = 0

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: bytearray) -> int:
            self.asked += 1
            assert self.asked == 1, "read ahead of the first answer"
            buffer[:6] = b"first\n"
            return 6

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Slow())))
    assert next(read_sentences([])) == "first"
