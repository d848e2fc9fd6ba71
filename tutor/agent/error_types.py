"""The type of a verb edit, as an ERRANT code, without a parser.

The rules follow the order of those in ERRANT (Bryant et al. 2017, "Automatic annotation and evaluation of
error types for grammatical error correction"), with our own reading of the verb groups in place of a tagger.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tutor.language.morphology import UnknownVerb, is_known_word, learner_forms
from tutor.language.parse import Parse, parse
from tutor.language.tagged import BE, HAVE, MODAL, verb_lemmas
from tutor.language.tenses import form_kinds, infinitive_marker
from tutor.language.tokens import Token, tokenize
from tutor.language.verb_chains import Chain

_ENDINGS = ("s", "es", "ed", "d", "ing")


@dataclass(frozen=True, slots=True)
class _Side:
    """The tokens that an edit covers, from `first` to `last` (exclusive), in the text before or after it."""

    parse: Parse
    first: int
    last: int

    @property
    def norms(self) -> list[str]:
        return [token.norm for token in self.parse.sentence.tokens[self.first : self.last]]

    def are_auxiliaries(self) -> bool:
        """Return whether each token belongs to a main verb outside."""
        places = {place for chain in self.parse.chains for place in chain.auxiliaries}
        return all(place in places or self._is_marker(place) for place in range(self.first, self.last))

    def _is_marker(self, place: int) -> bool:
        sentence = self.parse.sentence
        return sentence.norm(place) == "to" and (
            place + 1 in sentence.verbs or sentence.norm(place + 1) in BE | HAVE
        )

    def chain(self) -> Chain:
        """Return the chain of the only token."""
        return next(
            (chain for chain in self.parse.chains if self.first in (chain.head, *chain.auxiliaries)),
            Chain(self.first),
        )

    def is_governed(self) -> bool:
        """Return whether an auxiliary or ``to`` decides the form of the only token."""
        chain = self.chain()
        return chain.start < self.first or infinitive_marker(self.parse.sentence.tokens, Chain(self.first))

    def kind(self, lemma: str) -> str:
        """Return what form of a verb the only token is, as its auxiliaries tell."""
        kinds = form_kinds(self.norms[0], lemma)
        before = {self.parse.sentence.norm(place) for place in self.chain().auxiliaries if place < self.first}
        perfect = bool(before & (HAVE | BE | {"'s", "'d"}))
        order = ("participle", "base", "past") if perfect else ("base", "past", "participle")
        return next((kind for kind in ("gerund", "third", *order) if kind in kinds), "base")


def error_type(sentence: str, start: int, end: int, replacement: str) -> str:
    """Return the type of an edit of a verb.

    Parameters
    ----------
    sentence : str
        The sentence as written.
    start, end : int
        Character offsets of what is replaced; they may not part a word.
    replacement : str
        What stands there instead.

    Returns
    -------
    str
        ``M`` (missing), ``U`` (unneeded) or ``R`` (replaced), and ``VERB:SVA``, ``VERB:FORM``,
        ``VERB:TENSE``, ``VERB:INFL`` (a form regular by mistake), ``VERB`` (another verb), ``SPELL`` or
        ``ORTH`` (letter case).
    """
    before = _side(sentence, start, end)
    after = _side(sentence[:start] + replacement + sentence[end:], start, start + len(replacement))
    before, after = _trimmed(before, after)
    if not before.norms and not after.norms:
        return "R:ORTH"
    if not before.norms:
        return f"M:{_one_sided(after)}"
    if not after.norms:
        return f"U:{_one_sided(before)}"
    if len(before.norms) == len(after.norms) == 1:
        return f"R:{_word_for_word(before, after)}"
    return f"R:{_group_for_group(before, after)}"


def _side(sentence: str, start: int, end: int) -> _Side:
    tokens: tuple[Token, ...] = tokenize(sentence)
    first = next((place for place, token in enumerate(tokens) if token.end > start), len(tokens))
    last = next((place for place, token in enumerate(tokens) if token.start >= end), len(tokens))
    return _Side(parse(tokens), first, max(first, last))


def _trimmed(before: _Side, after: _Side) -> tuple[_Side, _Side]:
    """Leave out what both begin and end with; if they still share a word, keep the first that differs."""
    while before.norms and after.norms and before.norms[-1] == after.norms[-1]:
        before, after = replace(before, last=before.last - 1), replace(after, last=after.last - 1)
    while before.norms and after.norms and before.norms[0] == after.norms[0]:
        before, after = replace(before, first=before.first + 1), replace(after, first=after.first + 1)
    if len(before.norms) == len(after.norms) and any(
        wrong == right for wrong, right in zip(before.norms, after.norms, strict=True)
    ):
        before, after = replace(before, last=before.first + 1), replace(after, last=after.first + 1)
    return before, after


def _one_sided(side: _Side) -> str:
    if side.norms == ["to"]:
        return "VERB:FORM"
    return "VERB:TENSE" if side.are_auxiliaries() else "VERB"


def _group_for_group(before: _Side, after: _Side) -> str:
    if before.are_auxiliaries() and after.are_auxiliaries():
        return "VERB:TENSE"
    if not set(verb_lemmas(before.norms[-1])) & set(verb_lemmas(after.norms[-1])):
        return "VERB"
    return "VERB:FORM" if "to" in before.norms + after.norms else "VERB:TENSE"


def _word_for_word(before: _Side, after: _Side) -> str:
    (wrong,), (right,) = before.norms, after.norms
    shared = [lemma for lemma in verb_lemmas(right) if lemma in verb_lemmas(wrong)]
    if not shared:
        return "VERB:TENSE" if before.are_auxiliaries() and after.are_auxiliaries() else "VERB"
    if not is_known_word(wrong):
        return "VERB:INFL" if _is_misinflected(wrong, shared[0]) else "SPELL"
    if {wrong, right} == {"was", "were"}:
        return "VERB:SVA"
    if {wrong, right} & MODAL:
        return "VERB:TENSE"
    kinds = {before.kind(shared[0]), after.kind(shared[0])}
    if kinds & {"gerund", "participle"} or (before.is_governed() and after.is_governed()):
        return "VERB:FORM"
    return "VERB:TENSE" if "past" in kinds else "VERB:SVA"


def _is_misinflected(word: str, lemma: str) -> bool:
    """Tell a form made by a rule that does not hold ("goed", "danceing") from a misspelled one ("writen")."""
    try:
        return word in learner_forms(lemma) or word in {lemma + ending for ending in _ENDINGS}
    except UnknownVerb:
        return False
