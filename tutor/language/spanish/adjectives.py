"""English adjectives, alone and in a row, with their degree, put into Spanish."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tutor.language.spanish import lexicon
from tutor.language.spanish.conjugation import SpanishTense, conjugate_spanish, is_reflexive, is_spanish_verb
from tutor.language.spanish.reader import Reader
from tutor.language.spanish.verbs import paradigms

INTENSIFIERS = {
    "very": "muy", "so": "tan", "too": "demasiado", "really": "muy", "extremely": "extremadamente",
    "quite": "bastante", "pretty": "bastante", "rather": "bastante", "completely": "completamente",
    "absolutely": "absolutamente", "totally": "totalmente", "almost": "casi", "perfectly": "perfectamente",
    "fairly": "bastante", "incredibly": "increíblemente", "terribly": "terriblemente", "more": "más",
    "less": "menos", "slightly": "ligeramente", "a little": "un poco", "a bit": "un poco",
    "much more": "mucho más", "most": "más", "not very": "no muy",
}  # fmt: skip
_SUPPLETIVE = {"bueno": "mejor", "malo": "peor"}
_PREFERRED = {"mad": "enfadado"}
_NOT_ADJECTIVES = frozenset(
    {
        "born", "bit", "used", "had", "made", "done", "got", "been", "said", "left", "let", "set", "put",
        "supposed", "run", "come", "become", "gone", "taken", "given", "kept", "held", "meant", "told",
        "felt", "brought", "thought",
    }
)  # fmt: skip
_AGES = {
    "más viejo": "mayor", "más joven": "menor", "más mayor": "mayor", "más pequeño": "menor",
    "viejo": "mayor",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Adjective:
    """A Spanish adjective in the masculine singular.

    Attributes
    ----------
    lemma : str
        The English adjective.
    spanish : str
        With its degree and intensifier: ``muy grande``, ``más alto``, ``mejor``.
    base : str
        Without them.
    degree : str
        ``er``, ``est`` or empty.
    intensified : bool
        Whether an adverb stands before it.
    """

    lemma: str
    spanish: str
    base: str
    degree: str = ""
    intensified: bool = False

    def of_person(self) -> Adjective:
        """Return the word for people: a short man is ``bajo``."""
        if self.base != "corto":
            return self
        return Adjective(
            self.lemma, self.spanish.replace("corto", "bajo"), "bajo", self.degree, self.intensified
        )

    def of_age(self) -> Adjective:
        """Return the word for age among siblings: ``hermano mayor``."""
        text = _AGES.get(self.spanish, self.spanish)
        return Adjective(self.lemma, text, text, self.degree, self.intensified)


def adjectives(reader: Reader, i: int) -> Iterator[tuple[tuple[Adjective, ...], int]]:
    """Yield rows of up to three adjectives that start at a position, longest first, the empty row last."""
    for first, j in single(reader, i):
        listed = reader.word(j) == "," and lexicon.entry(reader.word(j + 1), "adjective")
        k = j + 1 if listed else j
        for others, end in adjectives(reader, k):
            if len(others) < 3 and (others or k == j):
                yield (first, *others), end
    yield (), i


def single(reader: Reader, i: int) -> Iterator[tuple[Adjective, int]]:
    """Yield the readings of one adjective, with the adverb before it, at a position."""
    for length in (2, 1):
        adverb = INTENSIFIERS.get(reader.words(i, i + length))
        if adverb:
            for adjective, j in _plain(reader, i + length):
                if not adjective.degree:
                    yield _intensified(adjective, reader.word(i + length - 1), adverb), j
    yield from _plain(reader, i)


def _intensified(adjective: Adjective, word: str, adverb: str) -> Adjective:
    degree = {"more": "er", "most": "est"}.get(word, "")
    return Adjective(adjective.lemma, f"{adverb} {adjective.spanish}", adjective.base, degree, True)


def _plain(reader: Reader, i: int) -> Iterator[tuple[Adjective, int]]:
    hyphenated = reader.words(i, i + 3).replace(" - ", "-")
    if reader.word(i + 1) == "-" and (found := lexicon.entry(hyphenated, "adjective")):
        yield _positive(found), i + 3
    word = reader.word(i)
    if word == "just":
        return
    if word == "only" and reader.word(i - 1) not in (
        "the",
        "an",
        "my",
        "your",
        "his",
        "her",
        "our",
        "their",
        "'s",
    ):
        return
    if found := lexicon.entry(word, "adjective"):
        yield _positive(found), i + 1
    elif word not in _NOT_ADJECTIVES and (spanish := participle(word)):
        yield Adjective(word, spanish, spanish), i + 1
    for lemma, degree in lexicon.degrees(word) if not lexicon.entry(word, "noun") else ():
        base = lexicon.entry(lemma, "adjective")
        if base:
            text = base.translations[0].text
            compared = _SUPPLETIVE.get(text, f"más {text}")
            yield Adjective(lemma, compared, compared, degree), i + 1


def _positive(found: lexicon.LexicalEntry) -> Adjective:
    text = _PREFERRED.get(found.lemma, found.translations[0].text)
    return Adjective(found.lemma, text, text)


def participle(word: str) -> str | None:
    """Return the Spanish participle of an English one that serves as an adjective: ``broken`` -> ``roto``."""
    for lemma, forms in paradigms(word):
        verb = lexicon.entry(lemma, "verb")
        if verb is None or word not in forms.participle or word == lemma:
            continue
        for translation in verb.translations:
            base = translation.text.removesuffix("se") if is_reflexive(translation.text) else translation.text
            if not translation.preposition and is_spanish_verb(base):
                return conjugate_spanish(base, SpanishTense.participle)
        return None
    return None
