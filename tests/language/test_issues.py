import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutor.language.issues import additional_issues
from tutor.language.tokens import tokenize


def found(sentence: str) -> list[tuple[str, str, str | None]]:
    return [
        (issue.kind, sentence[issue.start : issue.end], issue.suggestion)
        for issue in additional_issues(sentence, tokenize(sentence))
    ]


@pytest.mark.parametrize(
    ("sentence", "issue"),
    [
        ("I have 20 years.", ("idiom", "have 20 years", "am 20 years old")),
        ("My cousin has nine years old.", ("idiom", "has nine years old", "is nine years old")),
        ("He made a question yesterday.", ("idiom", "made a question", "asked a question")),
        ("She doesn't want nothing.", ("negation", "nothing", "anything")),
        ("Yesterday i was ill.", ("capitalisation", "i", "I")),
        ("We speak english at home.", ("capitalisation", "english", "English")),
        ("He saw the the cat.", ("repeated_word", "the the", "the")),
        ("She ate a orange.", ("article", "a", "an")),
        ("It is an university.", ("article", "an", "a")),
        ("We waited a hour.", ("article", "a", "an")),
        ("She gave me many informations.", ("plural", "informations", "information")),
        ("He has three brother.", ("plural", "brother", "brothers")),
        ("My freind is here.", ("spelling", "freind", "friend")),
        ("She said that she was tired", ("punctuation", "tired", "tired.")),
    ],
)
def test_errors_outside_of_verb_groups_are_named(sentence: str, issue: tuple[str, str, str]) -> None:
    assert found(sentence) == [issue]


@pytest.mark.parametrize(
    "sentence",
    [
        "I have 20 years of experience.",
        "We have two years to finish it.",
        "He had had an honest uncle in a European university for an hour.",
        "Nothing is wrong and nobody cares.",
        "He goed and choosed a book.",
        "Mr. Kowalczyk visited Zaragoza on iPhone.example.com i.e. online.",
        "The two car garage has a one-way door.",
    ],
)
def test_right_sentences_have_no_issues(sentence: str) -> None:
    assert found(sentence) == []


@settings(deadline=None)  # the first call loads the lexicon
@given(st.text(max_size=80))
def test_issues_of_any_text_are_in_order_and_do_not_overlap(sentence: str) -> None:
    end = 0
    for issue in additional_issues(sentence, tokenize(sentence)):
        assert end <= issue.start < issue.end <= len(sentence)
        end = issue.end
