"""The figures that count: ours over theirs, and over what the machine can do."""

from __future__ import annotations

from typing import Any

Figures = dict[str, Any]
"""Figures as plain data for JSON."""


def ratios(figures: Figures) -> dict[str, float | None]:
    """Return the figures that count, from the others; None where what they need was not measured.

    Returns
    -------
    dict
        ``batch_vs_outlines_generate``
            Sentences a second in our best batch run, over those of the outlines baseline in its best run, be that one at a time
            or a batch.
        ``batch_vs_outlines_generate_alone``
            The same over the outlines baseline one at a time.
        ``latency_vs_outlines_generate``
            Median seconds a sentence of the outlines baseline one at a time, over ours for the same sentences.
        ``batch_vs_plain_generate``, ``batch_vs_plain_generate_alone``, ``latency_vs_plain_generate``
            The same against plain unmasked generation of as many tokens as our runs wrote.
        ``batch_vs_floor``
            Floor seconds over measured seconds of our best batch run, 0 to 1: the tokens that were run at the measured matmul
            rate, with whole-vocabulary logits where they are needed.
        ``latency_vs_floor``
            The same one at a time, each forward pass at least as long as reading the weights once.
    """
    best = max(figures["batch"], key=lambda entry: entry["sentences_per_s"], default=None)
    latency, found = figures["latency"], figures["baselines"]
    result: dict[str, float | None] = {
        "batch_vs_floor": best and best["floor_s"] / best["seconds"],
        "latency_vs_floor": latency["floor_s"] / latency["seconds"],
    }
    for name in ("outlines_generate", "plain_generate"):
        entry = found and found[name]
        result[f"batch_vs_{name}"] = (
            best["sentences_per_s"] / entry["best_sentences_per_s"] if best and entry else None
        )
        result[f"batch_vs_{name}_alone"] = (
            best["sentences_per_s"] / entry["alone"]["sentences_per_s"] if best and entry else None
        )
        result[f"latency_vs_{name}"] = entry["alone"]["p50_s"] / found["ours_alone_p50_s"] if entry else None
    return result
