"""The file that ``--out`` names, or standard output for ``-``."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


@contextmanager
def written(out: Path) -> Iterator[TextIO]:
    """Open a text file that takes its place when the block ends without an error; ``-`` is standard output."""
    if str(out) == "-":
        yield sys.stdout
        return
    from tutor.grading.files import replacing

    with replacing(out) as stream:
        text = io.TextIOWrapper(stream, "utf-8", newline="\n")
        yield text
        text.flush()
        text.detach()  # the stream is closed by the one who opened it
