import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tutor.language.morphology import (
    GAP,
    MODALS,
    NON_FINITE,
    NoSuchForm,
    Person,
    Tense,
    UnknownVerb,
    conjugate,
    lemmas,
    paradigm,
    tense_table,
)
from tutor.language.verb_tables import verbs

FINITE = tuple(tense for tense in Tense if tense not in NON_FINITE)

# Person: present, past, each positive; its contracted negatives.
BE = {
    Person.first_sg: ("am", "was", None, "wasn't"),
    Person.second_sg: ("are", "were", "aren't", "weren't"),
    Person.third_sg: ("is", "was", "isn't", "wasn't"),
    Person.first_pl: ("are", "were", "aren't", "weren't"),
    Person.second_pl: ("are", "were", "aren't", "weren't"),
    Person.third_pl: ("are", "were", "aren't", "weren't"),
}


@pytest.mark.parametrize("person", Person)
def test_be_agrees_with_every_person(person: Person) -> None:
    present, past, not_present, not_past = BE[person]
    assert conjugate("be", Tense.present_simple, person) == (present,)
    assert conjugate("be", Tense.past_simple, person) == (past,)
    assert conjugate("be", Tense.present_continuous, person) == (f"{present} being",)
    negative = tuple(form for form in (f"{present} not", not_present) if form)
    assert conjugate("be", Tense.present_simple, person, negative=True) == negative
    assert conjugate("be", Tense.past_simple, person, negative=True) == (f"{past} not", not_past)
    assert conjugate("be", Tense.present_simple, person, question=True) == (f"{present} {GAP}",)
    assert conjugate("be", Tense.past_simple, person, question=True) == (f"{past} {GAP}",)
    assert conjugate("be", Tense.past_simple, person, negative=True, question=True) == (
        f"{past} {GAP} not",
        f"{not_past} {GAP}",
    )


def test_am_i_not_is_aren_t_i() -> None:
    asked = conjugate("be", Tense.present_simple, Person.first_sg, negative=True, question=True)
    assert asked == (f"am {GAP} not", f"aren't {GAP}")


@pytest.mark.parametrize(
    ("lemma", "third", "past", "participle"), [("have", "has", "had", "had"), ("do", "does", "did", "done")]
)
@pytest.mark.parametrize("person", Person)
def test_have_and_do_as_main_verbs_take_do_support(
    lemma: str, third: str, past: str, participle: str, person: Person
) -> None:
    is_third = person is Person.third_sg
    do, have = ("does", "has") if is_third else ("do", "have")
    assert conjugate(lemma, Tense.present_simple, person) == (third if is_third else lemma,)
    assert conjugate(lemma, Tense.past_simple, person) == (past,)
    assert conjugate(lemma, Tense.present_perfect, person) == (f"{have} {participle}",)
    assert conjugate(lemma, Tense.present_simple, person, negative=True) == (
        f"{do} not {lemma}",
        f"{do}n't {lemma}",
    )
    assert conjugate(lemma, Tense.past_simple, person, negative=True) == (
        f"did not {lemma}",
        f"didn't {lemma}",
    )
    assert conjugate(lemma, Tense.present_simple, person, question=True) == (f"{do} {GAP} {lemma}",)
    assert conjugate(lemma, Tense.past_simple, person, question=True) == (f"did {GAP} {lemma}",)


@pytest.mark.parametrize(
    ("modal", "present", "past", "not_present", "not_past"),
    [
        ("can", "can", "could", ("cannot", "can't"), ("could not", "couldn't")),
        ("could", "could", "could", ("could not", "couldn't"), ("could not", "couldn't")),
        ("may", "may", "might", ("may not",), ("might not", "mightn't")),
        ("might", "might", "might", ("might not", "mightn't"), ("might not", "mightn't")),
        ("must", "must", None, ("must not", "mustn't"), None),
        ("shall", "shall", "should", ("shall not", "shan't"), ("should not", "shouldn't")),
        ("should", "should", "should", ("should not", "shouldn't"), ("should not", "shouldn't")),
        ("will", "will", "would", ("will not", "won't"), ("would not", "wouldn't")),
        ("would", "would", "would", ("would not", "wouldn't"), ("would not", "wouldn't")),
        ("ought", "ought", None, ("ought not", "oughtn't"), None),
    ],
)
@pytest.mark.parametrize("person", Person)
def test_modals_have_a_present_and_a_past_for_all_persons_and_nothing_else(
    modal: str,
    present: str,
    past: str | None,
    not_present: tuple[str, ...],
    not_past: tuple[str, ...] | None,
    person: Person,
) -> None:
    table = {Tense.present_simple: (present,)} | ({Tense.past_simple: (past,)} if past else {})
    negative = {Tense.present_simple: not_present} | ({Tense.past_simple: not_past} if not_past else {})
    assert tense_table(modal, person) == table
    assert tense_table(modal, person, negative=True) == negative
    assert conjugate(modal, Tense.present_simple, person, question=True) == (f"{present} {GAP}",)
    with pytest.raises(NoSuchForm):
        conjugate(modal, Tense.gerund, person)


def test_the_table_above_names_every_modal() -> None:
    assert set(MODALS) == {
        "can",
        "could",
        "may",
        "might",
        "must",
        "ought",
        "shall",
        "should",
        "will",
        "would",
    }


@pytest.mark.parametrize(("tense", "form", "negative", "question"), [
    (Tense.present_simple, "writes", "does not write|doesn't write", "does ... write"),
    (Tense.past_simple, "wrote", "did not write|didn't write", "did ... write"),
    (Tense.future_simple, "will write", "will not write|won't write", "will ... write"),
    (Tense.conditional, "would write", "would not write|wouldn't write", "would ... write"),
    (Tense.present_continuous, "is writing", "is not writing|isn't writing", "is ... writing"),
    (Tense.past_continuous, "was writing", "was not writing|wasn't writing", "was ... writing"),
    (Tense.future_continuous, "will be writing", "will not be writing|won't be writing", "will ... be writing"),
    (Tense.present_perfect, "has written", "has not written|hasn't written", "has ... written"),
    (Tense.past_perfect, "had written", "had not written|hadn't written", "had ... written"),
    (Tense.future_perfect, "will have written", "will not have written|won't have written", "will ... have written"),
    (Tense.conditional_perfect, "would have written", "would not have written|wouldn't have written", "would ... have written"),
    (Tense.present_perfect_continuous, "has been writing", "has not been writing|hasn't been writing", "has ... been writing"),
    (Tense.past_perfect_continuous, "had been writing", "had not been writing|hadn't been writing", "had ... been writing"),
    (Tense.can, "can write", "cannot write|can't write", "can ... write"),
    (Tense.could, "could write", "could not write|couldn't write", "could ... write"),
    (Tense.may, "may write", "may not write", "may ... write"),
    (Tense.might, "might write", "might not write|mightn't write", "might ... write"),
    (Tense.must, "must write", "must not write|mustn't write", "must ... write"),
    (Tense.should, "should write", "should not write|shouldn't write", "should ... write"),
    (Tense.could_have, "could have written", "could not have written|couldn't have written", "could ... have written"),
    (Tense.should_have, "should have written", "should not have written|shouldn't have written", "should ... have written"),
    (Tense.must_have, "must have written", "must not have written|mustn't have written", "must ... have written"),
    (Tense.might_have, "might have written", "might not have written|mightn't have written", "might ... have written"),
    (Tense.present_passive, "is written", "is not written|isn't written", "is ... written"),
    (Tense.past_passive, "was written", "was not written|wasn't written", "was ... written"),
    (Tense.future_passive, "will be written", "will not be written|won't be written", "will ... be written"),
    (Tense.conditional_passive, "would be written", "would not be written|wouldn't be written", "would ... be written"),
    (Tense.present_perfect_passive, "has been written", "has not been written|hasn't been written", "has ... been written"),
    (Tense.past_perfect_passive, "had been written", "had not been written|hadn't been written", "had ... been written"),
    (Tense.present_continuous_passive, "is being written", "is not being written|isn't being written", "is ... being written"),
    (Tense.past_continuous_passive, "was being written", "was not being written|wasn't being written", "was ... being written"),
    (Tense.can_passive, "can be written", "cannot be written|can't be written", "can ... be written"),
    (Tense.could_passive, "could be written", "could not be written|couldn't be written", "could ... be written"),
    (Tense.should_passive, "should be written", "should not be written|shouldn't be written", "should ... be written"),
    (Tense.must_passive, "must be written", "must not be written|mustn't be written", "must ... be written"),
    (Tense.may_passive, "may be written", "may not be written", "may ... be written"),
    (Tense.might_passive, "might be written", "might not be written|mightn't be written", "might ... be written"),
])  # fmt: skip
def test_each_finite_tense_of_write(tense: Tense, form: str, negative: str, question: str) -> None:
    person = Person.third_sg
    assert conjugate("write", tense, person) == (form,)
    assert conjugate("write", tense, person, negative=True) == tuple(negative.split("|"))
    assert conjugate("write", tense, person, question=True) == (question,)


@pytest.mark.parametrize(
    ("tense", "form"),
    [
        (Tense.base, "write"),
        (Tense.to_infinitive, "to write"),
        (Tense.gerund, "writing"),
        (Tense.past_participle, "written"),
        (Tense.perfect_infinitive, "to have written"),
        (Tense.perfect_base, "have written"),
        (Tense.continuous_base, "be writing"),
        (Tense.passive_base, "be written"),
        (Tense.passive_to_infinitive, "to be written"),
        (Tense.passive_gerund, "being written"),
        (Tense.passive_participle, "been written"),
    ],
)
def test_each_non_finite_form_of_write(tense: Tense, form: str) -> None:
    for person in Person:
        assert conjugate("write", tense, person) == (form,)
        assert conjugate("write", tense, person, negative=True) == (f"not {form}",)
        with pytest.raises(NoSuchForm):
            conjugate("write", tense, person, question=True)


def test_the_two_tables_above_cover_every_tense() -> None:
    assert len(FINITE) == 37
    assert len(NON_FINITE) == 11


def test_variants_multiply_through_a_group() -> None:
    assert conjugate("learn", Tense.present_perfect, Person.first_sg) == ("have learned", "have learnt")
    assert set(conjugate("get", Tense.past_perfect, Person.first_pl)) == {"had got", "had gotten"}


@pytest.mark.parametrize("lemma", ["be", "happen", "arrive", "die", "have"])
def test_verbs_that_have_no_passive_say_so(lemma: str) -> None:
    with pytest.raises(NoSuchForm, match="no passive"):
        conjugate(lemma, Tense.past_passive, Person.third_sg)
    assert not any("passive" in tense for tense in tense_table(lemma, Person.third_sg))


@given(st.sampled_from(sorted(verbs())), st.sampled_from(Person), st.booleans())
@example(lemma="can", person=Person.first_sg, negative=False)
@example(lemma="can", person=Person.first_sg, negative=True)
@example(lemma="will", person=Person.first_sg, negative=True)
def test_every_cell_of_every_verb_is_made_of_its_own_forms_and_auxiliaries(
    lemma: str, person: Person, negative: bool
) -> None:
    own = {*paradigm(lemma).forms(), "am", "are"} if lemma == "be" else set(paradigm(lemma).forms())
    # A verb that is a modal as well ("to can", "to will") is conjugated as the modal.
    own |= set(filter(None, MODALS.get(lemma, ())))
    own |= {"can": {"cannot", "can't"}, "will": {"won't"}}.get(lemma, set())
    for forms in tense_table(lemma, person, negative=negative).values():
        assert forms
        for form in forms:
            *auxiliaries, head = form.removesuffix(" not").split(" ")
            assert head in own or head.removesuffix("n't") in own
            assert all(word in ("to", "not") or lemmas(word) for word in auxiliaries)


@given(st.sampled_from(sorted(verbs())), st.sampled_from(FINITE), st.sampled_from(Person), st.booleans())
def test_a_question_is_the_statement_split_after_its_first_word(
    lemma: str, tense: Tense, person: Person, negative: bool
) -> None:
    if tense not in tense_table(lemma, person) or tense in (Tense.present_simple, Tense.past_simple):
        return
    asked = {
        " ".join(form.replace(GAP, "").split()) for form in conjugate(lemma, tense, person, question=True)
    }
    assert asked == set(conjugate(lemma, tense, person))


def test_persons_differ_only_where_english_agrees() -> None:
    plural = [Person.first_pl, Person.second_pl, Person.third_pl, Person.second_sg]
    for lemma in ("go", "be", "study", "have"):
        for one, other in itertools.pairwise(plural):
            assert tense_table(lemma, one) == tense_table(lemma, other)


@pytest.mark.parametrize("word", ["goed", "table-cloth", "went", "", "not a verb"])
def test_what_is_no_verb_cannot_be_conjugated(word: str) -> None:
    with pytest.raises(UnknownVerb):
        conjugate(word, Tense.base, Person.first_sg)
