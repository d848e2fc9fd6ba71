"""Parquet files, read and written a piece at a time; pyarrow comes with the extra ``grade``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

_BATCH = 4096
_CHUNK, _GROUP = 512, 16
MISSING = "Parquet needs the extra 'grade': pip install 'tutor[grade]'"


def has_parquet() -> bool:
    """Return whether pyarrow is there."""
    return find_spec("pyarrow") is not None


def parquet_records(
    path: Path, among: Callable[[Sequence[str]], dict[str, str]]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows of a Parquet file with their numbers, by what their columns stand for.

    Parameters
    ----------
    path : Path
        The file.
    among : callable
        Tells which of the columns' names stands for what.

    Raises
    ------
    RuntimeError
        If pyarrow is missing.
    ValueError
        If the file is no Parquet file.
    """
    if not has_parquet():
        raise RuntimeError(f"{path.name}: {MISSING}")
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

    try:
        with ParquetFile(path) as file:
            columns = among(file.schema_arrow.names)
            number = 0
            for batch in file.iter_batches(_BATCH, columns=list(columns.values())):
                values = {role: _values(batch.column(name)) for role, name in columns.items()}
                for row in range(len(batch)):
                    number += 1
                    yield number, {role: column[row] for role, column in values.items()}
    except pa.ArrowException as error:
        raise ValueError(f"{path.name}: not a Parquet file that can be read: {error}") from error


def _values(column: Any) -> list[Any]:
    """Return the values of a column; bytes that are not UTF-8 spoil only the text that holds them."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        raw = column.cast(pa.large_binary()).to_pylist()
        return [value if value is None else value.decode("utf-8", "surrogateescape") for value in raw]
    return list(column.to_pylist())


def _schema() -> Any:
    import pyarrow as pa

    text, texts, whole = pa.string(), pa.list_(pa.string()), pa.int32()
    span = [("start", whole), ("end", whole)]
    edit = [*span, ("original", text), ("replacement", text), ("type", text), ("confidence", pa.float64())]
    issue = [*span, ("kind", text), ("message", text), ("suggestion", text)]
    step = [("number", whole), ("tool", text), ("args", text), ("observation", text), ("summary", text)]
    return pa.schema([
        ("id", text), ("learner", text), ("date", text), ("file", text), ("line", pa.int64()), ("references", texts),
        ("sentence", text), ("corrected", text), ("status", text), ("in_scope", pa.bool_()), ("rationale", texts),
        ("additional_issues", pa.list_(pa.struct(issue))), ("spanish_gloss", text),
        ("edits", pa.list_(pa.struct([*edit, ("step", whole)]))), ("steps", pa.list_(pa.struct(step))),
        ("stop_reason", text), ("message", text),
    ])  # fmt: skip


class ParquetSink:
    """Writes results as row groups of a few thousand rows; what a tool was asked and answered is JSON text.

    Rows that wait for their group to be full are kept as Arrow's, a few hundred at a time: as Python objects they take
    several times as much memory.

    Parameters
    ----------
    stream : binary file
        Where they go.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        from pyarrow.parquet import ParquetWriter

        self._schema = _schema()
        self._writer = ParquetWriter(stream, self._schema, compression="zstd")
        self._rows: list[dict[str, Any]] = []
        self._chunks: list[Any] = []

    def add(self, row: dict[str, Any]) -> None:
        """Take a row of the results."""
        steps = [
            step | {name: json.dumps(step[name], ensure_ascii=False) for name in ("args", "observation")}
            for step in row["steps"]
        ]
        self._rows.append(row | {"steps": steps})
        if len(self._rows) == _CHUNK:
            self._pack()
        if len(self._chunks) == _GROUP:
            self._flush()

    def _pack(self) -> None:
        import pyarrow as pa

        self._chunks.append(pa.Table.from_pylist(self._rows, self._schema))
        self._rows.clear()

    def _flush(self) -> None:
        import pyarrow as pa

        self._writer.write_table(pa.concat_tables(self._chunks))
        self._chunks.clear()

    def __enter__(self) -> Self:
        """Return the sink."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Write what is left and the footer."""
        if kind is None:
            self._pack()
            self._flush()
        self._writer.close()
