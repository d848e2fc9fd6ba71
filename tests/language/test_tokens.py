from hypothesis import given
from hypothesis import strategies as st

from tutor.language.tokens import tokenize


def texts(sentence: str) -> list[str]:
    return [token.text for token in tokenize(sentence)]


def norms(sentence: str) -> list[str]:
    return [token.norm for token in tokenize(sentence)]


@given(st.text())
def test_tokens_cover_every_character_but_white_space_once(sentence: str) -> None:
    tokens = tokenize(sentence)
    end = 0
    for token in tokens:
        assert sentence[token.start : token.end] == token.text != ""
        assert not any(c.isspace() for c in token.text)
        assert sentence[end : token.start].strip() == ""
        end = token.end
    assert sentence[end:].strip() == ""


def test_contractions_are_split_and_expanded() -> None:
    assert " ".join(texts("I don't, she's, can't; cannot won't")) == (
        "I do n't , she 's , ca n't ; can not wo n't"
    )
    assert " ".join(norms("can't won't they'll I've you're I'm she's he'd")) == (
        "can not will not they will i have you are i am she 's he 'd"
    )


def test_curly_apostrophes_read_like_straight_ones() -> None:
    assert norms("Don’t she’s") == norms("Don't she's") == ["do", "not", "she", "'s"]
    assert texts("Don’t") == ["Do", "n’t"]


def test_stacked_clitics_are_split() -> None:
    assert norms("She wouldn't've gone") == ["she", "would", "not", "have", "gone"]


def test_words_are_told_from_numbers_and_marks() -> None:
    assert [(t.text, t.is_word) for t in tokenize("I paid 3,50 € in well-known shops...")] == [
        ("I", True), ("paid", True), ("3,50", False), ("€", False), ("in", True),
        ("well", True), ("-", False), ("known", True), ("shops", True), ("...", False),
    ]  # fmt: skip


def test_of_between_a_modal_and_a_participle_is_read_as_have() -> None:
    assert norms("He should of gone.")[2] == norms("They mustn't of seen it.")[3] == "have"
    assert norms("He can of course go.")[2] == norms("Tired of waiting")[1] == "of"
