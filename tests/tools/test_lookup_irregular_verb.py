import pytest

from tutor.language.verb_tables import irregular_verbs
from tutor.tools.base import ToolError
from tutor.tools.lookup_irregular_verb import Args, run
from tutor.tools.registry import call


def test_the_principal_parts_come_with_all_variants() -> None:
    result = run(Args(verb="get"))
    assert result.is_irregular
    assert (result.past_simple, set(result.past_participle)) == (("got",), {"got", "gotten"})
    assert run(Args(verb="go")).prompt_text() == "go goes went gone going"


def test_a_regular_verb_is_looked_up_too() -> None:
    result = run(Args(verb="study"))
    assert not result.is_irregular
    assert result.prompt_text() == "study studies studied studied studying"
    assert result.learner_forms == ()


@pytest.mark.parametrize("verb", sorted(irregular_verbs()))
def test_learner_forms_are_reported_but_never_evidence(verb: str) -> None:
    result = run(Args(verb=verb))
    forms = {item.form for item in result.evidence()}
    assert {verb, f"to {verb}", *result.past_simple, *result.past_participle, *result.gerund} <= forms
    assert not forms & set(result.learner_forms)
    assert all(item.lemma == verb for item in result.evidence())


@pytest.mark.parametrize(
    ("verb", "message"),
    [
        ("blarghful", "'blarghful' is not an English verb that can be conjugated"),
        ("can", "the modal 'can' has no infinitive, participle or third person"),
    ],
)
def test_what_has_no_principal_parts_is_an_error(verb: str, message: str) -> None:
    assert call("lookup_irregular_verb", {"verb": verb}) == ToolError(error=message)
