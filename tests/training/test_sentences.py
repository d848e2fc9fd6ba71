import gzip
from pathlib import Path
from random import Random

import pytest

from tutor.training.sentences import clean_sentences, compose, is_clean, lower_first, read_sentences, rename


@pytest.mark.parametrize(
    "sentence",
    [
        "My aunt sells flowers.",
        "Where do they live now?",
        "She doesn't know us.",
        'He said "no" to everybody.',
        "Mr. Bean met us at 5 p.m. in York.",
    ],
)
def test_a_plain_sentence_is_clean(sentence: str) -> None:
    assert is_clean(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Too short here",
        "No end mark in this one",
        "We left early. They stayed behind.",
        "This has an emoji in it 🙂 today.",
        "lower case at the start of it.",
        "Blorf zindle wug the frabjous quxle.",
        "One" + " two" * 40 + ".",
    ],
)
def test_anything_else_is_left_out(sentence: str) -> None:
    assert not is_clean(sentence)


def test_a_column_named_english_is_read_and_duplicates_are_dropped(tmp_path: Path) -> None:
    table = tmp_path / "pairs.tsv.gz"
    rows = "english\tspanish\nMy aunt sells flowers.\tx\nMy aunt sells flowers.\ty\n"
    table.write_bytes(gzip.compress(rows.encode()))
    plain = tmp_path / "more.txt"
    plain.write_text("My aunt sells flowers!\nThe boats left before noon.\n", encoding="utf-8")
    assert clean_sentences([table, plain]) == ["My aunt sells flowers.", "The boats left before noon."]


def test_no_opening_fills_the_set(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(
        "".join(f"I like the {word}.\n" for word in ["sea", "sun", "rain", "wind"]), encoding="utf-8"
    )
    assert len(clean_sentences([path], per_opening=2)) == 2


def test_a_table_without_the_column_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("a\tb\n1\t2\n", encoding="utf-8")
    with pytest.raises(ValueError, match="english"):
        list(read_sentences(path))


def test_renaming_leaves_the_grammar_alone() -> None:
    for seed in range(40):
        text = rename("Tom thinks that Mary is tired.", Random(seed))
        assert text.endswith("is tired.")
        assert " thinks that " in text
        assert not text.startswith("They")


def test_joined_sentences_keep_their_words() -> None:
    for seed in range(60):
        text = compose("The boats left.", "I stayed at home.", Random(seed))
        assert "boats left" in text
        assert text[0].isupper()
        assert text.count(".") == 1


def test_only_what_is_no_name_loses_its_capital() -> None:
    assert lower_first("The dog barks.") == "the dog barks."
    assert lower_first("I bark.") == "I bark."
    assert lower_first("Rome is old.") == "Rome is old."
