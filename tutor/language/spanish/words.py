"""Translations of single English words and verb groups, inflected to match."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tutor.language.morphology import Person
from tutor.language.spanish import lexicon
from tutor.language.spanish.conjugation import is_spanish_verb
from tutor.language.spanish.lexicon import Translation
from tutor.language.spanish.phrases import NounPhrase, agree, inflect_noun
from tutor.language.spanish.predicates import SpanishVerb, build
from tutor.language.spanish.reader import NoGlossError, Reader
from tutor.language.spanish.verbs import VerbGroup, finite_groups, gerund_groups, infinitive_groups, paradigms
from tutor.language.word_classes import shares

_MAX_TRANSLATIONS = 3
# The persons for which a bare English form is most often meant.
_PERSONS = (Person.third_sg, Person.first_sg, Person.third_pl)


@dataclass(frozen=True, slots=True)
class WordReading:
    """A headword as one part of speech, with its translations, best first."""

    lemma: str
    pos: str
    translations: tuple[str, ...]


def readings(text: str) -> tuple[WordReading, ...]:
    """Return the readings of a word, a verb form or a verb group, likeliest first.

    Parameters
    ----------
    text : str
        ``"house"``, ``"went"``, ``"has gone"``, ``"doesn't go"``, ``"will go"``.

    Returns
    -------
    tuple of WordReading
        Translations agree in number, and verbs are conjugated: ``"went"`` gives ``"fue"``. Empty for what
        the lexicon does not hold.
    """
    reader = Reader.of(text.strip())
    if not len(reader):
        return ()
    found = [*_headwords(reader), *_verbs(reader), *_plurals(reader), *_degrees(reader)]
    if len(reader) == 1 and (share := shares().get(reader.word(0))):
        use = {"verb": share.verb, "noun": share.noun, "adjective": share.adjective, "adverb": share.adverb}
        found.sort(key=lambda reading: -use.get(reading.pos, 1.0))
    return tuple(reading for reading in dict.fromkeys(found) if reading.translations)


def _headwords(reader: Reader) -> Iterator[WordReading]:
    whole = reader.words(0, len(reader)).replace(" - ", "-")
    for entry in lexicon.entries(whole):
        texts = tuple(translation.text for translation in entry.translations[:_MAX_TRANSLATIONS])
        yield WordReading(entry.lemma, entry.pos, texts)
    phrase = lexicon.phrases().get(whole)
    if phrase:
        yield WordReading(whole, "phrase", (phrase,))


def _plurals(reader: Reader) -> Iterator[WordReading]:
    whole = reader.words(0, len(reader)).replace(" - ", "-")
    for entry, is_plural in lexicon.nouns(whole):
        if is_plural and entry.lemma != whole:
            texts = tuple(_plural_forms(entry.translations))
            yield WordReading(entry.lemma, "noun", texts)


def _plural_forms(translations: tuple[Translation, ...]) -> Iterator[str]:
    for translation in translations[:_MAX_TRANSLATIONS]:
        try:
            yield inflect_noun(translation, True)[0]
        except NoGlossError:
            continue


def _degrees(reader: Reader) -> Iterator[WordReading]:
    if len(reader) != 1:
        return
    for lemma, _ in lexicon.degrees(reader.word(0)):
        entry = lexicon.entry(lemma, "adjective")
        if entry:
            first = entry.translations[0].text
            text = {"bueno": "mejor", "malo": "peor"}.get(first) or f"más {agree(first, 'm', False)}"
            yield WordReading(lemma, "adjective", (text,))


def _verbs(reader: Reader) -> Iterator[WordReading]:
    end = len(reader)
    start = 1 if reader.word(0) == "to" else 0
    for group, j in gerund_groups(reader, 0):
        if j == end:
            yield from _conjugated(group, (Person.third_sg,))
    finite: dict[str, list[tuple[VerbGroup, Person]]] = {}
    for person in _PERSONS:
        for group, j in finite_groups(reader, 0, person):
            if j == end and not _is_bare(reader, group):
                finite.setdefault(group.lemma, []).append((group, person))
    for readings_of_lemma in finite.values():
        group = readings_of_lemma[0][0]
        yield from _conjugated(group, tuple(person for other, person in readings_of_lemma if other == group))
    if end == start + 1 or reader.word(start) in ("be", "have"):
        for group, j in infinitive_groups(reader, start):
            if j == end and (start or end > 1):
                yield from _conjugated(group, (Person.third_sg,))
    if end == 1 and not finite:
        for lemma, forms in paradigms(reader.word(0)):
            if reader.word(0) in forms.participle and reader.word(0) not in forms.past:
                yield from _participle(lemma)


def _is_bare(reader: Reader, group: VerbGroup) -> bool:
    return len(reader) == 1 and group.lemma == reader.word(0) and group.tense == "present"


def _participle(lemma: str) -> Iterator[WordReading]:
    group = VerbGroup(lemma, perfect=True)
    for reading in _conjugated(group, (Person.third_sg,)):
        texts = tuple(text.removeprefix("se ").removeprefix("ha ") for text in reading.translations)
        yield WordReading(lemma, reading.pos, texts)


def _conjugated(group: VerbGroup, persons: tuple[Person, ...]) -> Iterator[WordReading]:
    entry = lexicon.entry(group.lemma, "verb")
    if entry is None:
        return
    texts: list[str] = []
    verbs = [
        translation.text for translation in entry.translations if is_spanish_verb(translation.text.split()[0])
    ]
    for person in persons:
        subject = NounPhrase("", "", person=person, plural=person is Person.third_pl)
        for text in verbs[:_MAX_TRANSLATIONS]:
            infinitive, _, tail = text.partition(" ")
            try:
                parts = build(group, SpanishVerb(infinitive, tail), subject, literal=True)
            except NoGlossError:
                continue
            texts.append(" ".join(part for part in parts if part))
    yield WordReading(group.lemma, "verb", tuple(dict.fromkeys(texts)))
