import pytest

from tutor.agent.tutor import MODEL
from tutor.decoding.tokenizer import Tokenizer
from tutor.language.tokens import tokenize
from tutor.paths import models_dir
from tutor.planner.coverage import LOOKS
from tutor.planner.schema import spans_of
from tutor.planner.steps import ToolCall
from tutor.training.errors import Broken, Edit
from tutor.training.examples import policy_example
from tutor.training.oracle import OutOfReachError, oracle_steps


def broken(source: str, *edits: tuple[str, str]) -> Broken:
    found, target, at = [], source, 0
    for wrong, right in edits:
        at = source.index(wrong, at)
        found.append(Edit(at, at + len(wrong), wrong, right, "TENSE"))
    for edit in reversed(found):
        target = target[: edit.start] + edit.right + target[edit.end :]
    return Broken(source, target, tuple(found))


@pytest.mark.parametrize(
    ("pair", "tool"),
    [
        (broken("My aunt writed a song.", ("writed", "wrote")), "lookup_irregular_verb"),
        (broken("My aunt sell old maps.", ("sell", "sells")), "check_subject_verb_agreement"),
        (broken("My aunt sells old maps."), "check_subject_verb_agreement"),
        (broken("She can to sing.", ("to sing", "sing")), "conjugate"),
        (broken("He swimming in the lake.", ("swimming", "is swimming")), "conjugate"),
    ],
)
def test_each_kind_of_error_has_its_tool(pair: Broken, tool: str) -> None:
    steps = oracle_steps(pair)
    assert steps[0]["tool"] == tool
    assert steps[-1] == {"tool": "lookup_spanish", "args": {"word": pair.target}}


def test_every_call_is_within_the_mask() -> None:
    pair = broken(
        "Last year my cousins sells the boat and buyed a horse.", ("sells", "sold"), ("buyed", "bought")
    )
    spans = spans_of(pair.source, tokenize(pair.source))
    steps = oracle_steps(pair)
    assert [step["args"].get("verb") for step in steps] == ["sells", "buy", None]
    assert all(step["args"]["subject"] in spans for step in steps if "subject" in step["args"])


def test_a_question_is_asked_for_the_auxiliary_that_stands_apart() -> None:
    calls = oracle_steps(broken("Are you agree with him?", ("Are", "Do")))
    assert [step["args"] for step in calls[1:-1]] == [
        {"verb": "agree", "tense": "present_simple", "person": "2sg", "question": True}
    ]


def test_an_auxiliary_that_keeps_its_tense_is_asked_for_agreement() -> None:
    calls = oracle_steps(broken("My niece has yet to blow the whistle."))
    assert [step["tool"] for step in calls[:2]] == ["check_subject_verb_agreement", "conjugate"]


def test_another_auxiliary_than_the_looks_return_is_asked_for_after_them() -> None:
    calls = oracle_steps(broken("She does never begun a course.", ("does", "has")))
    assert [step["args"].get("verb") for step in calls] == ["does", "begin", "have", None]


def test_a_wrong_verb_that_looks_like_a_noun_is_asked_for_after_the_likely_ones() -> None:
    calls = oracle_steps(broken("The twins are about spin wool.", ("spin", "to spin")))
    assert [step["args"].get("verb") for step in calls] == ["are", "spin", None]


def test_many_verbs_do_not_pass_the_cap() -> None:
    text = "I came, I saw, I ate, I drank, I slept, I woke, I sang, I ran and then I go."
    steps = oracle_steps(broken(text, ("go", "went")))
    assert len(steps) == LOOKS + 1
    assert {"go"} <= {step["args"].get("verb") for step in steps}


@pytest.mark.parametrize(
    "pair",
    [
        broken(
            "Last year my cousins sells the boat and buyed a horse.", ("sells", "sold"), ("buyed", "bought")
        ),
        broken("I came, I saw it, I ate, I drank, I came back, I slept and then I go.", ("go", "went")),
        broken(
            "She was ill, we ate, they drank, he was ill, you slept, I left and then I go.", ("go", "went")
        ),
        broken("Did they ate before she eat?", ("ate", "eat"), ("eat?", "eats?")),
        broken("Are you agree with him?", ("Are", "Do")),
        broken("Can you to send it by email?", ("to send", "send")),
        broken("She does never begun a course.", ("does", "has")),
        broken("The twins are about spin wool.", ("spin", "to spin")),
        broken("After have swept the kitchen, I went to bed.", ("have", "having")),
    ],
)
def test_each_run_is_one_that_the_masks_of_its_states_allow(pair: Broken) -> None:
    calls = [ToolCall(**step) for step in oracle_steps(pair)]
    assert policy_example(Tokenizer(models_dir() / MODEL), pair.source, pair.target, calls) is not None


def test_a_correction_that_no_tool_supports_is_refused() -> None:
    with pytest.raises(OutOfReachError):
        oracle_steps(broken("My aunt sells maps.", ("maps", "charts")))
