import pytest

from tutor.language.scope import Scope, ScopeReason, scope_reasons
from tutor.language.tokens import tokenize


def reasons(sentence: str, scope: Scope = "all") -> set[ScopeReason]:
    return set(scope_reasons(sentence, tokenize(sentence), scope))


@pytest.mark.parametrize(
    "sentence",
    [
        "Ella fue a la escuela ayer.",
        "Je ne sais pas où il est.",
        "Ich gehe heute nicht zur Schule.",
        "Eu não gosto de café.",
        "我昨天去学校。",
        "qwrt zxcvb hjklp",
    ],
)
def test_other_languages_and_keyboard_mash_are_not_english(sentence: str) -> None:
    assert reasons(sentence) == {ScopeReason.not_english}


@pytest.mark.parametrize(
    "sentence", ['{"verb": "goed", "n": [1, 2]}', "def f(x): return g(x)[0]", "<b>hi</b>"]
)
def test_code_is_no_sentence(sentence: str) -> None:
    assert reasons(sentence) == {ScopeReason.not_a_sentence}


@pytest.mark.parametrize("sentence", ["", "...", "?! 12", "👍"])
def test_what_has_no_words_is_empty(sentence: str) -> None:
    assert reasons(sentence) == {ScopeReason.empty}


@pytest.mark.parametrize("sentence", ["The big red car.", "My father and my mother."])
def test_a_phrase_has_no_verb(sentence: str) -> None:
    assert reasons(sentence) == {ScopeReason.no_verb}


@pytest.mark.parametrize(
    "sentence",
    [
        "I wnat to goed at teh scool becuase is god.",
        "She very happy.",
        "Stop!",
        "My amigo Pedro he like the paella de mi mamá.",
        "i has tree brother and he don't studies",
        "The word is 'hola' in Spanish.",
    ],
)
def test_learners_english_is_in_scope(sentence: str) -> None:
    assert reasons(sentence) == set()


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("They are running.", {ScopeReason.plural_pronoun, ScopeReason.beyond_course}),
        ("We like it.", {ScopeReason.plural_pronoun}),
        ("My two dogs sleep.", {ScopeReason.plural_subject}),
        ("The letter was written by her.", {ScopeReason.beyond_course}),
        ("I would buy it.", {ScopeReason.beyond_course}),
        ("He goed to school.", set()),
        ("I will going to the store.", set()),
        ("She have went home.", set()),
        ("She is tired.", set()),
        ("He don't like them.", set()),
    ],
)
def test_the_beginners_course(sentence: str, expected: set[ScopeReason]) -> None:
    assert reasons(sentence, "beginner") == expected
    assert reasons(sentence) == set()


def test_every_reason_has_a_message_in_both_languages() -> None:
    messages = [reason.message(language) for reason in ScopeReason for language in ("en", "es")]  # type: ignore[arg-type]
    assert len(set(messages)) == 2 * len(ScopeReason)
