"""Every token of a run is accounted for: what the records say is what was decoded, and the mask allowed it."""

import math

import pytest
import torch

from tests.scripted import ScriptedModel
from tutor.agent.react import react
from tutor.agent.state import Run
from tutor.decoding.distribution import distribution
from tutor.decoding.mask import Mask
from tutor.decoding.queries import LanguageModel, Predict, Query, run_alone
from tutor.decoding.tokenizer import Tokenizer
from tutor.planner.choice import ChoiceWeights
from tutor.planner.coverage import LOOKS
from tutor.planner.planner import Planner, PlannerOptions
from tutor.planner.schema import StepSchema
from tutor.selfcheck import RandomLogits
from tutor.tracing.compact import token_bytes
from tutor.tracing.files import RunTrace, StepTrace
from tutor.tracing.records import HeaderRecord, Level, ModelInfo, Record

SENTENCES = ["He goed to school.", "She don't like it 😀 naïve."]


class Random(RandomLogits):
    def _answer(self, query: Query) -> torch.Tensor:
        if isinstance(query, Predict) and query.before:
            return torch.randn(query.before + 1, self.tokenizer.size, generator=self._generator)
        return super()._answer(query)


def traced(
    model: LanguageModel, sentence: str, level: Level, *, whole: bool = True, seed: int | None = None
) -> tuple[Run, RunTrace]:
    planner = Planner(model, ChoiceWeights(), PlannerOptions(whole_alternatives=whole))
    records: list[Record] = []
    run = run_alone(
        model, react(planner.start(sentence, seed=seed, level=level), sentence, sink=records.append)
    )
    none = ModelInfo(name="none", sha256="", tokenizer_sha256="")
    trace = RunTrace(
        HeaderRecord(
            sentence_id="1", sentence=sentence, created="", versions={}, model=none, prompt_sha256=""
        )
    )
    for record in records:
        trace.add(record)
    return run, trace


def check_allowed(step: StepTrace, run: Run, tokenizer: Tokenizer) -> None:
    schema = StepSchema(
        run.sentence, tuple(run.observed[: step.number - 1]), PlannerOptions().tools, looks=LOOKS
    )
    masks = [Mask(tokenizer, schema.schema())]
    assert step.step is not None
    if corrected := step.step.parsed.get("answer", {}).get("corrected"):
        masks.append(
            Mask(tokenizer, schema.narrowed(corrected))
        )  # what it narrows to once the correction stands
    for token in step.tokens:
        allowed = [mask.allowed() for mask in masks]
        assert any(token.token_id in each for each in allowed)
        assert token.allowed is None or token.allowed in [len(each) for each in allowed]
        for mask in masks:
            mask.consume([token.token_id])
    assert all(mask.finished for mask in masks)


@pytest.mark.parametrize(("level", "whole"), [(Level.decisions, False), (Level.full, True)])
def test_records_are_the_text_byte_for_byte_and_the_mask_allowed_every_token(
    tokenizer: Tokenizer, level: Level, whole: bool
) -> None:
    steps = 0
    for seed, sentence in enumerate(SENTENCES):
        run, trace = traced(Random(tokenizer, seed), sentence, level, whole=whole, seed=seed)
        for step in trace.steps:
            assert step.step is not None
            assert b"".join(map(token_bytes, step.tokens)) == step.step.text.encode()
            check_allowed(step, run, tokenizer)
            asked = [token for token in step.tokens if token.logprob_before is not None]
            assert all(token.origin != "decided" or token.joint or token in asked for token in step.tokens)
            assert level is Level.decisions or asked == step.tokens
            assert step.step.decided == sum(t.origin == "decided" and not t.joint for t in step.tokens)
            steps += 1
    assert steps > 2 * len(SENTENCES)


def test_full_decodes_what_decisions_decodes(tokenizer: Tokenizer) -> None:
    script = [
        '{"next":"tool_call","tool":"conjugate","args":{"verb":"go","tense":"past_simple","person":"3sg"}}',
        '{"next":"final_answer","answer":{"corrected":"He went home.","rationale":[],"spanish_gloss":null,"in_scope":true}}',
    ]
    found = {
        level: traced(ScriptedModel(tokenizer, script), "He goes home.", level, whole=False)[1]
        for level in (Level.decisions, Level.full)
    }
    decisions, full = ([t for step in trace.steps for t in step.tokens] for trace in found.values())
    assert [token.token_id for token in decisions] == [token.token_id for token in full]
    for one, other in zip(decisions, full, strict=True):
        if one.logprob_before is not None:
            assert other.logprob_before == pytest.approx(one.logprob_before, abs=1e-5)
            assert other.blocked_mass == pytest.approx(one.blocked_mass, abs=1e-5)
    wished = next(t for t in full if t.origin == "forced_grammar" and t.text == "call")
    assert wished.logprob_before is not None
    assert wished.allowed == 1


def test_a_distribution_before_and_after_the_mask(tokenizer: Tokenizer) -> None:
    go, went, other = (tokenizer.encode(word)[0] for word in ("go", "went", "x"))
    logits = torch.full((tokenizer.size + 5,), -torch.inf)
    logits[[go, went, other]] = torch.tensor([0.2, 0.3, 0.5]).log()
    found = distribution(tokenizer, logits, torch.tensor([go, went]).sort().values.numpy(), go, top=2)
    assert found["logprob_before"] == pytest.approx(math.log(0.2), abs=1e-6)
    assert found["logprob_after"] == pytest.approx(math.log(0.4), abs=1e-6)
    assert found["blocked_mass"] == pytest.approx(0.5, abs=1e-6)
    assert found["entropy_before"] == pytest.approx(1.0297, abs=1e-4)
    assert found["entropy_after"] == pytest.approx(0.6730, abs=1e-4)
    assert found["best_blocked"].text == "x"
    assert found["best_rival"].text == "went"
    assert [(c.text, c.allowed) for c in found["top"]] == [("x", False), ("went", True)]
