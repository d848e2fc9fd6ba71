import pytest
from jsonschema import Draft202012Validator

from tests.planner.test_lattice import conjugate, observe
from tutor.language.scope import ScopeReason
from tutor.language.tokens import tokenize
from tutor.planner.coverage import LOOKS
from tutor.planner.schema import StepSchema, spans_of
from tutor.tools.registry import tools

SENTENCE = "He goed and she have went home."
OBSERVED = observe(
    conjugate("go"),
    ("check_subject_verb_agreement", {"subject": "she", "verb": "have went"}),
    ("lookup_spanish", {"word": "home"}),
)


def valid(schema: dict[str, object], step: object) -> bool:
    return Draft202012Validator(schema).is_valid(step)


def final(
    corrected: str | None, rationale: list[str], gloss: str | None = None, in_scope: bool = True
) -> object:
    answer = {"corrected": corrected, "rationale": rationale, "spanish_gloss": gloss, "in_scope": in_scope}
    return {"next": "final_answer", "answer": answer}


@pytest.fixture
def state() -> StepSchema:
    return StepSchema(SENTENCE, OBSERVED, tuple(tools()))


def test_a_call_names_a_tool_of_the_registry_and_a_verb_of_the_sentence(state: StepSchema) -> None:
    def lookup(tool: str, verb: str) -> object:
        return {"next": "tool_call", "tool": tool, "args": {"verb": verb}}

    schema = state.schema()
    assert valid(schema, lookup("lookup_irregular_verb", "go"))
    assert valid(schema, lookup("lookup_irregular_verb", "do"))
    assert not valid(schema, lookup("lookup_irregular_verb", "swim"))
    assert not valid(schema, lookup("lookup_verb", "go"))


def test_subject_and_verb_of_the_agreement_tool_stand_in_the_sentence(state: StepSchema) -> None:
    def check(subject: str, verb: str) -> object:
        args = {"subject": subject, "verb": verb}
        return {"next": "tool_call", "tool": "check_subject_verb_agreement", "args": args}

    schema = state.schema()
    assert valid(schema, check("she", "have went"))
    assert not valid(schema, check("they", "have went"))
    assert not valid(schema, check("she", "has went"))


def test_a_correction_without_a_reason_is_no_answer(state: StepSchema) -> None:
    assert not valid(state.schema(), final("He went and she have went home.", []))


def test_each_changed_group_is_cited_by_a_reason_of_its_own(state: StepSchema) -> None:
    both = "He went and she has gone home."
    schema = state.narrowed(both)
    first = 'Step 1: "went" is the past simple of "go".'
    second = 'Step 2: with "she", the present perfect of "go" is "has gone".'
    assert valid(schema, final(both, [first, second]))
    assert not valid(schema, final(both, [first]))
    assert not valid(schema, final(both, [first, first]))
    assert not valid(schema, final("He went and she have went home.", [first, second]))


def test_a_gloss_is_null_or_what_lookup_spanish_returned(state: StepSchema) -> None:
    glosses = OBSERVED[2].result.model_dump()
    assert glosses
    reasons = state.schema()["anyOf"][-1]["properties"]["answer"]["properties"]["rationale"]["prefixItems"]
    statements = [reason["const"] for reason in reasons]
    assert valid(state.schema(), final(None, statements))
    assert not valid(state.schema(), final(None, statements, "perro"))


def test_out_of_scope_is_no_answer_without_a_reason_that_holds(state: StepSchema) -> None:
    assert not valid(state.schema(), final(None, ["no verb"], in_scope=False))


def test_a_scope_reason_that_holds_leaves_no_other_answer() -> None:
    schema = StepSchema("My house.", (), tuple(tools()), (ScopeReason.no_verb,)).schema()
    assert valid(schema, final(None, ["no verb"], in_scope=False))
    assert not valid(schema, final(None, ["not English"], in_scope=False))
    assert not valid(schema, final(None, []))


def test_spans_hold_up_to_eight_words_and_begin_and_end_with_one() -> None:
    sentence = "One, two three four five six seven eight nine!"
    spans = spans_of(sentence, tokenize(sentence))
    assert "One, two" in spans
    assert "One, two three four five six seven eight" in spans
    assert sentence[:-1] not in spans
    assert "One," not in spans


def test_a_sentence_without_words_offers_no_call_with_an_empty_choice() -> None:
    schema = StepSchema("?!", (), tuple(tools())).schema()
    names = [branch["properties"].get("tool", {}).get("const") for branch in schema["anyOf"]]
    assert "check_subject_verb_agreement" not in names
    assert "conjugate" in names


def test_an_answer_carries_the_gloss_of_its_own_text() -> None:
    observed = observe(conjugate("go"), ("lookup_spanish", {"word": "He went to school."}))
    state = StepSchema("He goed to school.", observed, tuple(tools()))
    corrected, reason = "He went to school.", 'Step 1: "went" is the past simple of "go".'
    assert valid(state.narrowed(corrected), final(corrected, [reason], "Él fue a la escuela."))
    assert not valid(state.narrowed(corrected), final(corrected, [reason], None))


@pytest.mark.parametrize("word", [SENTENCE, "He went and she have went home.", "home", "He went home."])
def test_once_a_text_of_the_lattice_was_looked_up_in_spanish_only_an_answer_is_left(word: str) -> None:
    observed = observe(
        conjugate("go"),
        ("check_subject_verb_agreement", {"subject": "she", "verb": "have went"}),
        ("lookup_spanish", {"word": word}),
    )
    branches = StepSchema(SENTENCE, observed, tuple(tools())).schema()["anyOf"]
    nexts = {branch["properties"]["next"]["const"] for branch in branches}
    assert nexts == ({"final_answer"} if len(word) > 20 else {"final_answer", "tool_call"})


def _asked(sentence: str, *, looks: int = LOOKS, names: tuple[str, ...] | None = None) -> set[str]:
    """Return the verbs that the first call may be about."""
    schema = StepSchema(sentence, (), names or tuple(tools()), looks=looks).schema()
    verbs = [branch["properties"]["args"]["properties"]["verb"] for branch in schema["anyOf"]]
    return {str(verb) for each in verbs for verb in each.get("enum", [each.get("const")])}


def test_the_first_group_that_waits_is_looked_at_first_unless_there_are_more_than_looks() -> None:
    sentence = "He goed home, she sing and they swimmed."
    assert _asked(sentence) == _asked(sentence, looks=3) == {"go"}
    assert _asked(sentence, looks=2) == {"go", "sing", "swim"}


def test_a_group_that_no_tool_looks_at_keeps_no_other_one_waiting() -> None:
    names = ("check_subject_verb_agreement", "lookup_spanish")
    assert _asked("He went home and she go.", names=names) == {"go"}
    assert valid(StepSchema("He went home.", (), names).schema(), final(None, []))


@pytest.mark.parametrize(("tense", "asks"), [("present_perfect", True), ("gerund", False)])
def test_a_question_is_asked_for_in_a_finite_tense(tense: str, asks: bool) -> None:
    observed = observe(("check_subject_verb_agreement", {"subject": "she", "verb": "Do"}))
    schema = StepSchema("Do she went home?", observed, tuple(tools())).schema()
    args = {"verb": "go", "tense": tense, "person": "3sg"}
    plain, question = (
        {"next": "tool_call", "tool": "conjugate", "args": each}
        for each in (args, {**args, "question": True})
    )
    assert not valid(schema, plain)
    assert valid(schema, question) == asks


def test_that_a_form_is_not_finite_is_no_reason_to_leave_what_does_not_agree() -> None:
    observed = observe(("check_subject_verb_agreement", {"subject": "He", "verb": "go"}))
    schema = StepSchema("He go.", observed, tuple(tools())).schema()
    assert valid(schema, final(None, []))
    assert not valid(schema, final(None, ['Step 1: "go" is the base form of "go".']))
