"""``tutor trace export``: a trace in the formats of other tools."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tutor.cli.trace import stream


class Format(StrEnum):
    """The formats."""

    otlp = "otlp"
    openinference = "openinference"
    perfetto = "perfetto"


def trace_export(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A file that --trace wrote.")],
    format: Annotated[
        Format,
        typer.Option(
            help="OpenTelemetry GenAI spans or OpenInference spans, both OTLP JSON, one line a run; "
            "or Chrome and Perfetto trace events."
        ),
    ],
    out: Annotated[
        Path, typer.Option(dir_okay=False, metavar="FILE", help="The file to write; - for standard output.")
    ],
) -> None:
    """Write a trace as spans for OpenTelemetry or Phoenix, or as a timeline for Perfetto."""
    from tutor.cli.output import written
    from tutor.tracing.exports.gen_ai import write_gen_ai
    from tutor.tracing.exports.openinference import write_openinference
    from tutor.tracing.exports.perfetto import write_perfetto

    writers = {
        Format.otlp: write_gen_ai,
        Format.openinference: write_openinference,
        Format.perfetto: write_perfetto,
    }
    with written(out) as text:
        writers[format](stream(file), text)
