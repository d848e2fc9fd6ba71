"""A folder of essays: text files and Word documents, a paragraph a row."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from tutor.grading.encoding import lines, survey
from tutor.grading.rows import Row

KINDS = (".txt", ".docx")
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_PART = "word/document.xml"
_LARGEST = 1 << 27


def essays(folder: Path) -> list[Path]:
    """Return the essays of a folder and its subfolders, by name.

    Raises
    ------
    ValueError
        If there is none.
    """
    found = [path for path in folder.rglob("*") if path.suffix.lower() in KINDS and path.is_file()]
    wanted = sorted(path for path in found if not path.name.startswith((".", "~$")))
    if not wanted:
        raise ValueError(f"{folder}: no .txt and no .docx file in it")
    return wanted


def digest(folder: Path) -> str:
    """Return the digest of the names and contents of a folder's essays."""
    total = hashlib.sha256()
    for path in essays(folder):
        name = path.relative_to(folder).as_posix()
        total.update(f"{survey(path).sha256}  {name}\n".encode("utf-8", "surrogateescape"))
    return total.hexdigest()


def folder_rows(folder: Path) -> Iterator[Row]:
    """Yield the paragraphs of every essay; the learner is the subfolder, or else the name of the file."""
    for path in essays(folder):
        place = path.relative_to(folder)
        yield from essay_rows(path, place.as_posix(), place.parts[0] if len(place.parts) > 1 else path.stem)


def essay_rows(path: Path, name: str, learner: str | None) -> Iterator[Row]:
    """Yield the paragraphs of one essay that are not blank."""
    try:
        for number, text in enumerate(_paragraphs(path), start=1):
            if text.strip():
                yield Row(name, number, text, id=f"{name}:{number}", learner=learner)
    except (zipfile.BadZipFile, KeyError, ElementTree.ParseError, ValueError) as error:
        yield Row(name, 1, "", id=f"{name}:1", learner=learner, problem=f"not a Word document: {error}")


def _paragraphs(path: Path) -> Iterator[str]:
    if path.suffix.lower() == ".docx":
        return _word_paragraphs(path)
    return (line.rstrip("\r\n") for line in lines(path, survey(path).encoding))


def _word_paragraphs(path: Path) -> Iterator[str]:
    """Yield the paragraphs of a Word document as it reads with all changes accepted."""
    with zipfile.ZipFile(path) as archive:
        if archive.getinfo(_PART).file_size > _LARGEST:
            raise ValueError(f"its text takes more than {_LARGEST >> 20} MiB")
        with archive.open(_PART) as stream:
            spare = False  # Word writes text boxes twice, once for older programs
            for event, element in ElementTree.iterparse(stream, ("start", "end")):
                if element.tag == _FALLBACK:
                    spare = event == "start"
                elif element.tag == f"{_WORD}p" and event == "end":
                    if not spare:
                        yield "".join(_pieces(element))
                    element.clear()


def _pieces(paragraph: ElementTree.Element) -> Iterator[str]:
    for element in paragraph.iter():
        if element.tag == f"{_WORD}t":
            yield element.text or ""
        elif element.tag in (f"{_WORD}tab", f"{_WORD}br", f"{_WORD}cr"):
            yield " "
