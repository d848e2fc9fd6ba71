"""English determiners and numbers, and the Spanish ones that agree with a noun."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tutor.language.spanish import lexicon
from tutor.language.spanish.phrases import agree, definite_article, indefinite_article
from tutor.language.spanish.reader import NoGlossError, Reader

POSSESSIVES = {
    "my": "mi", "your": "tu", "his": "su", "her": "su", "its": "su", "their": "su", "our": "nuestro",
}  # fmt: skip
_DEMONSTRATIVES = {
    "this": ("este", "esta"), "that": ("ese", "esa"), "these": ("estos", "estas"), "those": ("esos", "esas"),
}  # fmt: skip
# English words, Spanish adjective in the masculine singular, the number of the noun ("" for either).
_QUANTIFIERS = (
    ("a lot of", "mucho", ""), ("lots of", "mucho", ""), ("plenty of", "mucho", ""),
    ("too many", "demasiado", "p"), ("too much", "demasiado", "s"), ("so many", "tanto", "p"),
    ("so much", "tanto", "s"), ("very few", "muy poco", "p"), ("very little", "muy poco", "s"),
    ("very many", "mucho", "p"), ("a couple of", "un par de", "p"), ("a few", "alguno", "p"),
    ("a little", "un poco de", "s"), ("a bit of", "un poco de", "s"), ("a great many", "mucho", "p"),
    ("many", "mucho", "p"), ("much", "mucho", "s"), ("few", "poco", "p"), ("several", "vario", "p"),
    ("both", "ambo", "p"), ("another", "otro", "s"), ("other", "otro", "p"), ("enough", "suficiente", ""),
    ("more", "más", ""), ("some more", "más", ""), ("any more", "más", ""), ("less", "menos", ""),
    ("fewer", "menos", "p"), ("each", "cada", "s"), ("half a", "medio", "s"), ("some other", "otro", "p"),
    ("many other", "mucho otro", "p"), ("most", "la mayoría de", "p"),
    ("a bit more", "un poco más de", "s"), ("a little more", "un poco más de", "s"),
    ("little", "poco", "s"), ("two more", "dos más", "p"), ("this many", "tanto", "p"),
)  # fmt: skip
_FIXED = ("un par de", "un poco más de", "un poco de", "más", "menos", "cada")


@dataclass(frozen=True, slots=True)
class Determiner:
    """An English determiner group.

    Attributes
    ----------
    word : str
        The determiner, or empty for none.
    spanish : str
        Spanish in the masculine singular where a quantifier has one.
    number : str
        ``s`` or ``p`` if it fixes the number of the noun.
    count : str
        A cardinal after it, in Spanish.
    universal : bool
        ``all`` before it: ``todos los``.
    """

    word: str = ""
    spanish: str = ""
    number: str = ""
    count: str = ""
    universal: bool = False

    @property
    def definite(self) -> bool:
        """Whether it points at something known."""
        return self.word in ("the", *POSSESSIVES, *_DEMONSTRATIVES) or self.universal

    def render(self, noun: str, gender: str, is_plural: bool, english_plural: bool) -> str:
        """Return the Spanish determiner for a noun.

        Raises
        ------
        NoGlossError
            If its number does not fit the noun.
        """
        if self.number and (self.number == "p") != english_plural:
            raise NoGlossError(f"{self.word} with the wrong number")
        if self.count and not english_plural and self.count not in ("un", "1"):
            raise NoGlossError(f"{self.count} with a singular")
        parts = [self._article(noun, gender, is_plural), _cardinal(self.count, gender)]
        return " ".join(part for part in parts if part)

    def _article(self, noun: str, gender: str, is_plural: bool) -> str:
        if self.word == "the":
            article = definite_article(noun, gender, is_plural)
        elif self.word in POSSESSIVES:
            article = agree(POSSESSIVES[self.word], gender, is_plural)
        elif self.word in _DEMONSTRATIVES:
            article = _DEMONSTRATIVES[self.word][gender == "f"]
            if is_plural and self.word in ("this", "that"):
                article = _DEMONSTRATIVES["these" if self.word == "this" else "those"][gender == "f"]
        elif self.word in ("a", "an"):
            article = _plural_only_article(gender) if is_plural else indefinite_article(noun, gender)
        elif self.spanish:
            article = self._quantifier(gender, is_plural)
        else:
            article = ""
        if not self.universal:
            return article
        return f"{agree('todo', gender, is_plural)} {article or definite_article(noun, gender, is_plural)}"

    def _quantifier(self, gender: str, is_plural: bool) -> str:
        if self.spanish in _FIXED:
            return self.spanish
        if self.spanish == "alguno" and not is_plural:
            return "algún" if gender == "m" else "alguna"
        if self.spanish == "ninguno" and gender == "m":
            return "ningún"
        if self.spanish == "la mayoría de":
            return f"{self.spanish} {definite_article('', gender, is_plural)}"
        return " ".join(agree(word, gender, is_plural) for word in self.spanish.split())


def _plural_only_article(gender: str) -> str:
    return "unas" if gender == "f" else "unos"


def _cardinal(count: str, gender: str) -> str:
    if count == "un" and gender == "f":
        return "una"
    if count.endswith("cientos") and gender == "f":
        return count[:-2] + "as"
    return count


def cardinals(reader: Reader, i: int) -> Iterator[tuple[str, int]]:
    """Yield a cardinal number in Spanish and the position after it."""
    word = reader.word(i)
    if word[:1].isdigit() and all(c.isdigit() or c in ".,:" for c in word):
        yield word, i + 1
        return
    if reader.word(i + 1) == "-":
        joined = lexicon.entry(f"{word}-{reader.word(i + 2)}", "number")
        if joined:
            yield joined.translations[0].text, i + 3
    found = lexicon.entry(word, "number")
    if found and word not in ("hundred", "million", "billion", "thousand"):
        yield ("un" if word == "one" else found.translations[0].text), i + 1


def determiners(reader: Reader, i: int) -> Iterator[tuple[Determiner, int]]:
    """Yield the determiner groups that may start at a position, longest first, the empty one last."""
    for text, spanish, number in _QUANTIFIERS:
        if (j := reader.skip(i, *text.split())) is not None:
            yield Determiner(text, spanish, number), j
    word = reader.word(i)
    if word == "all":
        j = i + 2 if reader.word(i + 1) == "of" else i + 1
        if reader.word(j) in ("the", *POSSESSIVES, "these", "those"):
            yield Determiner(reader.word(j), universal=True), j + 1
        yield Determiner("", universal=True, number="p"), i + 1
    if word in ("the", *POSSESSIVES, *_DEMONSTRATIVES):
        number = {"this": "s", "that": "s", "these": "p", "those": "p"}.get(word, "")
        for count, j in cardinals(reader, i + 1):
            yield Determiner(word, number="p", count=count), j
        yield Determiner(word, number=number), i + 1
    elif word in ("a", "an"):
        yield Determiner(word, number="s"), i + 1
    elif word == "every":
        yield Determiner(word, "cada", "s"), i + 1
    elif word in ("some", "any", "no"):
        yield Determiner(word), i + 1
    for count, j in cardinals(reader, i):
        number = "s" if count in ("un", "1") else "p"
        yield (
            (Determiner("a", number="s") if count == "un" else Determiner("", number=number, count=count)),
            j,
        )
    yield Determiner(), i
