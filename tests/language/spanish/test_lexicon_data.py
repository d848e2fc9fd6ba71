"""Invariants of the core English-Spanish lexicon: verbs, and nouns, adjectives and adverbs from a to m."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from tutor.language import morphology
from tutor.language.spanish.conjugation import is_spanish_verb
from tutor.paths import corpus_dir

VERBS = "verbs.tsv"
WORDS = "words_a_m.tsv"
LEXICONS = (VERBS, WORDS, "words_n_z.tsv", "function_words.tsv")
HEADWORD = re.compile(r"[a-zé][a-zé' .-]*")
INFINITIVE = re.compile(r"[a-zñáéíóúü]*(?:ar|er|ir|ír|ár|ér)(?:se)?")
VERB_TRANSLATION = re.compile(r"(?:no )?(?P<infinitive>\S+)(?: [a-zñáéíóúüA-Z ]+)?(?: \[[a-zñáéíóú ]+\])?")
NOUN_TRANSLATION = re.compile(r"[A-Za-zñáéíóúü -]+ \((?:m|f|mf|mp|fp)\)")
PHRASE = re.compile(r"[A-Za-zñáéíóúü ]+")


def rows(name: str) -> list[list[str]]:
    lines = (corpus_dir() / "spanish" / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines]


def entries(name: str) -> list[tuple[str, str, list[str]]]:
    return [(lemma, pos, cell.split("; ")) for lemma, pos, cell in rows(name)[1:]]


def infinitives(translations: list[str]) -> list[str]:
    matches = [VERB_TRANSLATION.fullmatch(translation) for translation in translations]
    assert all(matches), translations
    return [match["infinitive"] for match in matches if match]


@pytest.mark.parametrize("name", [VERBS, WORDS])
def test_a_row_is_a_lower_case_headword_a_part_of_speech_and_distinct_translations(name: str) -> None:
    assert rows(name)[0] == ["lemma", "pos", "translations"]
    allowed = {"verb"} if name == VERBS else {"noun", "adjective", "adverb"}
    for lemma, pos, translations in entries(name):
        assert HEADWORD.fullmatch(lemma), lemma
        assert pos in allowed, lemma
        assert all(text and text == text.strip() for text in translations), lemma
        assert len(translations) == len(set(translations)), lemma


def test_no_headword_has_two_entries_of_one_part_of_speech_in_the_whole_lexicon() -> None:
    keys = Counter((lemma, pos) for name in LEXICONS for lemma, pos, _ in entries(name))
    assert [key for key, count in keys.items() if count > 1] == []


def test_headwords_are_in_alphabetical_order_so_that_they_can_be_found() -> None:
    for name in (VERBS, WORDS):
        keys = [(lemma, pos) for lemma, pos, _ in entries(name)]
        assert keys == sorted(keys)


def test_every_verb_translation_begins_with_an_infinitive() -> None:
    wrong = [
        (lemma, infinitive)
        for lemma, _, translations in entries(VERBS)
        for infinitive in infinitives(translations)
        if not INFINITIVE.fullmatch(infinitive)
    ]
    assert wrong == []


def test_every_verb_translation_can_be_conjugated() -> None:
    unknown = {
        infinitive
        for _, _, translations in entries(VERBS)
        for infinitive in infinitives(translations)
        if not is_spanish_verb(infinitive)
    }
    assert unknown == set()


def test_every_noun_carries_gender_and_no_other_word_does() -> None:
    for lemma, pos, translations in entries(WORDS):
        pattern = NOUN_TRANSLATION if pos == "noun" else PHRASE
        assert all(pattern.fullmatch(text) for text in translations), (lemma, pos, translations)


def test_adjectives_are_cited_in_the_masculine_singular() -> None:
    feminine = [
        (lemma, text)
        for lemma, pos, translations in entries(WORDS)
        if pos == "adjective"
        for text in translations
        if re.search(r"(?:ado|ido|oso|ivo|ico)a?s$|(?:ada|ida|osa|iva|ica)s?$", text) and " " not in text
    ]
    assert feminine == []


def test_words_begin_with_a_to_m() -> None:
    assert {lemma[0] for lemma, _, _ in entries(WORDS)} == set("abcdefghijklm")


def test_the_one_word_verbs_are_english_verbs() -> None:
    defective = {"beware"}  # it has no form but the base
    known = set(morphology.MODALS) | defective
    words = [lemma for lemma, _, _ in entries(VERBS) if " " not in lemma]
    assert [word for word in words if word not in morphology.lemmas(word) and word not in known] == []


def test_the_lexicon_is_as_large_as_promised() -> None:
    verbs = [lemma for lemma, _, _ in entries(VERBS)]
    assert sum(" " not in lemma for lemma in verbs) >= 1300
    assert sum(" " in lemma for lemma in verbs) >= 150
    assert len(entries(WORDS)) >= 1700


@pytest.mark.parametrize(
    ("lemma", "pos", "best"),
    [
        ("get up", "verb", "levantarse"),
        ("dream", "verb", "soñar [con]"),
        ("attend", "verb", "asistir [a]"),
        ("be", "verb", "ser"),
        ("know", "verb", "saber"),
        ("have to", "verb", "tener [que]"),
        ("house", "noun", "casa (f)"),
        ("book", "noun", "libro (m)"),
        ("glasses", "noun", "gafas (fp)"),
        ("happy", "adjective", "feliz"),
        ("carefully", "adverb", "cuidadosamente"),
        ("homework", "noun", "tarea (f)"),
    ],
)
def test_the_commonest_translation_comes_first(lemma: str, pos: str, best: str) -> None:
    name = VERBS if pos == "verb" else WORDS
    found = {(headword, part): translations for headword, part, translations in entries(name)}
    assert found[lemma, pos][0] == best
