"""What is wrong in a sentence but is no verb group: the record and its messages."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

Kind = Literal[
    "spelling", "article", "capitalisation", "repeated_word", "idiom", "negation", "punctuation", "plural"
]

_MESSAGES: dict[Kind, tuple[str, str]] = {
    "spelling": ("'{was}' is misspelled: '{now}'?", "«{was}» está mal escrito: ¿«{now}»?"),
    "article": ("'{was}' should be '{now}' here", "aquí «{was}» debe ser «{now}»"),
    "capitalisation": ("'{was}' is written '{now}'", "«{was}» se escribe «{now}»"),
    "repeated_word": ("'{was}' repeats a word", "«{was}» repite una palabra"),
    "idiom": ("English says '{now}', not '{was}'", "en inglés se dice «{now}», no «{was}»"),
    "negation": ("double negation: '{now}' after 'not'", "doble negación: tras «not» va «{now}»"),
    "punctuation": ("the final mark is missing", "falta el signo final"),
    "plural": ("'{was}' should be '{now}'", "«{was}» debe ser «{now}»"),
}


class Issue(BaseModel):
    """One error outside of the verb groups.

    Attributes
    ----------
    start, end : int
        Character offsets into the sentence.
    kind : str
        What sort of error.
    message_en, message_es : str
        What is wrong, in English and in Spanish.
    suggestion : str or None
        What to write instead.
    """

    model_config = ConfigDict(frozen=True)

    start: int
    end: int
    kind: Kind
    message_en: str
    message_es: str
    suggestion: str | None = None


def issue(sentence: str, start: int, end: int, kind: Kind, suggestion: str) -> Issue:
    """Return an issue with the messages of its kind filled in."""
    english, spanish = (text.format(was=sentence[start:end], now=suggestion) for text in _MESSAGES[kind])
    return Issue(
        start=start, end=end, kind=kind, message_en=english, message_es=spanish, suggestion=suggestion or None
    )
