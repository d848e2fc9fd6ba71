from pathlib import Path

import pytest

from tutor.grading import encoding
from tutor.grading.encoding import lines, survey


def read(path: Path, content: bytes) -> tuple[str, list[str]]:
    path.write_bytes(content)
    found = survey(path).encoding
    return found, list(lines(path, found))


@pytest.mark.parametrize(
    ("codec", "found"),
    [
        ("utf-8", "utf-8-sig"),
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", "utf-16"),
        ("utf-16-le", "utf-16-le"),
        ("utf-16-be", "utf-16-be"),
        ("cp1252", "cp1252"),
    ],
)
def test_the_encoding_is_found_and_the_text_comes_back(tmp_path: Path, codec: str, found: str) -> None:
    text = "El niño “comió” más.\nÉl fue a la escuela.\n"
    assert read(tmp_path / "a", text.encode(codec)) == (found, text.splitlines(keepends=True))


def test_a_few_broken_bytes_spoil_their_line_only(tmp_path: Path) -> None:
    found, (first, second) = read(tmp_path / "a", "niño ñandú é\n".encode() + b"a\xff\xfeb\n")
    assert found == "utf-8-sig"
    assert first == "niño ñandú é\n"
    with pytest.raises(UnicodeEncodeError):
        second.encode()


def test_half_a_character_at_the_end_is_seen(tmp_path: Path) -> None:
    for content in ("ñé".encode() + b"\xc3", "ñé".encode("utf-16") + b"a"):
        _, found = read(tmp_path / "a", content)
        with pytest.raises(UnicodeEncodeError):
            "".join(found).encode()


def test_zeros_do_not_make_it_utf_16(tmp_path: Path) -> None:
    assert read(tmp_path / "a", b"a\0b\nc\n") == ("utf-8-sig", ["a\0b\n", "c\n"])


def test_of_an_endless_line_the_beginning_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding, "LONGEST", 10)
    _, found = read(tmp_path / "a", b"x" * 95 + b"\nshort\n")
    assert found == ["x" * 10, "short\n"]


def test_the_digest_is_that_of_the_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"abc")
    assert survey(path).sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
