"""The stream of training examples: sentence pairs, with a whole run now and then, made in a process of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from tutor.decoding.tokenizer import Tokenizer
from tutor.planner.steps import ToolCall
from tutor.training.examples import Example, choice_example, policy_example

HELD_OUT = 1000  # rows at the head of each file that training never sees
_CHUNK = 512
_LONGEST_PAIR = 90
_LONGEST_TRACE = 220


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a JSONL file behind the held-out ones, over and over.

    Raises
    ------
    ValueError
        If there is none.
    """
    while True:
        line = None
        with path.open(encoding="utf-8") as lines:
            for line in islice(lines, HELD_OUT, None):
                yield json.loads(line)
        if line is None:
            raise ValueError(f"{path}: no row behind the {HELD_OUT} held-out ones; make more rows")


def _mixed(pairs: Path, traces: Path, pairs_per_trace: int) -> Iterator[dict[str, Any]]:
    trace = rows(traces)
    for count, row in enumerate(rows(pairs), start=1):
        yield {"source": row["source"], "target": row["target"]}
        if count % pairs_per_trace == 0:
            yield next(trace)


@cache
def _tokenizer(model: Path) -> Tokenizer:
    return Tokenizer(model)


def example(job: tuple[Path, dict[str, Any]]) -> Example | None:
    """Return the example of one row, or None for a row that has nothing to learn from or is too long."""
    model, row = job
    tokenizer = _tokenizer(model)
    if "steps" in row:
        calls = [ToolCall(**step) for step in row["steps"]]
        found, longest = policy_example(tokenizer, row["source"], row["target"], calls), _LONGEST_TRACE
    else:
        found, longest = choice_example(tokenizer, row["source"], row["target"]), _LONGEST_PAIR
    return found if found and found.decisions and len(found.ids) <= longest else None


def examples(
    model: Path, pairs: Path, traces: Path, *, pairs_per_trace: int, skip: int = 0
) -> Iterator[Example]:
    """Yield training examples without end.

    Parameters
    ----------
    model : Path
        Model folder, for its tokenizer.
    pairs, traces : Path
        JSONL files with ``source`` and ``target``; traces also with ``steps``, each of a ``tool`` and its ``args``.
    pairs_per_trace : int
        Pairs between two traces.
    skip : int
        Rows to leave out at the head, for a run that goes on.
    """
    jobs = ((model, row) for row in islice(_mixed(pairs, traces, pairs_per_trace), skip, None))
    with get_context("spawn").Pool(1) as pool:
        # In chunks, one ahead: imap would read an endless stream to its end.
        coming = pool.map_async(example, list(islice(jobs, _CHUNK)))
        while True:
            ready, coming = coming, pool.map_async(example, list(islice(jobs, _CHUNK)))
            yield from filter(None, ready.get())
