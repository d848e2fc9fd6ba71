"""Attributes of our own, under ``tutor.``: what the conventions of others have no name for."""

from __future__ import annotations

import math
from statistics import fmean
from typing import Any

from tutor.tracing.files import RunTrace, StepTrace
from tutor.tracing.records import TokenRecord

Attributes = dict[str, Any]
"""Attributes by name; those that are None are left out."""


def run_attributes(run: RunTrace) -> Attributes:
    """Return what a run is and how it ended, under names of our own."""
    final = run.final
    return {
        "tutor.sentence_id": run.header.sentence_id,
        "tutor.schema_version": run.header.schema_version,
        "tutor.model.sha256": run.header.model.sha256,
        "tutor.prompt.sha256": run.header.prompt_sha256,
        "tutor.sampler_position": run.header.sampler_position,
        "tutor.status": final.status if final else None,
        "tutor.stop_reason": final.stop_reason if final else None,
        "tutor.corrected": final.correction.get("corrected") if final else None,
    }


def step_attributes(step: StepTrace) -> Attributes:
    """Return what a step cost and what the mask took from it, under names of our own."""
    blocked = [token.blocked_mass for token in step.tokens if token.blocked_mass is not None]
    record = step.step
    return {
        "tutor.step.number": step.number,
        "tutor.step.decided": record.decided if record else None,
        "tutor.step.forced": record.forced if record else None,
        "tutor.step.prompt_sha256": record.prompt_sha256 if record else None,
        "tutor.step.schema_sha256": record.schema_sha256 if record else None,
        "tutor.mask.blocked_mass": fmean(blocked) if blocked else None,
        "tutor.mask.seconds": sum(token.mask_us or 0 for token in step.tokens) / 1e6,
        "tutor.forward.seconds": sum(token.forward_us or 0 for token in step.tokens) / 1e6,
    }


def token_attributes(token: TokenRecord) -> Attributes:
    """Return what the mask did at a token, under names of our own."""
    best = token.best_blocked
    return {
        "tutor.token.id": token.token_id,
        "tutor.token.text": token.text,
        "tutor.token.path": token.path,
        "tutor.token.origin": token.origin,
        "tutor.token.allowed": token.allowed,
        "tutor.token.logprob_before": _finite(token.logprob_before),
        "tutor.token.logprob_after": _finite(token.logprob_after),
        "tutor.token.blocked_mass": token.blocked_mass,
        "tutor.token.best_blocked.text": best.text if best else None,
        "tutor.token.best_blocked.probability": best.probability if best else None,
    }


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
