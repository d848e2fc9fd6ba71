"""Decide whether a corrected sentence is the sentence itself with grounded verb groups (G3).

Independent of the code that builds the mask: it looks for *any* way to read the corrected text as a copy
of the sentence in which whole verb groups were replaced by given evidence, as a dynamic program over the
tokens. A state is the number of characters of the corrected text explained so far and what may follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum, auto

from tutor.grounding.spelling import spellings
from tutor.grounding.words import (
    AUXILIARY_LEMMAS,
    can_precede_head,
    is_clitic,
    is_negative_clitic,
    verb_lemmas,
)
from tutor.language.tokens import Token, tokenize
from tutor.tools.base import Evidence

Form = tuple[str, str]
"""A lemma and one of its forms."""

_CLIPPED_HOSTS = {"ca", "wo", "sha", "ai"}
"""What is no word of its own: it stands only before n't."""
_NEGATABLE = {
    *("do", "does", "did", "is", "are", "was", "were", "have", "has", "had", "need", "dare"),
    *("ca", "could", "wo", "would", "sha", "should", "must", "might", "ought"),
}
"""What n't may be attached to."""


class _Tail(Enum):
    """What the corrected text so far allows to be attached to it without a space."""

    anything = auto()
    only_not = auto()
    """It ends in "ca", "wo" or "sha": n't must follow."""
    nothing = auto()
    """The next token would make a word that does not exist ("amn't", "couldnot")."""


_State = tuple[int, _Tail]


def forms_of(evidence: Iterable[Evidence]) -> frozenset[Form]:
    """Return the forms that may stand in a correction; a gap for the subject ("does ... go") is no form."""
    return frozenset((item.lemma, item.form) for item in evidence if item.form and "..." not in item.form)


def is_grounded(sentence: str, corrected: str, forms: frozenset[Form]) -> bool:
    """Return whether the text is the sentence, but for verb groups replaced by forms of their lemmas.

    Parameters
    ----------
    sentence, corrected : str
        Before and after. A text is grounded in itself.
    forms : frozenset of (lemma, form)
        What may be put in.

    Returns
    -------
    bool
        Whether at least one alignment explains every character.
    """
    tokens = tokenize(sentence)
    alignment = _Alignment(sentence, tokens, corrected, forms)
    reached: list[set[_State]] = [set() for _ in range(len(tokens) + 1)]
    reached[0].add((0, _Tail.anything))
    for index in range(len(tokens)):
        for state in reached[index]:
            for after, next_state in alignment.steps(index, state):
                reached[after].add(next_state)
    rest = sentence[tokens[-1].end :] if tokens else sentence
    return any(tail is not _Tail.only_not and corrected[at:] == rest for at, tail in reached[-1])


class _Alignment:
    """The moves of the dynamic program."""

    def __init__(
        self, sentence: str, tokens: tuple[Token, ...], corrected: str, forms: frozenset[Form]
    ) -> None:
        self._sentence = sentence
        self._tokens = tokens
        self._corrected = corrected
        self._lemmas = [verb_lemmas(token) for token in tokens]
        self._forms: dict[str, list[str]] = {}
        for lemma, form in forms:
            self._forms.setdefault(lemma, []).append(form)

    def steps(self, index: int, state: _State) -> Iterator[tuple[int, _State]]:
        """Yield every way to explain the token at `index` and, in a replaced group, those after it."""
        yield from self._copy(index, state)
        if state[1] is _Tail.only_not:
            return
        for head in range(index, len(self._tokens)):
            if self._lemmas[head]:
                yield from self._replace(index, head, state)
            if not can_precede_head(self._tokens[head]):
                return

    def _gap(self, index: int) -> str:
        start = self._tokens[index - 1].end if index else 0
        return self._sentence[start : self._tokens[index].start]

    def _attached(self, index: int) -> bool:
        """Whether the token continues the word before it: a clitic, or "not" in "cannot"."""
        return (
            0 < index < len(self._tokens)
            and not self._gap(index)
            and self._tokens[index].is_word
            and self._tokens[index - 1].is_word
        )

    def _copy(self, index: int, state: _State) -> Iterator[tuple[int, _State]]:
        at, tail = state
        token = self._tokens[index]
        if tail is _Tail.nothing and self._attached(index):
            return
        piece = self._gap(index) + token.text
        if self._corrected.startswith(piece, at):
            clipped = token.text.lower() in _CLIPPED_HOSTS and self._negated(index)
            yield index + 1, (at + len(piece), _Tail.only_not if clipped else _Tail.anything)

    def _negated(self, index: int) -> bool:
        return self._attached(index + 1) and is_negative_clitic(self._tokens[index + 1])

    def _replace(self, first: int, head: int, state: _State) -> Iterator[tuple[int, _State]]:
        at, tail = state
        group = self._tokens[first : head + 1]
        # A group that is torn off the word before it needs a space of its own.
        spaced = " " if self._attached(first) else self._gap(first)
        glued = self._gap(first) if tail is not _Tail.nothing and is_clitic(group[0]) else None
        for form in self._candidates(first, head):
            for text in spellings(form, group, self._sentence, spaced, glued, self._negated(head)):
                if self._corrected.startswith(text, at):
                    yield head + 1, (at + len(text), self._tail_after(text, head))

    def _candidates(self, first: int, head: int) -> Iterator[str]:
        """Yield the forms for the group: of its head's lemmas; for one auxiliary also of any auxiliary."""
        lemmas = set(self._lemmas[head])
        for lemma in lemmas:
            yield from self._forms.get(lemma, ())
        if first == head and lemmas & AUXILIARY_LEMMAS:
            for lemma in AUXILIARY_LEMMAS - lemmas:
                yield from (form for form in self._forms.get(lemma, ()) if " " not in form)

    def _tail_after(self, text: str, head: int) -> _Tail:
        if not self._attached(head + 1):
            return _Tail.anything
        last = text.split()[-1].lower()
        following = self._tokens[head + 1]
        if is_negative_clitic(following):
            if last in _CLIPPED_HOSTS:
                return _Tail.only_not
            return _Tail.anything if last in _NEGATABLE else _Tail.nothing
        if is_clitic(following):
            return _Tail.anything
        return _Tail.anything if last == "can" and following.norm == "not" else _Tail.nothing
