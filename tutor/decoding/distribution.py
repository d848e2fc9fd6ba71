"""What a mask does to the distribution of the next token, as a token record tells it."""

from __future__ import annotations

from typing import Any

import torch

from tutor.decoding.queries import TokenIds
from tutor.decoding.tokenizer import Tokenizer
from tutor.tracing.records import TokenProbability


def distribution(
    tokenizer: Tokenizer, logits: torch.Tensor, allowed: TokenIds, token: int, top: int
) -> dict[str, Any]:
    """Return the fields of a `TokenRecord` that compare the distribution before and after the mask.

    Parameters
    ----------
    tokenizer : Tokenizer
        The model's tokenizer.
    logits : float32 tensor, shape (vocabulary,)
        The model's logits at the point of the sampler chain that is recorded.
    allowed : array of int
        The tokens that the mask allowed.
    token : int
        The one that was taken.
    top : int
        Number of likeliest tokens to name.
    """
    before = logits[: tokenizer.size].log_softmax(0)  # a head may have rows that stand for no token
    open_ = torch.zeros(len(before), dtype=torch.bool)
    open_[torch.from_numpy(allowed)] = True
    after = before[open_]
    kept = after.logsumexp(0)

    def named(index: torch.Tensor) -> TokenProbability:
        place = int(index)
        text = tokenizer.decode_bytes([place]).decode("utf-8", "replace")
        return TokenProbability(place, text, float(before[place].exp()), bool(open_[place]))

    rivals = before.masked_fill(~open_, -torch.inf)
    rivals[token] = -torch.inf
    return {
        "allowed": len(allowed),
        "logprob_before": float(before[token]),
        "logprob_after": float(before[token] - kept),
        "blocked_mass": max(0.0, 1.0 - float(kept.exp())),
        "entropy_before": _entropy(before),
        "entropy_after": _entropy(after - kept),
        "best_blocked": None if bool(open_.all()) else named(before.masked_fill(open_, -torch.inf).argmax()),
        "best_rival": named(rivals.argmax()) if len(allowed) > 1 else None,
        "top": tuple(named(index) for index in before.topk(min(top, len(before))).indices),
    }


def _entropy(log_probabilities: torch.Tensor) -> float:
    return max(0.0, -float((log_probabilities.exp() * log_probabilities).nansum()))
