import pytest

from tutor.language.tokens import tokenize
from tutor.language.verb_likelihood import prior_log_odds, verb_log_odds


def log_odds(sentence: str, word: str) -> float:
    tokens = tokenize(sentence)
    return verb_log_odds(tokens, [token.norm for token in tokens].index(word))


@pytest.mark.parametrize(
    ("as_verb", "as_noun", "word"),
    [
        ("They walk home.", "They took a walk home.", "walk"),
        ("She can help us.", "She needs my help now.", "help"),
        ("I want to answer you.", "The answer is easy.", "answer"),
    ],
)
def test_context_tells_verb_from_noun(as_verb: str, as_noun: str, word: str) -> None:
    assert log_odds(as_verb, word) > 0 > log_odds(as_noun, word)


def test_a_learner_form_is_rather_a_verb_out_of_context() -> None:
    assert prior_log_odds(tokenize("goed")[0]) > 0
