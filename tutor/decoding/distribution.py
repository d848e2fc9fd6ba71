"""What a mask does to the distribution of the next token, as a token record tells it."""

from __future__ import annotations

from typing import Any

import torch

from tutor.decoding.queries import TokenIds
from tutor.decoding.tokenizer import Tokenizer
from tutor.tracing.records import TokenProbability

_LEAST = -1e4  # the exponential is 0 from here on


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
    places = torch.from_numpy(allowed)
    open_ = torch.zeros(len(before), dtype=torch.bool).index_fill_(0, places, True)
    after = before[places]
    kept = after.logsumexp(0)

    def named(place: int) -> TokenProbability:
        text = tokenizer.decode_bytes([place]).decode("utf-8", "replace")
        return TokenProbability(place, text, float(before[place].exp()), bool(open_[place]))

    likeliest = tuple(map(named, before.topk(min(top, len(before))).indices.tolist()))
    others = [each for each in likeliest if each.token_id != token]
    blocked = next((each for each in others if not each.allowed), None)
    rival = next((each for each in others if each.allowed), None)
    # Each further look at the whole vocabulary takes as long as naming all of these.
    if blocked is None and len(allowed) < len(before):
        blocked = named(int(before.masked_fill(open_, -torch.inf).argmax()))
    if rival is None and len(allowed) > 1:
        rival = named(int(places[after.masked_fill(places == token, -torch.inf).argmax()]))
    return {
        "allowed": len(allowed),
        "logprob_before": float(before[token]),
        "logprob_after": float(before[token] - kept),
        "blocked_mass": max(0.0, 1.0 - float(kept.exp())),
        "entropy_before": _entropy(before),
        "entropy_after": _entropy(after - kept),
        "best_blocked": blocked,
        "best_rival": rival,
        "top": likeliest,
    }


def _entropy(log_probabilities: torch.Tensor) -> float:
    finite = log_probabilities.clamp(min=_LEAST)  # the logarithm of no probability times it is no number
    return max(0.0, -float(finite.exp().dot(finite)))
