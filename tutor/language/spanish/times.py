"""English time expressions and clock times, put into Spanish."""

from __future__ import annotations

from collections.abc import Iterator

from tutor.language.spanish import lexicon
from tutor.language.spanish.determiners import cardinals
from tutor.language.spanish.phrases import inflect_noun
from tutor.language.spanish.reader import Reader

_POINTING = {"this": ("este", "esta"), "that": ("ese", "esa")}


def time_phrases(reader: Reader, i: int) -> Iterator[tuple[str, int]]:
    """Yield time expressions: ``la semana pasada``, ``todos los días``, ``hace dos años``."""
    yield from _clock(reader, i)
    word = reader.word(i)
    for count, j in cardinals(reader, i):
        yield from _ago(reader, j, count)
        yield from _later(reader, j, count)
    if word in ("a", "an"):
        yield from _later(reader, i + 1, "un")
        yield from _ago(reader, i + 1, "un")
    if word in ("a few", "several") or reader.words(i, i + 2) == "a few":
        yield from _ago(reader, i + 2, "algunos")
    if word not in ("last", "next", "every", "this", "that") or (noun := _time_noun(reader, i + 1)) is None:
        return
    text, gender, is_plural = noun
    article = "la" if gender == "f" else "el"
    feminine = gender == "f"
    if word == "last":
        yield f"{article} {text} {'pasada' if feminine else 'pasado'}", i + 2
    elif word == "next":
        yield f"{article} {'próxima' if feminine else 'próximo'} {text}", i + 2
    elif word == "every":
        found = lexicon.nouns(reader.word(i + 1))[0][0]
        plural, _, _ = inflect_noun(found.translations[0], True)
        yield f"{'todas las' if feminine else 'todos los'} {plural}", i + 2
    elif not is_plural and reader.word(i + 1) not in ("time", "second"):
        yield f"{_POINTING[word][feminine]} {text}", i + 2


def _time_noun(reader: Reader, i: int) -> tuple[str, str, bool] | None:
    word = reader.word(i)
    if word not in lexicon.word_class("time") | lexicon.word_class("month") or word == "time":
        return None
    found = lexicon.entry(word, "noun")
    return inflect_noun(found.translations[0], False) if found else None


def _later(reader: Reader, j: int, count: str) -> Iterator[tuple[str, int]]:
    if reader.word(j + 1) != "later":
        return
    for found, english_plural in lexicon.nouns(reader.word(j)):
        text, gender, _ = inflect_noun(found.translations[0], english_plural)
        yield f"{'una' if count == 'un' and gender == 'f' else count} {text} más tarde", j + 2
        return


def _ago(reader: Reader, j: int, count: str) -> Iterator[tuple[str, int]]:
    if reader.word(j + 1) != "ago":
        return
    for found, english_plural in lexicon.nouns(reader.word(j)):
        text, gender, _ = inflect_noun(found.translations[0], english_plural)
        number = {"un": "una", "algunos": "algunas"}.get(count, count) if gender == "f" else count
        yield f"hace {number} {text}", j + 2
        return


def _clock(reader: Reader, i: int) -> Iterator[tuple[str, int]]:
    if reader.word(i) not in ("at", "until", "since", "before", "after"):
        return
    for hour, j in hours(reader, i + 1):
        preposition = {
            "at": "a",
            "until": "hasta",
            "since": "desde",
            "before": "antes de",
            "after": "después de",
        }
        yield f"{preposition[reader.word(i)]} {hour}", j


def hours(reader: Reader, i: int) -> Iterator[tuple[str, int]]:
    """Yield clock times: ``las tres``, ``la una``, ``las 8:30 de la mañana``."""
    for count, j in cardinals(reader, i):
        marked = reader.word(j) == "o'clock"
        digits = count.replace(":", "").isdigit()
        if not marked and not digits and (reader.word(j) and lexicon.nouns(reader.word(j))):
            continue
        number = "una" if count == "un" else count
        article = "la" if number in ("una", "1") else "las"
        j += marked
        half = {"a.m": "de la mañana", "p.m": "de la tarde", "am": "de la mañana", "pm": "de la tarde"}.get(
            reader.word(j)
        )
        if half:
            yield f"{article} {number} {half}", j + 1
        if number[0].isdigit() and len(number.split(":")[0]) > 2:
            continue
        yield f"{article} {number}", j
