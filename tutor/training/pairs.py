"""Training pairs: clean sentences, about half of them broken, as JSON lines.

``python -m tutor.training.pairs --out pairs.jsonl --rows 120000 FILE...``
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from random import Random

from tutor.training.clauses import Doc, load_parser
from tutor.training.contexts import with_context
from tutor.training.errors import Broken, break_sentence
from tutor.training.grammar import generated
from tutor.training.holdout import is_held_out
from tutor.training.noise import expand_contractions
from tutor.training.sentences import clean_sentences, varied

_BATCH = 256
_OWN_SHARE = 0.25


def generate(paths: Iterable[Path], n: int, seed: int, *, broken: float = 0.95) -> Iterator[Broken]:
    """Yield training pairs, the same ones for the same seed.

    Parameters
    ----------
    paths : iterable of Path
        Files of clean sentences (see `sentences.read_sentences`).
    n : int
        How many; the sentences are gone through again, broken otherwise, when they do not suffice.
    seed : int
        Seed of all chance.
    broken : float
        Share of the sentences to break; some of these offer nothing to break and stay as they are.

    Raises
    ------
    ValueError
        If the files hold no sentence to train on.
    """
    rng = Random(seed)
    if not (sentences := clean_sentences(paths)):
        raise ValueError("the files hold no clean sentence; see tutor.training.sentences for their forms")
    return islice(_pairs(sentences, rng, broken), n)


def _pairs(sentences: list[str], rng: Random, broken: float) -> Iterator[Broken]:
    while True:
        stream = _mixed(varied(sentences, rng), generated(rng), rng)
        while batch := list(islice(stream, _BATCH)):
            for doc in _parsed(batch, rng):
                errors = rng.choices([1, 2, 3], [0.5, 0.33, 0.17])[0] if rng.random() < broken else 0
                pair = break_sentence(doc, rng, errors=errors, noise=rng.random() < 0.35)
                if not (is_held_out(pair.source) or is_held_out(pair.target)):
                    yield pair


def _mixed(written: Iterator[str], own: Iterator[str], rng: Random) -> Iterator[str]:
    for sentence in written:
        while rng.random() < _OWN_SHARE:
            yield next(own)
        yield sentence


def _parsed(batch: list[str], rng: Random) -> Iterator[Doc]:
    """Parse sentences; those that were given a context for their tense are parsed again."""
    parser = load_parser()
    texts = [expand_contractions(text) if rng.random() < 0.35 else text for text in batch]
    plain: list[Doc] = []
    changed: list[str] = []
    for doc in parser.pipe(texts, batch_size=_BATCH):
        context = with_context(doc, rng) if rng.random() < 0.6 else None
        plain.append(doc) if context is None else changed.append(context)
    docs = [*plain, *parser.pipe(changed, batch_size=_BATCH)]
    rng.shuffle(docs)
    yield from docs


def write_rows(rows: Iterable[Mapping[str, object]], path: Path) -> None:
    """Write objects as JSON lines; the file appears when it is complete."""
    part = path.with_suffix(path.suffix + ".part")
    with part.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    os.replace(part, path)


def main() -> None:
    """Write a file of training pairs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=120_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    try:
        pairs = generate(args.files, args.rows, args.seed)
        write_rows((dataclasses.asdict(pair) for pair in pairs), args.out)
    except (OSError, ValueError, RuntimeError) as error:
        parser.exit(1, f"{error}\n")


if __name__ == "__main__":
    main()
