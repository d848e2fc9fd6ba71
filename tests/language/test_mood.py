import pytest

from tutor.language.mood import is_subjunctive
from tutor.language.tokens import tokenize


def verdict(sentence: str, verb: str) -> bool:
    tokens = tokenize(sentence)
    return is_subjunctive(tokens, next(i for i, token in enumerate(tokens) if token.norm == verb))


@pytest.mark.parametrize(
    ("sentence", "verb"),
    [
        ("If I were taller, I would play basketball.", "were"),
        ("She wishes he were on her side.", "were"),
        ("They look at him as though he were a ghost.", "were"),
        ("We suggest that she apply for the post.", "apply"),
        ("It is essential that the oil be hot.", "be"),
        ("Speak softly lest the baby wake.", "wake"),
        ("The judge demanded he answer at once.", "answer"),
    ],
)
def test_a_form_that_wishes_or_demands_ask_for_is_subjunctive(sentence: str, verb: str) -> None:
    assert verdict(sentence, verb)


@pytest.mark.parametrize(
    ("sentence", "verb"),
    [
        ("My uncle were at the harbour.", "were"),
        ("If the baker was ill, we ate no cake.", "was"),
        ("She think that the soup is cold.", "think"),
        ("He suggests that she applies for the post.", "applies"),
        ("The cook need a knife.", "need"),
    ],
)
def test_any_other_form_has_to_agree(sentence: str, verb: str) -> None:
    assert not verdict(sentence, verb)
