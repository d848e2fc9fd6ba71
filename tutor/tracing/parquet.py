"""Tokens of traces as a Parquet table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from itertools import islice
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

from tutor.tracing.interventions import Row

_ROWS = 10_000
_TEXT, _NUMBER = pa.string(), pa.float64()
SCHEMA = pa.schema(
    [
        ("run", _TEXT), ("step", pa.int32()), ("tool", _TEXT), ("path", _TEXT), ("origin", _TEXT), ("joint", pa.bool_()),
        ("text", _TEXT), ("allowed", pa.int32()), ("logprob_before", _NUMBER), ("logprob_after", _NUMBER),
        ("blocked_mass", _NUMBER), ("entropy_before", _NUMBER), ("entropy_after", _NUMBER), ("mask_us", _NUMBER),
        ("forward_us", _NUMBER), ("refused", _TEXT), ("refused_probability", _NUMBER), ("cause", _TEXT), ("right", pa.bool_()),
    ]
)  # fmt: skip
"""The fields of `Row`."""


def write_parquet(rows: Iterable[Row], path: Path) -> int:
    """Write tokens into a Parquet file, a row each, and return how many there were.

    Parameters
    ----------
    rows : iterable of Row
        The tokens.
    path : Path
        File to write.
    """
    source, total = iter(rows), 0
    with parquet.ParquetWriter(path, SCHEMA) as writer:
        while block := [asdict(row) for row in islice(source, _ROWS)]:
            writer.write_table(pa.Table.from_pylist(block, SCHEMA))
            total += len(block)
    return total
