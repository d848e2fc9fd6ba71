"""How likely a word is a verb where it stands: a logistic model over the words around it.

The weights lie in ``corpus/english/verb_context.tsv``. A score is a log-odds, 0 for even odds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from tutor.language.tokens import Token
from tutor.language.word_classes import function_words, shares
from tutor.paths import corpus_dir

_UNKNOWN_PRIOR = 0.5
_LOG_ODDS_LIMIT = 4.0
_AMBIGUOUS = (0.15, 0.85)
_START, _END = "<", ">"


def verb_log_odds(tokens: Sequence[Token], index: int) -> float:
    """Return the log-odds that a form which can be a verb is one at this place.

    Parameters
    ----------
    tokens : sequence of Token
        The sentence.
    index : int
        Position of the form.

    Returns
    -------
    float
        Positive: rather a verb.
    """
    weights = _weights()
    prior = prior_log_odds(tokens[index])
    return prior * weights["prior"] + sum(weights.get(name, 0.0) for name in features(tokens, index))


def prior_log_odds(token: Token) -> float:
    """Return the log-odds of a verb for a form out of context, at most 4 either way."""
    share = shares().get(token.norm)
    verb = _UNKNOWN_PRIOR if share is None else min(max(share.verb, 0.01), 0.99)
    return max(-_LOG_ODDS_LIMIT, min(_LOG_ODDS_LIMIT, math.log(verb / (1 - verb))))


def features(tokens: Sequence[Token], index: int) -> Iterator[str]:
    """Yield the names of the features that hold for the word at a place."""
    token = tokens[index]
    ending = _ending(token.norm)
    before, before_2 = _symbol(tokens, index - 1), _symbol(tokens, index - 2)
    after, after_2 = _symbol(tokens, index + 1), _symbol(tokens, index + 2)
    yield "bias"
    yield f"end={ending}"
    if token.norm not in shares():
        yield f"rare={ending}"
    if token.text[0].isupper() and index > 0:
        yield "capital"
    yield f"p={before}"
    yield f"pp={before_2}"
    yield f"n={after}"
    yield f"nn={after_2}"
    yield f"p,end={before},{ending}"
    yield f"n,end={after},{ending}"
    yield f"p,n={before},{after}"
    yield f"pp,p={before_2},{before}"
    if token.norm in ("'s", "'d", "that", "to", "like"):
        yield f"w,p={token.norm},{before}"
        yield f"w,n={token.norm},{after}"


def _ending(norm: str) -> str:
    if norm in function_words() or norm.startswith("'"):
        return norm
    return next(
        (end for end in ("ing", "ed", "en", "s") if norm.endswith(end) and len(norm) > len(end) + 1), "0"
    )


def _symbol(tokens: Sequence[Token], index: int) -> str:
    if index < 0 or index >= len(tokens):
        return _START if index < 0 else _END
    token = tokens[index]
    if token.norm in function_words():
        return token.norm
    if not token.is_word:
        return "#" if token.text[0].isdigit() else token.text[0]
    return _open_class(token, first=index == 0)


def _open_class(token: Token, *, first: bool) -> str:
    share = shares().get(token.norm)
    if share is None:
        if token.text[0].isupper() and not first:
            return "Name"
        return "Adv" if token.norm.endswith("ly") else "Noun"
    if _AMBIGUOUS[0] < share.verb < _AMBIGUOUS[1]:
        return "Noun/Verb"
    names = {"Verb": share.verb, "Noun": share.noun, "Adj": share.adjective, "Adv": share.adverb}
    kind = max(names, key=names.__getitem__)
    return f"Verb{_ending(token.norm)}" if kind == "Verb" else kind


@cache
def _weights() -> Mapping[str, float]:
    text = (corpus_dir() / "english" / "verb_context.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return {name: float(weight) for name, weight in rows}
