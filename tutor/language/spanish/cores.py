"""English nouns with the adjectives before them, and the Spanish that agrees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tutor.language.spanish import lexicon
from tutor.language.spanish.adjectives import Adjective, adjectives
from tutor.language.spanish.determiners import POSSESSIVES
from tutor.language.spanish.phrases import agree, before_noun, goes_before, inflect_noun
from tutor.language.spanish.reader import NoGlossError, Reader
from tutor.language.spanish.spelling import feminine

_NOT_NOUNS = frozenset(
    {
        "one", "other", "others", "sake", "lot", "all", "left", "right", "whole", "none", "ones", "more",
        "most", "less", "today", "tomorrow", "being",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Core:
    """A noun with its adjectives, inflected."""

    text: str
    gender: str
    is_plural: bool
    english_plural: bool
    lemma: str
    human: bool
    superlative: bool = False


def cores(reader: Reader, i: int, hint: str) -> Iterator[tuple[Core, int]]:
    """Yield the nouns that start at a position, adjectives included, each with the position after it."""
    for length in (3, 2):
        for found, english_plural in lexicon.nouns(_spelled(reader, i, length)):
            core = _core(found, english_plural, (), hint)
            if core:
                yield core, i + length
    for found, english_plural in lexicon.nouns(reader.word(i)):
        core = _core(found, english_plural, (), hint)
        if core:
            yield from _compounds(reader, core, found, i + 1, hint, ())
    for described, j in adjectives(reader, i):
        for length in (3, 2, 1):
            word = _spelled(reader, j, length)
            if word in _NOT_NOUNS or (
                described
                and described[-1].lemma in ("last", "next")
                and word in lexicon.word_class("time")
                and reader.word(i - 1) not in ("the", *POSSESSIVES)
            ):
                continue  # fmt: skip
            for found, english_plural in lexicon.nouns(word):
                core = _core(found, english_plural, described, hint)
                if core is None:
                    continue
                yield from _compounds(reader, core, found, j + length, hint, described)
                yield core, j + length


def _spelled(reader: Reader, i: int, length: int) -> str:
    if i + length > len(reader) or (length > 1 and reader.word(i + length - 1) == "'s"):
        return ""
    return reader.words(i, i + length).replace(" - ", "-")


def _core(
    found: lexicon.LexicalEntry, english_plural: bool, described: tuple[Adjective, ...], hint: str
) -> Core | None:
    translation = _of_gender(found, hint)
    human = bool({found.lemma, *lexicon.singulars(found.lemma)} & lexicon.word_class("human")) or _both_sexes(
        found
    )
    if english_plural and (adjective := lexicon.entry(found.lemma, "adjective")):
        human = human or adjective.translations[0].text == translation.text  # "the Romans"
    if found.lemma in lexicon.word_class("language") and not english_plural:
        human = False
    if human:
        described = tuple(adjective.of_person() for adjective in described)
    try:
        noun, gender, is_plural = inflect_noun(translation, english_plural and found.lemma != "people")
        gender = hint if hint and translation.gender == "mf" else gender
        text = _compose(noun, gender, is_plural, described)
    except NoGlossError:
        return None
    superlative = any(adjective.degree == "est" for adjective in described)
    return Core(text, gender, is_plural, english_plural, found.lemma, human, superlative)


def _compounds(
    reader: Reader,
    core: Core,
    found: lexicon.LexicalEntry,
    j: int,
    hint: str,
    described: tuple[Adjective, ...],
) -> Iterator[tuple[Core, int]]:
    """Read a noun before a noun where Spanish joins them with ``de``: ``profesor de inglés``."""
    material = found.lemma in lexicon.word_class("material")
    subject = found.lemma in lexicon.word_class("subject_matter") | lexicon.word_class("language")
    if not (material or subject) or core.english_plural:
        return
    for head, english_plural in lexicon.nouns(reader.word(j)):
        if subject and not material and head.lemma not in lexicon.word_class("taught"):
            continue
        whole = _core(head, english_plural, described, hint)
        if whole:
            modifier = inflect_noun(found.translations[0], False)[0]
            yield replace(whole, text=f"{whole.text} de {modifier}"), j + 1


def _both_sexes(found: lexicon.LexicalEntry) -> bool:
    genders = {translation.gender for translation in found.translations[:2]}
    if "mf" in genders:
        return True
    texts = [translation.text for translation in found.translations[:2]]
    paired = [t.gender for t in found.translations[:2]] == ["m", "f"]
    return paired and texts[1] in (feminine(texts[0]), texts[0][:-2] + "riz", texts[0][:-1] + "esa")


def _of_gender(found: lexicon.LexicalEntry, hint: str) -> lexicon.Translation:
    if hint and _both_sexes(found):
        for translation in found.translations[:2]:
            if translation.gender == hint:
                return translation
    if found.lemma == "news":
        return lexicon.Translation("noticias", "fp")
    return found.translations[0]


def _compose(noun: str, gender: str, is_plural: bool, described: tuple[Adjective, ...]) -> str:
    if described and noun[0].isupper():
        raise NoGlossError("a name with an adjective")
    if noun == "hermano" or noun == "hermana":
        described = tuple(adjective.of_age() for adjective in described)
    before = [a for a in described if goes_before(a.base) and not a.intensified]
    after = [a for a in described if a not in before]
    words = [before_noun(a.spanish, gender, is_plural) for a in before]
    words.append(noun)
    words.extend(agree(a.spanish, gender, is_plural) for a in reversed(after))
    return " ".join(words)
