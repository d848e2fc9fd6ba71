import zipfile
from pathlib import Path

import pytest

from tutor.grading.essays import digest, folder_rows

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def docx(path: Path, body: str) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "word/document.xml", f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
        )


def paragraph(inside: str) -> str:
    return f"<w:p>{inside}</w:p>"


def run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def test_essays_come_by_name_with_learner_and_paragraph(tmp_path: Path) -> None:
    (tmp_path / "bob.txt").write_text("I has.\n\nBye.\n")
    (tmp_path / "ana").mkdir()
    (tmp_path / "ana" / "first.txt").write_text("Hi.\n")
    (tmp_path / "ana" / "notes.pdf").write_text("no essay")
    (tmp_path / "~$open.docx").write_text("a lock file of Word")
    docx(tmp_path / "eve.docx", paragraph(run("He goed")))
    assert [(row.file, row.line, row.learner, row.text) for row in folder_rows(tmp_path)] == [
        ("ana/first.txt", 1, "ana", "Hi."),
        ("bob.txt", 1, "bob", "I has."),
        ("bob.txt", 3, "bob", "Bye."),
        ("eve.docx", 1, "eve", "He goed"),
    ]


def test_a_word_document_reads_as_with_all_changes_accepted(tmp_path: Path) -> None:
    changed = f"<w:del><w:r><w:delText>goed</w:delText></w:r></w:del><w:ins>{run('went')}</w:ins>"
    table = f"<w:tbl><w:tr><w:tc>{paragraph(run('cell'))}</w:tc></w:tr></w:tbl>"
    body = paragraph(run("He ") + changed + "<w:r><w:tab/></w:r>" + run("home &lt;b&gt;")) + table
    docx(tmp_path / "a.docx", body)
    assert [row.text for row in folder_rows(tmp_path)] == ["He went home <b>", "cell"]


def test_a_text_box_is_read_once(tmp_path: Path) -> None:
    box = f"<w:txbxContent>{paragraph(run('box'))}</w:txbxContent>"
    spare = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    both = f'<m:A xmlns:m="{spare}"><m:Choice>{box}</m:Choice><m:Fallback>{box}</m:Fallback></m:A>'
    docx(tmp_path / "a.docx", paragraph(run("before") + f"<w:r>{both}</w:r>"))
    assert [row.text for row in folder_rows(tmp_path)] == ["box", "before"]


@pytest.mark.parametrize("content", [b"no zip", b"PK\x05\x06" + b"\0" * 18])
def test_a_broken_word_document_is_one_bad_row(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.docx").write_bytes(content)
    (tmp_path / "b.txt").write_text("Hi.")
    bad, good = folder_rows(tmp_path)
    assert "not a Word document" in (bad.problem or "")
    assert good.text == "Hi."


def test_the_digest_tells_names_and_contents(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("a")
    first = digest(tmp_path)
    assert digest(tmp_path) == first
    path.write_text("b")
    second = digest(tmp_path)
    path.rename(tmp_path / "c.txt")
    assert len({first, second, digest(tmp_path)}) == 3


def test_a_folder_without_essays_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no \.txt"):
        digest(tmp_path)
