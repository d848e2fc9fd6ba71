"""Invariants of the Spanish word and phrase tables that the gloss is built from."""

from __future__ import annotations

import re

import pytest

from tutor.paths import corpus_dir

NOUNS_N_Z = "words_n_z.tsv"
FUNCTION_WORDS = "function_words.tsv"
PHRASES = "phrases.tsv"
POS = {
    "verb", "noun", "adjective", "adverb", "pronoun", "preposition", "conjunction", "determiner", "number",
    "interjection",
}  # fmt: skip
SPANISH = re.compile(r"[A-Za-zÁÉÍÓÚÜÑáéíóúüñ'., -]+")
GENDER = re.compile(r"(?P<word>.+) \((?P<gender>m|f|mf|mp|fp)\)")


def rows(name: str) -> list[list[str]]:
    lines = (corpus_dir() / "spanish" / name).read_text(encoding="utf-8").split("\n")
    assert lines[-1] == ""
    return [line.split("\t") for line in lines[:-1]]


def entries(name: str) -> list[tuple[str, str, list[str]]]:
    return [(lemma, pos, cell.split("; ")) for lemma, pos, cell in rows(name)[1:]]


@pytest.mark.parametrize("name", [NOUNS_N_Z, FUNCTION_WORDS])
def test_a_word_table_has_three_clean_columns(name: str) -> None:
    table = rows(name)
    assert table[0] == ["lemma", "pos", "translations"]
    for row in table[1:]:
        assert len(row) == 3, row
        assert all(cell and cell == cell.strip() and "  " not in cell for cell in row), row
        assert re.fullmatch(r"[a-z][a-z' .-]*", row[0]), row
        assert row[1] in POS, row


@pytest.mark.parametrize("name", [NOUNS_N_Z, FUNCTION_WORDS])
def test_nouns_and_only_nouns_carry_gender(name: str) -> None:
    for lemma, pos, translations in entries(name):
        for translation in translations:
            match = GENDER.fullmatch(translation)
            assert bool(match) == (pos == "noun"), (lemma, pos, translation)
            assert SPANISH.fullmatch(match["word"] if match else translation), (lemma, translation)


@pytest.mark.parametrize("name", [NOUNS_N_Z, FUNCTION_WORDS])
def test_no_translation_is_listed_twice(name: str) -> None:
    for lemma, pos, translations in entries(name):
        assert len(set(translations)) == len(translations), (lemma, pos)


def test_no_headword_has_two_entries_of_one_part_of_speech() -> None:
    keys = [(lemma, pos) for name in (NOUNS_N_Z, FUNCTION_WORDS) for lemma, pos, _ in entries(name)]
    assert len(keys) == len(set(keys)), sorted({key for key in keys if keys.count(key) > 1})


def test_tables_are_sorted_so_that_changes_are_easy_to_review() -> None:
    for name in (NOUNS_N_Z, FUNCTION_WORDS, PHRASES):
        table = rows(name)[1:]
        assert table == sorted(table), name


def test_the_alphabetical_table_covers_n_to_z() -> None:
    table = entries(NOUNS_N_Z)
    assert {pos for _, pos, _ in table} == {"noun", "adjective", "adverb"}
    assert all("n" <= lemma[0] <= "z" for lemma, _, _ in table)
    assert len(table) >= 3000


def test_spanish_number_agrees_with_the_gender_mark() -> None:
    """A noun marked plural ends in -s; agreement in the gloss relies on it."""
    for name in (NOUNS_N_Z, FUNCTION_WORDS):
        for lemma, pos, translations in entries(name):
            for translation in translations:
                if pos == "noun" and translation.endswith(("mp)", "fp)")):
                    assert translation.split(" (")[0].split()[0].endswith("s"), (lemma, translation)


@pytest.mark.parametrize(
    ("pos", "lemmas"),
    [
        (
            "pronoun",
            "i me you he him she her it we us they them mine yours who what someone nothing everyone",
        ),
        (
            "determiner",
            "the a an my your his its our their this that these those some any every each both all",
        ),
        (
            "preposition",
            "of to in on at by for with without from about into between under over since until during",
        ),
        ("conjunction", "and or but because if although while unless when than"),
        (
            "adverb",
            "always never often usually sometimes now then here there very too also already yet why how",
        ),
        ("number", "zero one two three eleven twelve thirteen twenty thirty hundred thousand million"),
        ("noun", "monday sunday january december spain mexico england english spanish french"),
        ("adjective", "english spanish american german first second third last"),
    ],
)
def test_closed_classes_are_complete(pos: str, lemmas: str) -> None:
    have = {lemma for lemma, found, _ in entries(FUNCTION_WORDS) if found == pos}
    assert set(lemmas.split()) <= have


def test_phrases_are_fixed_multi_word_expressions() -> None:
    table = rows(PHRASES)
    assert table[0] == ["phrase", "translation"]
    phrases = [phrase for phrase, _ in table[1:]]
    assert len(phrases) == len(set(phrases)) >= 1000
    for phrase, translation in table[1:]:
        assert re.fullmatch(r"[a-z][a-z']*( [a-z][a-z']*)+", phrase), phrase
        assert SPANISH.fullmatch(translation), phrase
        assert translation == translation.strip()


@pytest.mark.parametrize(
    ("phrase", "spanish"),
    [
        ("at home", "en casa"),
        ("to school", "a la escuela"),
        ("every day", "todos los días"),
        ("last night", "anoche"),
        ("by bus", "en autobús"),
        ("on mondays", "los lunes"),
        ("a lot of", "mucho"),
    ],
)
def test_everyday_phrases_are_not_word_for_word(phrase: str, spanish: str) -> None:
    assert dict(map(tuple, rows(PHRASES)[1:]))[phrase] == spanish
