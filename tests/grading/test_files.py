from pathlib import Path

import pytest

from tutor.grading.files import replacing


@pytest.mark.parametrize(("name", "named"), [("gone/x.html", "gone"), ("file/x.html", "file/x.html")])
def test_a_file_that_cannot_be_begun_is_not_told_by_its_temporary_name(
    tmp_path: Path, name: str, named: str
) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OSError, match=r"No such|Not a dir") as failed, replacing(tmp_path / name):
        pass
    assert failed.value.filename == str(tmp_path / named)
