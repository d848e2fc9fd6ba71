"""Text files of unknown encoding, surveyed and read in constant memory."""

from __future__ import annotations

import codecs
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LONGEST = 1 << 24
"""Characters of a line, or of a quoted cell, that are kept."""
_CHUNK = 1 << 20
_DOUBT = 10
"""Bytes that are wrong as UTF-8 for each character that is right, up to which a file still counts as UTF-8: in Latin-1 there
is next to nothing that happens to be right, and to call a row bad is better than to garble it."""
_UNREADABLE = "\udcff"
_MARKED = "tutor-marked"
_BOMS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}

LATIN = "cp1252"
"""Latin-1 as it is met in files: with the curly quotes of Windows."""


def _mark(error: UnicodeError) -> tuple[str, int]:
    """Put half of a surrogate pair in the place of what cannot be decoded, so that only its row is lost."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return _UNREADABLE, error.end


codecs.register_error(_MARKED, _mark)


@dataclass(frozen=True, slots=True)
class Survey:
    """What one pass over the bytes of a file tells.

    Attributes
    ----------
    sha256 : str
        Digest of the bytes.
    encoding : str
        The codec by which to read it: ``utf-8-sig`` (the mark at the beginning is optional), a UTF-16, or ``cp1252``
        for a file in which next to nothing but ASCII is right as UTF-8.
    """

    sha256: str
    encoding: str


def survey(path: Path) -> Survey:
    """Digest a file and find its encoding."""
    digest, decoder = hashlib.sha256(), codecs.getincrementaldecoder("utf-8")(_MARKED)
    bad = good = 0
    with path.open("rb") as stream:
        wide = _wide(stream.read(_CHUNK))
        stream.seek(0)
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
            text = decoder.decode(chunk)
            if not text.isascii():
                unreadable = text.count(_UNREADABLE)
                bad += unreadable
                good += len(text) - len(text.encode("ascii", "ignore")) - unreadable
    return Survey(digest.hexdigest(), wide or (LATIN if bad > _DOUBT * good else "utf-8-sig"))


def _wide(head: bytes) -> str | None:
    """Return the UTF-16 that a file begins with, by its mark or by every other byte being zero."""
    for mark, encoding in _BOMS.items():
        if head.startswith(mark):
            return encoding
    for encoding, high in (("utf-16-le", head[1::2]), ("utf-16-be", head[::2])):
        if 2 * high.count(0) > len(high):
            return encoding
    return None


def lines(path: Path, encoding: str) -> Iterator[str]:
    """Yield the lines of a file with their ends; of a line beyond 16 million characters, the beginning.

    What cannot be decoded is half of a surrogate pair in the line.
    """
    with path.open(encoding=encoding, errors=_MARKED, newline="") as stream:
        while line := stream.readline(LONGEST):
            rest = line
            while len(rest) == LONGEST and rest[-1] not in "\r\n":
                rest = stream.readline(LONGEST)
            yield line
