import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from tutor.language.lexicon import lemmas
from tutor.language.morphology import MODALS, Person, Tense, learner_forms, tense_table
from tutor.language.verb_tables import irregular_verbs, verbs
from tutor.tools.base import ToolError
from tutor.tools.conjugate import Args, Result, run
from tutor.tools.registry import call

calls = st.builds(
    Args,
    verb=st.sampled_from(sorted([*verbs(), *MODALS])),
    tense=st.sampled_from(Tense),
    person=st.sampled_from(Person),
    negative=st.booleans(),
    question=st.booleans(),
)


def conjugated(verb: str, tense: Tense, person: Person, **options: bool) -> Result:
    return run(Args(verb=verb, tense=tense, person=person, **options))


def test_the_asked_form_is_the_first_evidence_and_the_prompt_text() -> None:
    result = conjugated("go", Tense.past_simple, Person.third_sg)
    first = result.evidence()[0]
    assert (first.lemma, first.form, first.slot, first.person) == ("go", "went", "past_simple", "3sg")
    assert result.prompt_text() == "went"


def test_one_call_puts_the_whole_table_and_the_one_word_forms_on_the_table() -> None:
    evidence = conjugated("like", Tense.present_simple, Person.third_sg, negative=True).evidence()
    forms = {item.form for item in evidence}
    assert {
        form for cell in tense_table("like", Person.third_sg, negative=True).values() for form in cell
    } <= forms
    assert {"like", "likes", "liked", "liking", "to like"} <= forms
    assert {item.form for item in evidence[:2]} == {"does not like", "doesn't like"}


def test_a_question_is_evidence_for_the_auxiliary_and_for_the_verb() -> None:
    pieces = conjugated("go", Tense.past_simple, Person.third_sg, question=True).evidence()[:2]
    assert [(item.lemma, item.form, item.slot) for item in pieces] == [
        ("do", "did", "past_simple"),
        ("go", "go", "base"),
    ]


def test_the_verb_of_a_perfect_question_is_a_participle() -> None:
    pieces = conjugated("put", Tense.present_perfect, Person.third_sg, question=True).evidence()[:2]
    assert [(item.lemma, item.form, item.slot) for item in pieces] == [
        ("have", "has", "present_simple"),
        ("put", "put", "past_participle"),
    ]


def test_the_rest_of_a_question_s_table_is_evidence_piece_by_piece() -> None:
    evidence = conjugated("agree", Tense.present_simple, Person.second_sg, question=True).evidence()
    pieces = {(item.lemma, item.form, item.slot) for item in evidence}
    assert {
        ("do", "did", "past_simple"),
        ("have", "have", "present_simple"),
        ("be", "are", "present_simple"),
    } <= pieces
    assert {("agree", "be agreeing", "continuous_base"), ("agree", "agreed", "past_participle")} <= pieces
    assert [slot for _, form, slot in pieces if form == "been agreeing"] == ["continuous_participle"]
    assert "have agreed" not in {form for _, form, slot in pieces if slot == "present_perfect"}


def test_be_is_evidence_in_every_person_it_has() -> None:
    forms = {item.form for item in conjugated("be", Tense.past_simple, Person.third_pl).evidence()}
    assert {"am", "is", "are", "was", "were", "be", "been", "being", "to be"} <= forms


@given(calls)
def test_evidence_belongs_to_its_lemma_and_holds_no_learner_form_or_gap(args: Args) -> None:
    result = call("conjugate", args.model_dump())
    for item in result.evidence():
        *auxiliaries, head = item.form.removesuffix(" not").removeprefix("not ").split(" ")
        assert item.lemma in lemmas(head) or item.lemma in MODALS
        assert "..." not in item.form
        assert item.form == " ".join(item.form.lower().split())
        assert item.lemma not in irregular_verbs() or not {*auxiliaries, head} & set(
            learner_forms(item.lemma)
        )


@given(calls)
def test_no_evidence_is_stated_twice(args: Args) -> None:
    evidence = call("conjugate", args.model_dump()).evidence()
    assert len(set(evidence)) == len(evidence)


@pytest.mark.parametrize(
    ("verb", "message"),
    [
        ("table-cloth", "'table-cloth' is not an English verb that can be conjugated"),
        ("went", "'went' is not the base form of its verb, 'go'"),
    ],
)
def test_an_unknown_verb_is_an_error_that_says_why(verb: str, message: str) -> None:
    result = call("conjugate", {"verb": verb, "tense": "base", "person": "1sg"})
    assert result == ToolError(error=message)
    assert result.evidence() == ()


def test_a_form_that_a_verb_lacks_is_an_error() -> None:
    result = call("conjugate", {"verb": "can", "tense": "gerund", "person": "1sg"})
    assert result == ToolError(error="the modal 'can' has no gerund")


def test_letter_case_and_space_around_the_verb_do_not_matter() -> None:
    assert conjugated(" Go ", Tense.gerund, Person.first_sg) == conjugated(
        "go", Tense.gerund, Person.first_sg
    )


@pytest.mark.parametrize("wrong", [{"tense": "never"}, {"person": "4sg"}, {"verb": " "}, {"mood": "x"}])
def test_arguments_out_of_the_schema_are_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        Args.model_validate({"verb": "go", "tense": "base", "person": "1sg", **wrong})


def test_the_schema_lists_tenses_and_persons_as_enums() -> None:
    definitions = Args.model_json_schema()["$defs"]
    assert definitions["Tense"]["enum"] == [str(tense) for tense in Tense]
    assert definitions["Person"]["enum"] == ["1sg", "2sg", "3sg", "1pl", "2pl", "3pl"]
