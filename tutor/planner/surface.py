"""A form as it must be written at its place: letter case, contractions, apostrophes, spacing."""

from __future__ import annotations

from collections.abc import Sequence

from tutor.language.tokens import Token

_CLITICS = {
    "am": "'m", "is": "'s", "are": "'re", "have": "'ve", "has": "'s",
    "had": "'d", "will": "'ll", "would": "'d",
}  # fmt: skip
_BEFORE_NT = {"can": "ca", "will": "wo", "shall": "sha"} | {
    word: word
    for word in (
        "is", "are", "was", "were", "do", "does", "did", "has", "have", "had",
        "could", "would", "should", "might", "must", "need", "ought",
    )
}  # fmt: skip


def surface(form: str, sentence: str, tokens: Sequence[Token], first: int, last: int) -> str | None:
    """Return a form as it is written in place of some tokens, or None where it cannot stand.

    Parameters
    ----------
    form : str
        Lower-case form, as a tool returned it: ``"has gone"``.
    sentence : str
        The sentence.
    tokens : sequence of Token
        Its tokens.
    first, last : int
        Token span that the form replaces, inclusive.

    Returns
    -------
    str or None
        The form with the span's letter case, the sentence's kind of apostrophe, clipped before ``n't`` (``can`` is ``ca``),
        as a clitic or with a space of its own where the span is glued to the word before it (``she's``).
    """
    glued_before = first > 0 and tokens[first - 1].end == tokens[first].start and tokens[first - 1].is_word
    clitic = glued_before and tokens[first].text[0] in "'’ʼ‘`´"
    if glued_before and not clitic:
        return None
    text: str | None = form
    if _is_clipped_not(tokens, last + 1):
        text = _BEFORE_NT.get(form)
    elif (
        last + 1 < len(tokens)
        and tokens[last + 1].start == tokens[last].end
        and _alphabetic_start(tokens[last + 1])
    ):
        text = None
    if text is None or not _same_negation(form, tokens, first, last):
        return None
    if clitic:
        head, _, rest = text.partition(" ")
        text = f"{_CLITICS[head]} {rest}".rstrip() if head in _CLITICS else f" {text}"
    text = _match_case(text, tokens[first : last + 1])
    return text.replace("'", "’") if "’" in sentence and "'" not in sentence else text


def _is_clipped_not(tokens: Sequence[Token], index: int) -> bool:
    if index >= len(tokens):
        return False
    return tokens[index].norm == "not" and tokens[index].text.lower() != "not"


def _alphabetic_start(token: Token) -> bool:
    return token.text[0].isalpha()


def _same_negation(form: str, tokens: Sequence[Token], first: int, last: int) -> bool:
    """Return whether a negative form keeps the kind of negation it replaces, "not" or "n't"."""
    clipped = any(_is_clipped_not(tokens, index) for index in range(first, last + 1))
    full = any(token.text.lower() == "not" for token in tokens[first : last + 1])
    return not ((clipped and " not " in f" {form} ") or (full and not clipped and "n't" in form))


def _match_case(text: str, span: Sequence[Token]) -> str:
    written = "".join(token.text for token in span)
    if len(written) > 1 and written.isupper():
        return text.upper()
    if written[0].isupper() and not text[0].isspace():
        return text[0].upper() + text[1:]
    return text
