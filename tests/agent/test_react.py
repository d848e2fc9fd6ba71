import pytest

from tests.scripted import ScriptedModel
from tutor.agent.react import react
from tutor.agent.state import Run, StopReason
from tutor.decoding.queries import run_alone
from tutor.decoding.tokenizer import Tokenizer
from tutor.planner.choice import ChoiceWeights
from tutor.planner.planner import Planner, PlannerOptions

SENTENCE = "He goes to school yesterday."
CONJUGATE = (
    '{"next":"tool_call","tool":"conjugate","args":{"verb":"go","tense":"past_simple","person":"3sg"}}'
)
LOOKUP = '{"next":"tool_call","tool":"lookup_irregular_verb","args":{"verb":"go"}}'
CORRECT = (
    '{"next":"final_answer","answer":{"corrected":"He went to school yesterday.","rationale":'
    '["Step 1: \\"went\\" is the past simple of \\"go\\"."],"spanish_gloss":null,"in_scope":true}}'
)


def run(tokenizer: Tokenizer, script: list[str], max_steps: int = 8, sentence: str = SENTENCE) -> Run:
    options = PlannerOptions(whole_alternatives=False)
    planner = Planner(ScriptedModel(tokenizer, script), ChoiceWeights(), options)
    return run_alone(planner.model, react(planner.start(sentence), sentence, max_steps))


def test_evidence_then_answer_ends_with_a_grounded_correction(tokenizer: Tokenizer) -> None:
    ended = run(tokenizer, [CONJUGATE, CORRECT])
    assert ended.stop_reason is StopReason.final_answer
    assert ended.answer is not None
    assert ended.answer.corrected == "He went to school yesterday."
    assert ended.answer.rationale == ('Step 1: "went" is the past simple of "go".',)


def test_the_same_call_twice_in_a_row_ends_the_run_with_the_partial_trace(tokenizer: Tokenizer) -> None:
    ended = run(tokenizer, [CONJUGATE, CONJUGATE, CORRECT])
    assert ended.stop_reason is StopReason.duplicate_action
    assert ended.answer is None
    assert len(ended.observed) == 1


def test_the_same_call_with_another_between_is_no_duplicate(tokenizer: Tokenizer) -> None:
    ended = run(tokenizer, [CONJUGATE, LOOKUP, CONJUGATE, CORRECT])
    assert ended.stop_reason is StopReason.final_answer


@pytest.mark.parametrize("cap", [1, 3, 8])
def test_the_cap_ends_the_run_with_every_step_in_the_trace(tokenizer: Tokenizer, cap: int) -> None:
    ended = run(tokenizer, [CONJUGATE, LOOKUP] * 8, cap)
    assert ended.stop_reason is StopReason.step_cap
    assert [step.number for step in ended.observed] == list(range(1, cap + 1))


def test_more_than_eight_steps_cannot_be_asked_for(tokenizer: Tokenizer) -> None:
    assert len(run(tokenizer, [CONJUGATE, LOOKUP] * 8, 20).observed) == 8


def test_a_tool_error_is_an_observation_and_no_evidence(tokenizer: Tokenizer) -> None:
    failing = '{"next":"tool_call","tool":"lookup_irregular_verb","args":{"verb":"can"}}'
    unchanged = '{"next":"final_answer","answer":{"corrected":null,"rationale":[],"spanish_gloss":null,"in_scope":true}}'
    look = '{"next":"tool_call","tool":"check_subject_verb_agreement","args":{"subject":"he","verb":"can"}}'
    ended = run(tokenizer, [look, failing, unchanged], sentence="Yes, he can.")
    assert "error" in ended.observed[1].result.prompt_text()
    assert ended.observed[1].evidence == ()
    assert ended.answer is not None
    assert ended.answer.corrected is None


def test_a_wish_for_an_ungrounded_word_is_refused(tokenizer: Tokenizer) -> None:
    wish = CORRECT.replace("He went", "She flew")
    ended = run(tokenizer, [CONJUGATE, wish])
    assert ended.answer is not None
    assert ended.answer.corrected is None or "flew" not in ended.answer.corrected
