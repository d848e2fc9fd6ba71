import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutor.language.agreement import agrees
from tutor.language.categories import NON_FINITE
from tutor.language.tokens import tokenize
from tutor.tools.base import ToolError
from tutor.tools.check_subject_verb_agreement import TOOL, Args, Result, run


def check(subject: str, verb: str) -> Result:
    return run(Args(subject=subject, verb=verb))


@pytest.mark.parametrize(
    ("subject", "verb", "verdict", "expected"),
    [
        ("He", "goed", False, "went"),
        ("The list of items", "are", False, "is"),
        ("They", "have went", True, "have gone"),
        ("She", "have went", False, "has gone"),
        ("She", "don't likes", False, "does not like"),
        ("The team", "are", None, "is"),
        ("My sister", "can to swim", True, "can swim"),
        ("I", "am agree", True, "agree"),
        ("Pedro", "not like", False, "does not like"),
        ("many people", "is", False, "are"),
    ],
)
def test_verdict_and_expected_form(subject: str, verb: str, verdict: bool | None, expected: str) -> None:
    result = check(subject, verb)
    assert result.agrees is verdict
    assert result.expected[0] == expected
    assert result.evidence()[0].form == expected


@settings(deadline=None)  # the first call loads the lexicon
@given(
    st.sampled_from(["I", "she", "the dogs", "you"]),
    st.sampled_from(["goed", "go", "have went", "is", "can to go"]),
)
def test_every_finite_form_of_the_evidence_agrees_and_the_non_finite_ones_are_there(
    subject: str, verb: str
) -> None:
    result = check(subject, verb)
    assert {"base", "to_infinitive", "gerund", "past_participle"} <= {each.slot for each in result.evidence()}
    for evidence in (each for each in result.evidence() if each.slot not in NON_FINITE):
        first = tokenize(evidence.form)[0].norm
        assert agrees(first, evidence.lemma, result.persons) is not False, evidence


def test_learner_forms_are_never_evidence() -> None:
    assert "goed" not in {evidence.form for evidence in check("He", "goed").evidence()}


def test_the_auxiliary_is_evidence_for_its_own_lemma() -> None:
    found = {(evidence.lemma, evidence.form) for evidence in check("She", "have went").evidence()}
    assert {("have", "has"), ("go", "has gone"), ("go", "goes")} <= found


@pytest.mark.parametrize("verb", ["are", "goed", "have went"])
def test_the_observation_is_short(verb: str) -> None:
    assert len(check("The boy", verb).prompt_text().split()) <= 5


def test_a_group_without_a_verb_is_an_error() -> None:
    from tutor.tools.registry import call

    assert isinstance(call(TOOL.name, {"subject": "He", "verb": "xyzq"}), ToolError)
