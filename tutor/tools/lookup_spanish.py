"""The tool that says in Spanish what an English word, verb form or simple clause means."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from tutor.language.spanish.gloss import MAX_WORDS, gloss
from tutor.language.spanish.words import readings
from tutor.tools.base import Tool, ToolResult


class Args(BaseModel):
    """What to look up."""

    model_config = ConfigDict(extra="forbid")

    word: str = Field(min_length=1, max_length=4000, description="an English word, verb form or sentence")


class Entry(BaseModel):
    """One reading of the word.

    Attributes
    ----------
    lemma : str
        The English headword.
    pos : str
        Its part of speech: ``verb``, ``noun``, ``adj``, ``adv`` and so on.
    translations : tuple of str
        Spanish, best first; a verb form is already conjugated to match.
    """

    model_config = ConfigDict(frozen=True)

    lemma: str
    pos: str
    translations: tuple[str, ...]


class Result(ToolResult):
    """Translations of a word by part of speech, or the gloss of a clause. Never evidence.

    Attributes
    ----------
    word : str
        What was looked up.
    entries : tuple of Entry
        The readings of a single word or verb group, likeliest first.
    clause : str or None
        The gloss of a whole clause.
    """

    word: str
    entries: tuple[Entry, ...] = ()
    clause: str | None = None

    def gloss(self) -> str | None:
        """Return the best Spanish text, or ``None`` where nothing is known for sure."""
        return next(iter(self.translations()), None)

    def translations(self) -> tuple[str, ...]:
        """Return every text that may stand as a gloss, best first, without repeats."""
        texts = [self.clause] if self.clause else []
        texts += [text for entry in self.entries for text in entry.translations]
        return tuple(dict.fromkeys(texts))

    def prompt_text(self) -> str:
        """Return the gloss, or ``none``."""
        return self.gloss() or "none"


def run(args: Args) -> Result:
    """Look up a word, a verb form or a clause; what is not known comes back empty."""
    text = args.word.strip()
    if len(text.split()) > MAX_WORDS:
        return Result(word=args.word)
    entries = tuple(
        Entry(lemma=reading.lemma, pos=reading.pos, translations=reading.translations)
        for reading in readings(text)
    )
    return Result(word=args.word, entries=entries, clause=None if entries else gloss(text))


TOOL = Tool(
    name="lookup_spanish",
    description="Spanish for an English word, verb form or simple sentence.",
    arguments=Args,
    run=run,
)
