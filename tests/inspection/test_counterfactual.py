"""A model that is scripted to want what the mask forbids: what it would have said is known."""

from collections.abc import Iterator, Sequence

import jsonschema
import pytest
import torch

from tests.recorded_trace import weather
from tests.scripted import ScriptedModel
from tests.tracing.exports.runs import as_run
from tutor.agent.react import react
from tutor.decoding.queries import Query, run_alone
from tutor.decoding.tokenizer import Tokenizer
from tutor.inspection.counterfactual import Counterfactual, counterfactuals, form_schema
from tutor.planner.choice import ChoiceWeights
from tutor.planner.planner import Planner, PlannerOptions
from tutor.tools.registry import tools
from tutor.tracing.anomalies import anomalies
from tutor.tracing.files import RunTrace
from tutor.tracing.records import HeaderRecord, Level, ModelInfo

SENTENCE = "He goes home."
CALL = '{"next":"tool_call","tool":"conjugate","args":{"verb":"fly","tense":"past_simple","person":"3sg"}}'
ANSWER = '{"next":"final_answer","answer":{"corrected":"She flew.","rationale":[],"spanish_gloss":null,"in_scope":true}}'
CHATTER = "Sure! It is went."


class Sure(ScriptedModel):
    """A model that is sure of its script."""

    def answer(self, queries: Sequence[Query]) -> list[torch.Tensor]:
        return [20 * logits for logits in super().answer(queries)]


def run_and_what_if(
    tokenizer: Tokenizer, script: list[str], references: tuple[str, ...] = ()
) -> tuple[RunTrace, Iterator[Counterfactual]]:
    model = Sure(tokenizer, script)
    planner = Planner(model, ChoiceWeights(), PlannerOptions(whole_alternatives=False))
    none = ModelInfo(name="none", sha256="", tokenizer_sha256="")
    run = RunTrace(
        HeaderRecord(
            sentence_id="1", sentence=SENTENCE, created="", versions={}, model=none, prompt_sha256=""
        )
    )
    run_alone(model, react(planner.start(SENTENCE, level=Level.full), SENTENCE, 2, run.add))
    return run, counterfactuals(run, model, references)


def test_a_run_of_another_generator_is_refused(tokenizer: Tokenizer) -> None:
    with pytest.raises(ValueError, match="another generator"):
        next(counterfactuals(as_run(weather()), ScriptedModel(tokenizer, [])))


def test_an_invented_verb_and_an_invented_answer_are_said_without_grounding_and_refused_with_it(
    tokenizer: Tokenizer,
) -> None:
    run, (call, answer) = run_and_what_if(tokenizer, [CALL, ANSWER], ("He went home.",))
    free, form, grounded = call.sayings
    assert free.text == form.text == CALL
    assert free.step
    assert [violation.guarantee for violation in free.violations] == ["G2"]
    assert grounded.grounded
    assert grounded.text == run.steps[0].text != CALL
    free, form, grounded = answer.sayings
    assert free.text == form.text == ANSWER
    assert "G3" in [violation.guarantee for violation in free.violations]
    assert (free.right, form.right) == (False, False)
    assert [saying.right for saying in call.sayings] == [None] * 3
    assert grounded.grounded
    wishes = [each for each in anomalies(run) if each.kind == "against_wish"]
    refused = {each.path: each.message for each in reversed(wishes)}  # the first at each path
    assert refused["$.args.verb"] == 'the model wanted "fly" (100.0%), the mask gave "go"'
    assert refused["$.answer.corrected"] == 'the model wanted "She" (100.0%), the mask gave "He"'


def test_the_form_alone_makes_a_step_of_chatter(tokenizer: Tokenizer) -> None:
    _, states = run_and_what_if(tokenizer, [CHATTER])
    free, form, grounded = next(states).sayings
    assert free.text.startswith(CHATTER)
    assert not free.step
    assert free.right is None
    assert form.step
    assert grounded.grounded


@pytest.mark.parametrize("name", list(tools()))
def test_the_form_has_every_tool_and_no_grounding(name: str) -> None:
    schema = form_schema(SENTENCE)
    assert name in [branch["properties"].get("tool", {}).get("const") for branch in schema["anyOf"]]
    validator = jsonschema.Draft202012Validator(schema)
    assert validator.is_valid(
        {"next": "tool_call", "tool": "lookup_irregular_verb", "args": {"verb": "anything"}}
    )
    assert not validator.is_valid({"next": "tool_call", "tool": "invented", "args": {}})
