import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutor.language.agreement import agrees, fitting_persons
from tutor.language.morphology import Person, Tense, conjugate

EVERYDAY = st.sampled_from(["be", "have", "do", "go", "study", "put", "watch", "see"])


@settings(deadline=None)  # the first call loads the lexicon
@given(EVERYDAY, st.sampled_from(list(Person)), st.sampled_from([Tense.present_simple, Tense.past_simple]))
def test_every_conjugated_form_agrees_with_its_person(lemma: str, person: Person, tense: Tense) -> None:
    for form in conjugate(lemma, tense, person):
        assert agrees(form, lemma, (person,)) is True


@pytest.mark.parametrize(
    ("word", "lemma", "person"),
    [("go", "go", Person.third_sg), ("goes", "go", Person.first_pl), ("is", "be", Person.first_sg),
     ("was", "be", Person.third_pl), ("be", "be", Person.third_sg), ("have", "have", Person.third_sg)],
)  # fmt: skip
def test_wrong_forms_do_not_agree(word: str, lemma: str, person: Person) -> None:
    assert agrees(word, lemma, (person,)) is False


def test_two_accepted_persons_leave_it_undecided() -> None:
    both = (Person.third_sg, Person.third_pl)
    assert agrees("is", "be", both) is None
    assert agrees("went", "go", both) is True
    assert agrees("am", "be", both) is False


def test_non_finite_forms_have_no_person() -> None:
    assert fitting_persons("going", "go") is None
    assert fitting_persons("gone", "go") is None
    assert fitting_persons("been", "be") is None
