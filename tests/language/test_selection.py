import pytest

from tutor.language.tokens import tokenize
from tutor.language.verb_groups import verb_groups


def likely(sentence: str, word: str) -> bool:
    tokens = tokenize(sentence)
    return any(group.likely and tokens[group.head].norm == word for group in verb_groups(tokens))


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("I am concern about the garden.", "concern"),
        ("She is interest in chemistry.", "interest"),
        ("The brakes will be test by an expert.", "test"),
        ("We need test the engine first.", "test"),
        ("They are good in control the crowd.", "control"),
        ("It is easier plan the trip now.", "plan"),
    ],
)
def test_a_base_form_where_no_noun_can_stand_is_a_verb(sentence: str, word: str) -> None:
    assert likely(sentence, word)


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("This is part of the plan.", "part"),
        ("She is head of the school.", "head"),
        ("The question was a question of money.", "question"),
        ("He is king.", "king"),
        ("The reason is fear of water.", "fear"),
    ],
)
def test_a_noun_after_be_stays_a_noun(sentence: str, word: str) -> None:
    assert not likely(sentence, word)
