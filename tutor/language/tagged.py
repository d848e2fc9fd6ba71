"""A sentence with the words marked that are read as verbs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from tutor.language.morphology import learner_lemmas, lemmas
from tutor.language.nouns import is_noun
from tutor.language.selection import selection_log_odds
from tutor.language.tokens import Token
from tutor.language.verb_likelihood import verb_log_odds
from tutor.language.word_classes import closed_class, shares

BE, HAVE, DO, MODAL = (closed_class(name) for name in ("be", "have", "do", "modal"))
AUXILIARY = BE | HAVE | DO | MODAL | {"'s", "'d"}
_CLITIC_LEMMAS = {"'s": ("be", "have"), "'d": ("will", "have")}
_ARTICLES = frozenset({"a", "an", "the", "my", "your", "our", "their", "its"})
_ARTICLE_PENALTY = 3.0
_PERIODS = frozenset({
    "night", "week", "weekend", "month", "year", "decade", "century", "summer", "winter", "spring", "autumn", "fall", "time",
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march", "april",
    "may", "june", "july", "august", "september", "october", "november", "december",
})  # fmt: skip
_NEVER_VERBS = frozenset(
    {"to", "not", "i", "a", "an", "the", "us", "or", "this", "in", "as", "up", "on", "off", "for", "if", "me"}
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A word that can be a verb form: its lemmas, likeliest first, and the log-odds that it is one here."""

    lemmas: tuple[str, ...]
    log_odds: float


@dataclass(frozen=True, slots=True)
class Tagged:
    """A sentence and the positions of the words that are read as verbs."""

    tokens: tuple[Token, ...]
    verbs: frozenset[int]

    def norm(self, place: int) -> str:
        """Return the normalised word at a position, empty outside of the sentence."""
        return self.tokens[place].norm if 0 <= place < len(self.tokens) else ""

    def lemma(self, place: int) -> str:
        """Return the likeliest lemma of the verb at a position."""
        return candidates(self.tokens)[place].lemmas[0]


def verb_lemmas(norm: str) -> tuple[str, ...]:
    """Return the lemmas that a normalised word can be a form of, a learner's form and ``'s`` included."""
    return _CLITIC_LEMMAS.get(norm) or (*lemmas(norm), *learner_lemmas(norm))


@lru_cache(maxsize=256)
def candidates(tokens: tuple[Token, ...]) -> dict[int, Candidate]:
    """Return each position that can hold a verb form. Callers must not change the result."""
    found: dict[int, Candidate] = {}
    for place, token in enumerate(tokens):
        if (
            not token.is_word
            or token.norm in _NEVER_VERBS
            or _is_us(tokens, place)
            or _is_polite(tokens, place)
            or _is_last_time(tokens, place)
        ):
            continue
        if known := verb_lemmas(token.norm):
            log_odds = verb_log_odds(tokens, place) - _after_article(tokens, place)
            found[place] = Candidate(known, log_odds + selection_log_odds(tokens, place))
    return found


def is_adverb(token: Token) -> bool:
    """Return whether a word is read as an adverb out of context."""
    if token.norm in closed_class("adverb"):
        return True
    share = shares().get(token.norm)
    return share.adverb > 0.5 if share else token.norm.endswith("ly") and not is_noun(token.norm)


def _after_article(tokens: tuple[Token, ...], place: int) -> float:
    """Return the log-odds lost right after an article or a possessive, which only a participle may follow."""
    modifies = tokens[place].norm.endswith(("ing", "ed", "en"))
    return 0.0 if modifies or place == 0 or tokens[place - 1].norm not in _ARTICLES else _ARTICLE_PENALTY


def _is_polite(tokens: tuple[Token, ...], place: int) -> bool:
    """Tell "another beer, please", "please call" from "it pleases me", "if you please", "to please them"."""
    if tokens[place].norm != "please":
        return False
    before = tokens[place - 1].norm if place else ""
    return before not in AUXILIARY | closed_class("subject_pronoun") | {"to", "you", "not"}


def _is_last_time(tokens: tuple[Token, ...], place: int) -> bool:
    """Tell "last Tuesday" from "it may last"."""
    after = tokens[place + 1].norm if place + 1 < len(tokens) else ""
    return tokens[place].norm == "last" and after in _PERIODS


def _is_us(tokens: tuple[Token, ...], place: int) -> bool:
    return tokens[place].norm == "'s" and place > 0 and tokens[place - 1].norm == "let"
