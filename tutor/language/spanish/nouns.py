"""English noun phrases, read and put into Spanish."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tutor.language.morphology import Person
from tutor.language.spanish import lexicon
from tutor.language.spanish.cores import Core, cores
from tutor.language.spanish.determiners import POSSESSIVES, Determiner, determiners
from tutor.language.spanish.phrases import (
    NounPhrase,
    definite_article,
)
from tutor.language.spanish.pronouns import pronouns
from tutor.language.spanish.reader import NoGlossError, Reader
from tutor.language.spanish.verbs import paradigms

_TITLES = {
    "mr": ("el señor", "m"), "mrs": ("la señora", "f"), "ms": ("la señora", "f"),
    "miss": ("la señorita", "f"), "dr": ("el doctor", "m"),
}  # fmt: skip
_DAYS = {"today": "hoy", "tomorrow": "mañana", "yesterday": "ayer"}
_NOT_BARE = frozenset(
    {
        "well", "back", "hard", "fast", "still", "like", "home", "turn", "please", "right", "inside", "out",
        "play", "look", "ride", "walk", "mine",
    }
)  # fmt: skip
_FEMININE_PARTS = {
    "uno": "una", "algunos": "algunas", "muchos": "muchas", "ninguno": "ninguna", "cada uno": "cada una",
    "ambos": "ambas",
}  # fmt: skip
_PARTITIVES = {
    "one": ("uno", False), "some": ("algunos", True), "many": ("muchos", True),
    "most": ("la mayoría", True), "none": ("ninguno", False), "each": ("cada uno", False),
    "both": ("ambos", True), "two": ("dos", True), "three": ("tres", True), "half": ("la mitad", False),
}  # fmt: skip


def noun_phrases(
    reader: Reader, i: int, role: str = "object", hint: str = ""
) -> list[tuple[NounPhrase, int]]:
    """Return the noun phrases that start at a position, each with the position after it, likeliest first.

    Parameters
    ----------
    reader : Reader
        The sentence.
    i : int
        Where to start.
    role : str
        ``subject`` or ``object``: which pronouns may stand.
    hint : str
        Gender that a noun of person should take where it has both (``f`` for "She is a teacher").
    """
    key = ("np", i, role, hint)
    if key not in reader.memo:
        reader.memo[key] = list(_coordinated(reader, i, role, hint))
    return list(reader.memo[key])


def _coordinated(reader: Reader, i: int, role: str, hint: str) -> Iterator[tuple[NounPhrase, int]]:
    for first, j in _simple(reader, i, role, hint):
        if reader.word(j) in ("and", "or") and first.kind != "indefinite":
            for second, k in _simple(reader, j + 1, role, hint):
                if second.kind != "indefinite" and (
                    role == "subject" or "pronoun" not in (first.kind, second.kind)
                ):
                    yield _joined(first, second, reader.word(j)), k
        yield first, j


def _joined(first: NounPhrase, second: NounPhrase, conjunction: str) -> NounPhrase:
    bare = first.kind == second.kind == "bare"
    left, right = (first, second) if bare else (first.with_article(), second.with_article())
    persons = {first.person, second.person}
    person = Person.third_pl
    if persons & {Person.first_sg, Person.first_pl}:
        person = Person.first_pl
    gender = "f" if first.gender == second.gender == "f" else "m"
    spanish = "y" if conjunction == "and" else "o"
    core = f"{left.text} {spanish} {right.text}"
    articled = f"{first.with_article().text} {spanish} {second.with_article().text}" if bare else ""
    kind = "bare" if bare else "noun"
    human = first.human and second.human
    return NounPhrase("", core, gender, True, person, kind=kind, human=human, articled=articled)


def _simple(reader: Reader, i: int, role: str, hint: str) -> Iterator[tuple[NounPhrase, int]]:
    yield from pronouns(reader, i, role)
    if reader.word(i) in _PARTITIVES and reader.word(i + 1) == "of":
        yield from _partitive(reader, i)
    if reader.word(i) in _DAYS:
        yield NounPhrase("", _DAYS[reader.word(i)], lemma=reader.word(i), kind="name"), i + 1
        return
    yield from _names(reader, i)
    for phrase, j in _described(reader, i, role, hint):
        yield from _with_complement(reader, phrase, j)


def _with_complement(reader: Reader, phrase: NounPhrase, j: int) -> Iterator[tuple[NounPhrase, int]]:
    if reader.word(j) == "'s" and phrase.kind != "pronoun":
        yield from _possessed(reader, phrase, j)
    if reader.word(j) == "of":
        for inner, k in noun_phrases(reader, j + 1):
            if inner.kind == "bare" and not inner.plural and phrase.article in ("el", "la"):
                inner = inner.with_article()
            if inner.kind != "pronoun":
                yield replace(phrase, core=f"{phrase.core} de {inner.text}"), k
    yield phrase, j


def _possessed(reader: Reader, owner: NounPhrase, j: int) -> Iterator[tuple[NounPhrase, int]]:
    for core, k in cores(reader, j + 1, ""):
        article = definite_article(core.text, core.gender, core.is_plural)
        phrase = _phrase(core, article, "noun")
        yield from _with_complement(reader, replace(phrase, core=f"{core.text} de {owner.text}"), k)


def _partitive(reader: Reader, i: int) -> Iterator[tuple[NounPhrase, int]]:
    text, is_plural = _PARTITIVES[reader.word(i)]
    person = Person.third_pl if is_plural else Person.third_sg
    for whole, j in noun_phrases(reader, i + 2):
        if whole.kind in ("noun", "pronoun") and whole.plural:
            part = _FEMININE_PARTS.get(text, text) if whole.gender == "f" else text
            core, denied = f"{part} de {whole.text}", reader.word(i) == "none"
            yield (
                NounPhrase(
                    "", core, whole.gender, is_plural, person, whole.lemma, "noun", whole.human, denied
                ),
                j,
            )


def _names(reader: Reader, i: int) -> Iterator[tuple[NounPhrase, int]]:
    word = reader.word(i)
    if word in _TITLES:
        j = i + 2 if reader.word(i + 1) == "." else i + 1
        if reader.is_name(j):
            title, gender = _TITLES[word]
            yield (
                NounPhrase("", f"{title} {reader.text(j)}", gender, lemma=word, kind="name", human=True),
                j + 1,
            )
        return
    j = i
    while reader.is_name(j):
        j += 1
    if j == i:
        return
    name = " ".join(token.text for token in reader.tokens[i:j])
    gender = "m" if word in lexicon.word_class("masculine_name") else ""
    gender = "f" if word in lexicon.word_class("feminine_name") else gender
    phrase = NounPhrase("", name, gender, lemma=word, kind="name", human=bool(gender))
    if reader.word(j) == "'s":
        yield from _possessed(reader, phrase, j)
    yield phrase, j


def _described(reader: Reader, i: int, role: str, hint: str) -> Iterator[tuple[NounPhrase, int]]:
    for determiner, j in determiners(reader, i):
        for core, k in cores(reader, j, hint):
            try:
                yield _determined(determiner, core, role), k
            except NoGlossError:
                continue


def _determined(determiner: Determiner, core: Core, role: str) -> NounPhrase:
    if core.superlative and not determiner.definite:
        raise NoGlossError("superlative without an article")
    if determiner.word == "every" and core.lemma in lexicon.word_class("time"):
        raise NoGlossError("a time adverbial")
    if (
        determiner.spanish.startswith("un poco") or determiner.word == "little"
    ) and core.lemma not in lexicon.word_class("mass"):
        raise NoGlossError("a little of what can be counted")
    core = _people(determiner, core)
    if determiner.word in POSSESSIVES and core.text in ("niño", "niña", "niños", "niñas"):
        core = replace(core, text="hijo" + core.text[4:].replace("a", "o"), gender="m")
    if determiner.word in ("some", "any", "no"):
        return _unspecified(determiner.word, core, role)
    undetermined = not (determiner.word or determiner.spanish or determiner.count or determiner.universal)
    if core.lemma in ("time", "way") and determiner.word in ("this", "that", "another"):
        raise NoGlossError("a time adverbial")
    if undetermined and core.lemma in _NOT_BARE:
        raise NoGlossError("hardly a noun here")
    if undetermined and role == "object" and _is_action(core):
        raise NoGlossError("a gerund rather than a noun")
    article = determiner.render(core.text, core.gender, core.is_plural, core.english_plural)
    if not article:
        kind = "name" if core.text[0].isupper() else "bare"
    elif determiner.definite:
        kind = "noun"
    else:
        kind = "indefinite"
    possessor = determiner.word if determiner.word in POSSESSIVES else ""
    return replace(_phrase(core, article, kind), possessor=possessor)


def _is_action(core: Core) -> bool:
    return core.lemma.endswith("ing") and any(
        core.lemma in forms.gerund for _, forms in paradigms(core.lemma)
    )


def _people(determiner: Determiner, core: Core) -> Core:
    """Count "people" by ``personas``, but leave the crowd ``gente``."""
    if not core.text.startswith("gente"):
        return core
    if determiner.count or determiner.word in (
        "some",
        "several",
        "a few",
        "few",
        "these",
        "those",
        "no",
        "any",
    ):
        if core.text != "gente":
            raise NoGlossError("some people with an adjective")
        return replace(core, text="personas", is_plural=True)
    return core


def _unspecified(word: str, core: Core, role: str) -> NounPhrase:
    """Put "some", "any" and "no" into Spanish, which mostly leaves them out: ``No tengo dinero``."""
    mass = core.lemma in lexicon.word_class("mass")
    if word == "no" and role == "subject":
        if core.english_plural:
            raise NoGlossError("no with a plural subject")
        return replace(
            _phrase(core, "ninguna" if core.gender == "f" else "ningún", "indefinite"), negative=True
        )
    if word == "some" and core.english_plural:
        return _phrase(core, "algunas" if core.gender == "f" else "algunos", "indefinite")
    if word == "some" and not mass:
        raise NoGlossError("some with a singular")
    if word == "any" and not mass and not core.english_plural:
        raise NoGlossError("any with a singular")
    return replace(_phrase(core, "", "indefinite"), negative=word == "no")


def _phrase(core: Core, article: str, kind: str) -> NounPhrase:
    person = Person.third_pl if core.is_plural else Person.third_sg
    return NounPhrase(
        article,
        core.text,
        core.gender,
        core.is_plural,
        person,
        core.lemma,
        kind,
        core.human,
        english_plural=core.english_plural,
    )
