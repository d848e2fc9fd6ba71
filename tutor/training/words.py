"""The word lists of `corpus/training/words.toml`."""

from __future__ import annotations

import tomllib
from functools import cache

from tutor.paths import corpus_dir


@cache
def _lists() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads((corpus_dir() / "training" / "words.toml").read_text(encoding="utf-8"))


def words(name: str) -> frozenset[str]:
    """Return a set of words, for look-up."""
    return frozenset(_lists()["words"][name])


def phrases(name: str) -> list[str]:
    """Return a list of phrases, to draw from."""
    return _lists()["phrases"][name]
