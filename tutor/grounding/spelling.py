"""How one form may be written in the place of a verb group: letter case, contractions, spacing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from tutor.grounding.words import APOSTROPHES, is_negative_clitic
from tutor.language.tokens import Token

_CLITICS = {
    "am": "'m",
    "are": "'re",
    "is": "'s",
    "has": "'s",
    "have": "'ve",
    "had": "'d",
    "would": "'d",
    "will": "'ll",
    "not": "n't",
}
_CLIPPED = {"can": "ca", "will": "wo", "shall": "sha"}


def spellings(
    form: str, group: Sequence[Token], sentence: str, spaced: str, glued: str | None, negated: bool
) -> Iterator[str]:
    """Yield the ways to write a form in the place of a group, the white space before it included.

    Parameters
    ----------
    form : str
        Words in lower case, single spaces.
    group : sequence of Token
        The tokens it replaces.
    sentence : str
        What they stand in.
    spaced : str
        White space before a whole word in this place.
    glued : str or None
        White space before a clitic in this place, or None where none may stand.
    negated : bool
        Whether n't follows the group.
    """
    openings = [(spaced, form)]
    word, _, others = form.partition(" ")
    if glued is not None and word in _CLITICS and (word == "not") == is_negative_clitic(group[0]):
        openings.append((glued, f"{_CLITICS[word]} {others}".rstrip()))
    for space, written in openings:
        for contracted in _contracted(written, group, negated):
            for cased in _cased(contracted, group, sentence):
                for separator in _separators(group, sentence):
                    for apostrophe in _apostrophes(sentence) if "'" in cased else "'":
                        yield space + cased.replace(" ", separator).replace("'", apostrophe)


def _contracted(form: str, group: Sequence[Token], negated: bool) -> Iterator[str]:
    """Yield the form, and the form with n't for "not" where the group or what follows it has n't."""
    words = form.split(" ")
    yield form
    if negated and words[-1] in _CLIPPED:
        yield " ".join([*words[:-1], _CLIPPED[words[-1]]])
    if "not" in words[1:] and any(is_negative_clitic(token) for token in group):
        at = words.index("not", 1)
        host = _CLIPPED.get(words[at - 1], words[at - 1])
        yield " ".join([*words[: at - 1], host + "n't", *words[at + 1 :]])


def _cased(form: str, group: Sequence[Token], sentence: str) -> Iterator[str]:
    """Yield the form in lower case, with a capital where the group has one, in capitals where it is so."""
    yield form
    if group[0].text[:1].isupper():
        yield form[:1].upper() + form[1:]
    if any(token.text.isupper() and (len(token.text) > 1 or sentence.isupper()) for token in group):
        yield form.upper()


def _separators(group: Sequence[Token], sentence: str) -> list[str]:
    gaps = (sentence[left.end : right.start] for left, right in pairwise(group))
    return list(dict.fromkeys([" ", *(gap for gap in gaps if gap)]))


def _apostrophes(sentence: str) -> list[str]:
    return list(dict.fromkeys(["'", *(mark for mark in APOSTROPHES if mark in sentence)]))
