from tutor.decoding.tokenizer import Tokenizer
from tutor.planner.steps import ToolCall
from tutor.training.examples import choice_example, policy_example


def test_a_choice_example_ends_with_the_target_and_decides_where_rivals_part(tokenizer: Tokenizer) -> None:
    found = choice_example(tokenizer, "He goed home.", "He went home.")
    assert found is not None
    assert (
        tokenizer.decode_bytes(list(found.ids)).decode() == "Learner: He goed home.\nTeacher: He went home."
    )
    for decision in found.decisions:
        assert len(set(decision.allowed)) == len(decision.allowed) > 1
        assert found.ids[decision.position + 1] == decision.allowed[decision.gold]


def test_a_right_sentence_has_an_example_too(tokenizer: Tokenizer) -> None:
    found = choice_example(tokenizer, "He went home.", "He went home.")
    assert found is not None
    assert found.decisions


def test_a_target_out_of_the_lattice_s_reach_is_no_example(tokenizer: Tokenizer) -> None:
    assert choice_example(tokenizer, "He goed home.", "He flew home.") is None


def test_a_run_decides_only_what_the_mask_leaves_open(tokenizer: Tokenizer) -> None:
    calls = [ToolCall(tool="lookup_irregular_verb", args={"verb": "go"})]
    found = policy_example(tokenizer, "He goed home.", "He went home.", calls)
    assert found is not None
    for decision in found.decisions:
        assert len(decision.allowed) > 1
        assert found.ids[decision.position + 1] == decision.allowed[decision.gold]


def test_a_call_that_the_mask_forbids_is_no_example(tokenizer: Tokenizer) -> None:
    calls = [ToolCall(tool="lookup_irregular_verb", args={"verb": "fly"})]
    assert policy_example(tokenizer, "He goed home.", "He went home.", calls) is None
