import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutor.language.learner_forms import corrected_forms, learner_forms, learner_lemmas
from tutor.language.lexicon import UnknownVerb, is_known_word, lemmas
from tutor.language.verb_tables import irregular_verbs


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        # over-regularised
        ("goed", "went"),
        ("wented", "went"),
        ("choosed", "chose"),
        ("haved", "had"),
        ("haves", "has"),
        ("teached", "taught"),
        ("payed", "paid"),
        ("runned", "ran"),
        ("cutted", "cut"),
        ("costed", "cost"),
        ("beginned", "began"),
        ("flied", "flew"),
        ("gos", "goes"),
        # slips in the ending
        ("writen", "written"),
        ("beeing", "being"),
        ("stoped", "stopped"),
        ("studing", "studying"),
        ("studyed", "studied"),
        ("studys", "studies"),
        ("tryed", "tried"),
        ("makeing", "making"),
        ("comming", "coming"),
        ("WRITTING", "writing"),
        ("dieing", "dying"),
        ("occured", "occurred"),
        ("watchs", "watches"),
        # one letter wrong
        ("aswer", "answer"),
        ("speack", "speak"),
        ("beleive", "believe"),
        ("shoud", "should"),
        ("lerned", "learned"),
    ],
)
def test_a_learners_form_leads_to_the_right_one_first(wrong: str, right: str) -> None:
    assert corrected_forms(wrong)[0] == right
    assert set(learner_lemmas(wrong)) & set(lemmas(right))


@pytest.mark.parametrize(
    "word", ["went", "writing", "house", "colour", "felled", "lied", "founded", "getting"]
)
def test_what_is_a_word_is_no_learners_form(word: str) -> None:
    assert learner_lemmas(word) == corrected_forms(word) == ()


@pytest.mark.parametrize(
    ("word", "own", "other"),
    [
        ("planing", "plane", "plan"),
        ("hoped", "hope", "hop"),
        ("scrapped", "scrap", "scrape"),
        ("dinning", "din", "dine"),
    ],
)
def test_a_word_may_also_be_the_form_of_a_verb_that_one_consonant_tells_from_it(
    word: str, own: str, other: str
) -> None:
    assert lemmas(word) == (own,)
    assert learner_lemmas(word) == (other,)
    assert corrected_forms(word) == ()


@pytest.mark.parametrize("word", ["peopel", "tabel", "beter", "wich", "diferent", "xqzt", "", "3", "a", "!!"])
def test_what_is_nearer_to_no_verb_is_no_learners_form(word: str) -> None:
    assert learner_lemmas(word) == corrected_forms(word) == ()


def test_learner_forms_are_never_right_forms() -> None:
    for base in irregular_verbs():
        for form in learner_forms(base):
            assert lemmas(form) == ()
            assert base in learner_lemmas(form)


@pytest.mark.parametrize("base", ["go", "choose", "have", "begin", "think", "put", "be"])
def test_an_irregular_verb_can_be_over_regularised(base: str) -> None:
    assert any(form.endswith("ed") for form in learner_forms(base))


def test_a_regular_verb_cannot_be_over_regularised() -> None:
    assert learner_forms("walk") == ()


def test_a_word_that_is_no_verb_has_no_learner_forms() -> None:
    with pytest.raises(UnknownVerb):
        learner_forms("blarghful")


@settings(deadline=None)
@given(st.text(alphabet=st.characters(categories=["L", "P", "N", "Zs"]), max_size=25))
def test_corrections_are_right_forms_of_the_lemmas(text: str) -> None:
    corrected = corrected_forms(text)
    assert all(is_known_word(form) for form in corrected)
    if not lemmas(text):
        assert {lemma for form in corrected for lemma in lemmas(form)} >= set(learner_lemmas(text))


@pytest.mark.parametrize("gerund", ["writing", "making", "coming", "beginning", "understanding", "visiting"])
def test_a_consonant_doubled_or_undoubled_anywhere_is_put_right(gerund: str) -> None:
    doubled = (gerund[:at] + gerund[at] + gerund[at:] for at in range(1, len(gerund)))
    undoubled = (
        gerund[:at] + gerund[at + 1 :] for at in range(1, len(gerund) - 1) if gerund[at] == gerund[at + 1]
    )
    for wrong in (*doubled, *undoubled):
        assert is_known_word(wrong) or gerund in corrected_forms(wrong), wrong
