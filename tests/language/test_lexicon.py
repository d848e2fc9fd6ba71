import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.language.lexicon import (
    AUXILIARY_LEMMAS,
    MODALS,
    UnknownVerb,
    is_irregular,
    is_known_word,
    is_used_as_verb,
    lemmas,
    paradigm,
)
from tutor.language.verb_tables import verbs


def test_every_form_of_every_verb_leads_back_to_it() -> None:
    for base, verb in verbs().items():
        for form in verb.forms():
            assert base in lemmas(form) or form in MODALS, (base, form)


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("went", ("go",)),
        ("saw", ("see", "saw")),
        ("found", ("find", "found")),
        ("lay", ("lie", "lay")),
        ("felt", ("feel",)),
        ("left", ("leave",)),
        ("bound", ("bind", "bound")),
        ("ground", ("grind", "ground")),
        ("wound", ("wind", "wound")),
        ("fell", ("fall", "fell")),
        ("putting", ("put", "putt")),
        ("learnt", ("learn",)),
        ("gotten", ("get",)),
        ("lain", ("lie",)),
        ("hanged", ("hang",)),
        ("awoken", ("awake",)),
        ("dying", ("die",)),
        ("dyeing", ("dye",)),
        ("tables", ("table",)),
        ("Does", ("do",)),
        ("HAS", ("have",)),
    ],
)
def test_ambiguous_forms_rank_the_likelier_verb_first(form: str, expected: tuple[str, ...]) -> None:
    assert lemmas(form) == expected


@pytest.mark.parametrize(
    ("forms", "lemma"),
    [
        ("be am is are was were been being 'm 're isn't aren't wasn't weren't I’m", "be"),
        ("have has had having 've haven't hasn't hadn't", "have"),
        ("do does did done doing don't doesn't didn't don’t", "do"),
        ("can could can't cannot couldn't", "can"),
        ("will would 'll won't wouldn't", "will"),
        ("shall should shan't shouldn't", "shall"),
        ("may might mightn't", "may"),
        ("must mustn't", "must"),
        ("ought oughtn't", "ought"),
    ],
)
def test_auxiliaries_contracted_or_not_lead_to_their_lemma(forms: str, lemma: str) -> None:
    for form in forms.split():
        assert lemmas(form.removeprefix("I"))[0] == lemma


def test_clitics_with_two_readings_have_both() -> None:
    assert lemmas("'s") == ("be", "have")
    assert lemmas("'d") == ("will", "have")


@pytest.mark.parametrize(
    "word", ["the", "beautiful", "goed", "writen", "king", "happiness", "", "42", "'", "niño"]
)
def test_what_is_no_verb_form_has_no_lemma(word: str) -> None:
    assert lemmas(word) == ()


@given(st.text(max_size=20))
def test_any_text_has_lemmas_that_are_verbs(text: str) -> None:
    assert set(lemmas(text)) <= set(verbs()) | AUXILIARY_LEMMAS
    assert is_known_word(text) or not lemmas(text)


def test_letter_case_does_not_matter_to_a_paradigm() -> None:
    assert paradigm("Go") == paradigm("GO") == paradigm("go")


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("table-cloth", "'table-cloth' is not an English verb that can be conjugated"),
        ("went", "'went' is not the base form of its verb, 'go'"),
        ("saw", None),
    ],
)
def test_what_is_no_base_form_is_refused_with_the_reason(word: str, message: str | None) -> None:
    if message is None:
        assert paradigm(word).past == ("sawed",)
        return
    with pytest.raises(UnknownVerb) as caught:
        paradigm(word)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "word", ["house", "colour", "realised", "don't", "app", "Spanish", "BEAUTIFUL", "could"]
)
def test_british_modern_and_capital_words_are_known(word: str) -> None:
    assert is_known_word(word)


@pytest.mark.parametrize("word", ["writen", "goed", "occured", "becouse", "hapy", "", "..."])
def test_misspellings_are_not_known_words(word: str) -> None:
    assert not is_known_word(word)


def test_irregular_means_that_no_rule_gives_the_forms() -> None:
    assert all(map(is_irregular, ("be", "Go", "can", "learn", "put")))
    assert not any(map(is_irregular, ("walk", "stop", "table-cloth")))


def test_nouns_that_are_hardly_verbs_are_told_from_verbs() -> None:
    assert not any(map(is_used_as_verb, ("people", "table", "times")))
    assert all(map(is_used_as_verb, ("answer", "has", "like", "writing", "was", "would")))


def test_the_import_loads_neither_numpy_nor_the_dictionaries() -> None:
    heavy = "{'numpy', 'lemminflect', 'spellchecker', 'spacy'}"
    code = f"import sys, tutor.language.morphology; print({heavy} & set(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert loaded.strip() == "set()"
