"""How likely a word is a verb where it stands: a logistic model over the words around it.

The weights lie in ``corpus/english/verb_context.tsv``. A score is a log-odds, 0 for even odds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from tutor.language.nouns import is_noun_or_adjective
from tutor.language.tokens import Token
from tutor.language.word_classes import closed_class, function_words, rows, shares

_UNLISTED_NOUN, _UNLISTED_VERB = 0.3, 0.97
_LOG_ODDS_LIMIT = 4.0
_AMBIGUOUS = (0.15, 0.85)
_CLAUSE_OPENERS = closed_class("subordinator") | closed_class("wh_word") | {"and", "but", "or"}
_AUXILIARIES = closed_class("be") | closed_class("have") | closed_class("do") | closed_class("modal")
_BETWEEN = closed_class("adverb") | closed_class("subject_pronoun") | {"you", "it", "to", "been"}
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
    if share is not None:
        verb = min(max(share.verb, 0.01), 0.99)
    else:
        verb = _UNLISTED_NOUN if is_noun_or_adjective(token.norm) else _UNLISTED_VERB
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
    missing = _missing_verbs(tokens, index)
    yield f"missing={missing}"
    yield f"missing,end={missing},{ending}"
    yield f"missing,p={missing},{before}"
    yield f"missing,n={missing},{after}"
    prior = round(prior_log_odds(token) / 2)
    yield f"prior,missing={prior},{missing}"
    yield f"prior,p={prior},{before}"
    yield f"prior,n={prior},{after}"
    if token.norm in ("'s", "'d", "that", "to", "like"):
        yield f"w,p={token.norm},{before}"
        yield f"w,n={token.norm},{after}"


def _missing_verbs(tokens: Sequence[Token], index: int) -> int:
    """Return how many clauses of the sentence have no sure verb but this word, from -2 to 2."""
    verbs, clauses, auxiliary = 0, 1, False
    for place, token in enumerate(tokens):
        if token.norm in _CLAUSE_OPENERS or token.text in ";:":
            clauses += 1
        if place == index:
            auxiliary = False
            continue
        sure = token.is_word and token.norm not in ("'s", "'d") and _is_sure_verb(tokens, place)
        verbs += sure and not auxiliary
        auxiliary = token.norm in _AUXILIARIES if sure else auxiliary and token.norm in _BETWEEN
    return max(-2, min(2, clauses - verbs))


def _is_sure_verb(tokens: Sequence[Token], place: int) -> bool:
    share = shares().get(tokens[place].norm)
    if tokens[place].norm in _AUXILIARIES:
        return True
    infinitive = place > 0 and tokens[place - 1].norm == "to"
    return (
        share is not None
        and share.verb > _AMBIGUOUS[1]
        and not infinitive
        and not tokens[place].norm.endswith("ing")
    )


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
    return {name: float(weight) for name, weight in rows("verb_context.tsv")}
