"""``tutor trace html``: a trace as one page for a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tutor.cli.trace import stream


def trace_html(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A file that --trace wrote.")],
    out: Annotated[
        Path,
        typer.Option(dir_okay=False, metavar="PAGE.html", help="The page to write; - for standard output."),
    ],
) -> None:
    """Write one self-contained page: runs, steps, each token under the mask, the choices; it loads nothing."""
    from tutor.cli.output import written
    from tutor.tracing.html import write_page

    with written(out) as page:
        write_page(stream(file), page, file.name)
