import pytest

from tutor.language.nouns import is_noun, noun_number, plural_of


@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("dog", "singular"), ("dogs", "plural"), ("games", "plural"), ("bus", "singular"), ("women", "plural"),
        ("police", "plural"), ("news", "singular"), ("series", "either"), ("team", "either"), ("childrens", "plural"),
        ("informations", "either"), ("Kowals", "either"), ("Lima", "singular"), ("blorps", "plural"),
    ],
)  # fmt: skip
def test_number_by_form(word: str, number: str) -> None:
    assert noun_number(word) == number


@pytest.mark.parametrize(("noun", "plural"), [("dog", "dogs"), ("child", "children"), ("city", "cities")])
def test_plural_of_a_singular(noun: str, plural: str) -> None:
    assert plural_of(noun) == plural
    assert is_noun(noun)
    assert is_noun(plural)


def test_what_is_no_noun_has_no_plural() -> None:
    assert plural_of("goed") is None
    assert not is_noun("goed")
