import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutor.grounding.alignment import Form, forms_of, is_grounded
from tutor.tools.base import Evidence

FORMS: frozenset[Form] = frozenset(
    [
        *[
            ("go", form)
            for form in ("go", "goes", "went", "gone", "will go", "has gone", "does not go", "doesn't go")
        ],
        *[("agree", form) for form in ("agree", "agrees", "have agreed", "do not agree")],
        *[("swim", form) for form in ("swim", "to swim", "can swim", "is swimming", "will swim")],
        *[("be", form) for form in ("is", "are", "am", "has been")],
        *[("do", form) for form in ("do", "does", "did", "is doing")],
        *[("can", "could"), ("will", "will"), ("will", "would")],
    ]
)


@pytest.mark.parametrize(
    ("sentence", "corrected"),
    [
        ("He goed home.", "He went home."),
        ("I will going.", "I will go."),
        ("I will going.", "I go."),
        ("will going I?", "will go I?"),
        ("I am agree.", "I agree."),
        ("I'm agree.", "I agree."),
        ("I'm agree.", "I've agreed."),
        ("I’m agree.", "I’ve agreed."),
        ("I not agree.", "I do not agree."),
        ("He can to swim.", "He can swim."),
        ("He cannot to swim.", "He can swim."),
        ("He can't to swim.", "He can't swim."),
        ("He can't swims.", "He couldn't swim."),
        ("He don't goes.", "He doesn't go."),
        ("He don’t goes.", "He doesn’t go."),
        ("He don't goes.", "He does not go."),
        ("There is many.", "There are many."),
        ("There's many.", "There are many."),
        ("You's many.", "You're many."),
        ("Are you agree?", "Do you agree?"),
        ("GOED HE?", "WENT HE?"),
        ("Goed he?", "Went he?"),
        ("He  will  going .", "He  will  go ."),
        ("He  will\tgoing .", "He  go ."),
        ("Did he went and he goed?", "Did he go and he went?"),
        ('He "goed" 😀\n.', 'He "went" 😀\n.'),
        ("He don't swims.", "He won't swim."),
    ],
)
def test_a_group_may_become_a_form_of_its_lemma(sentence: str, corrected: str) -> None:
    assert is_grounded(sentence, corrected, FORMS)


@pytest.mark.parametrize(
    ("sentence", "corrected", "why"),
    [
        ("He goed home.", "He goed house.", "another word was changed"),
        ("He goed home.", "He went home. OK", "text follows"),
        ("He goed home.", "so He went home.", "text precedes"),
        ("He goed home.", "He went  home.", "spacing was changed"),
        ("He goed home.", "he went home.", "case outside the group was changed"),
        ("He goed home.", "He Went home.", "a capital that was not there"),
        ("he goed home.", "he WENT home.", "capitals that were not there"),
        ("He goed home.", "He swim home.", "form of another lemma"),
        ("He goed home.", "He goeds home.", "no form of any verb"),
        ("He goed home.", "He home.", "the group was left out"),
        ("He goed home.", "He is home.", "only an auxiliary may become another auxiliary"),
        ("He is here.", "He is doing here.", "only one-word forms for another auxiliary"),
        ("I am agree.", "I've agreed.", "a contraction that was not there"),
        ("I'm agree.", "Iagree.", "the group lost its space"),
        ("He cannot to swim.", "He canswim.", "the group lost its space"),
        ("He cannot swim.", "He couldnot swim.", "no such word"),
        ("I don't agree.", "I amn't agree.", "no such contraction"),
        ("He can't swim.", "He cann't swim.", "no such contraction"),
        ("He can't to swim.", "He ca swim.", "half a contraction"),
        ("He has always goed.", "He went.", "an adverb stands in between"),
        ("He goed.", "He goed", "the full stop was lost"),
    ],
)
def test_nothing_else_may_change(sentence: str, corrected: str, why: str) -> None:
    assert not is_grounded(sentence, corrected, FORMS), why


def test_a_gap_for_the_subject_is_no_form() -> None:
    forms = forms_of([Evidence(lemma="go", form="does ... go", slot="present_simple")])
    assert not is_grounded("He goed.", "He does ... go.", forms)


@settings(deadline=None)  # the lexicons are read on first use
@given(st.text())
def test_a_text_is_grounded_in_itself(sentence: str) -> None:
    assert is_grounded(sentence, sentence, frozenset())


@settings(deadline=None)  # the lexicons are read on first use
@given(st.text(), st.text())
def test_without_forms_nothing_else_is_grounded(sentence: str, other: str) -> None:
    assert is_grounded(sentence, other, frozenset()) == (sentence == other)


@settings(deadline=None)  # the lexicons are read on first use
@given(
    st.lists(st.sampled_from(["He", "goed", "will", "n't", "to", " ", "'s", "'", "!", "do", "can"])),
    st.data(),
)
def test_a_stray_letter_is_always_noticed(pieces: list[str], data: st.DataObject) -> None:
    sentence = "".join(pieces)
    at = data.draw(st.integers(0, len(sentence)))
    assert not is_grounded(sentence, f"{sentence[:at]}z{sentence[at:]}", FORMS)
