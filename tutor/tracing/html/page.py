"""The page: template, style, script and data in one file that loads nothing."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Iterable, Iterator
from importlib.resources import files
from string import Template
from typing import Any, TextIO

from tutor.tracing.files import RunTrace
from tutor.tracing.html.columns import index_row, run_data

SCRIPTS = ("data.js", "runs.js", "filters.js", "lattice.js", "detail.js", "strip.js", "main.js")
PIECE = 1 << 18
"""Characters of data that one element of the page holds at most."""


def write_page(runs: Iterable[RunTrace], out: TextIO, title: str = "trace") -> int:
    """Write the page of some runs and return how many there were.

    Runs are written as they come, so that memory holds one of them at a time.

    Parameters
    ----------
    runs : iterable of RunTrace
        The runs, in the order of their list.
    out : text file
        Receives the page.
    title : str
        Title of the page, such as the name of the trace file.
    """
    style = _part("page.css")
    script = "(() => {\n" + "\n".join(['"use strict";', *map(_part, SCRIPTS)]) + "\n})();\n"
    template = Template(_part("page.html")).substitute(
        csp=_policy(style, script),
        title=html.escape(title),
        style=style,
        script=script,
        runs="\0",
        index="\0",
    )
    head, middle, tail = template.split("\0")
    rows = []
    out.write(head)
    for run in runs:
        data = run_data(run)
        rows.append(index_row(data))
        out.writelines(_blocks(_json(data)))
    out.write(middle + _json({"runs": rows}) + tail)
    return len(rows)


def _part(name: str) -> str:
    return files("tutor.tracing.html").joinpath(name).read_text("utf-8")


def _blocks(text: str) -> Iterator[str]:
    """Yield the elements that hold the data of a run: browsers take seconds for an element of many megabytes."""
    for start in range(0, len(text), PIECE):
        kind = "more" if start else "run"
        yield f'<script type="application/json" class="{kind}">{text[start : start + PIECE]}</script>\n'


def _json(value: Any) -> str:
    """Return JSON that no HTML parser can leave: without ``<`` no tag or comment begins in it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _policy(style: str, script: str) -> str:
    """Return a content security policy under which nothing runs or loads but this style and this script."""
    return (
        f"default-src 'none'; style-src '{_source(style)}'; script-src '{_source(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _source(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
