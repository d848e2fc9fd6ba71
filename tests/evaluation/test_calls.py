from tests.scripted import ScriptedModel
from tutor.decoding.tokenizer import Tokenizer
from tutor.evaluation.calls import ComparedCalls, State, call_scores, compare_calls
from tutor.evaluation.readers import Item
from tutor.planner.choice import ChoiceWeights
from tutor.planner.planner import Planner, PlannerOptions
from tutor.planner.steps import ToolCall, dump_step

LOOK = ToolCall(tool="conjugate", args={"verb": "go", "tense": "past_simple", "person": "3sg"})
OTHER = ToolCall(tool="conjugate", args={"verb": "go", "tense": "past_perfect", "person": "3sg"})
GLOSS = ToolCall(tool="lookup_spanish", args={"word": "He went to school yesterday."})
ITEM = Item("He goed to school yesterday.", ("He went to school yesterday.",), (LOOK, GLOSS))


def compared(tokenizer: Tokenizer, *script: str) -> list[ComparedCalls]:
    options = PlannerOptions(("conjugate", "lookup_spanish"), whole_alternatives=False)
    planner = Planner(ScriptedModel(tokenizer, script), ChoiceWeights(), options)
    return list(compare_calls(planner, [("own", ITEM), ("own", Item("I sing.", ("I sing.",)))]))


def test_a_planner_is_asked_at_the_oracles_states_whatever_it_did_before(tokenizer: Tokenizer) -> None:
    answer = '{"next":"final_answer","answer":{"corrected":null'
    (good,) = compared(tokenizer, dump_step(LOOK), dump_step(GLOSS), answer)
    assert [state.oracle for state in good.states] == [LOOK, GLOSS, None]
    assert [state.planner for state in good.states] == [LOOK, GLOSS, None]
    (stray,) = compared(tokenizer, dump_step(OTHER), dump_step(GLOSS), answer)
    assert [state.planner for state in stray.states] == [OTHER, GLOSS, None]


def test_tool_and_arguments_are_scored_apart_and_the_answer_has_no_arguments() -> None:
    states = (
        State(oracle=LOOK, planner=OTHER),
        State(oracle=GLOSS, planner=None),
        State(oracle=None, planner=None),
    )
    found = call_scores([ComparedCalls(set="own", source="x", states=states)])
    assert found is not None
    assert found.all.states == 3
    assert found.all.tool.value == 2 / 3
    assert found.all.arguments.value == 0
    assert {tool: score.tool.value for tool, score in found.by_tool.items()} == {
        "conjugate": 1, "lookup_spanish": 0, "final_answer": 1,
    }  # fmt: skip
    assert call_scores([]) is None
