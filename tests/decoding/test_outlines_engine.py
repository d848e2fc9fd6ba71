"""Outlines as the referee of the mask, and as an engine of its own."""

import json
import shutil
from collections.abc import Sequence
from itertools import islice
from typing import Any, get_args

import numpy as np
import outlines
import pytest
import torch
from outlines.processors import OutlinesLogitsProcessor
from outlines.types import JsonSchema
from transformers import LlamaConfig, LlamaForCausalLM

from tutor.agent.react import react
from tutor.decoding import engine as fast_engine
from tutor.decoding.mask import Mask, MaskError, Schema
from tutor.decoding.model import TransformersModel
from tutor.decoding.outlines_engine import OutlinesEngine, outlines_allowed
from tutor.decoding.queries import run_alone
from tutor.decoding.tokenizer import Tokenizer
from tutor.paths import models_dir
from tutor.planner.choice import ChoiceWeights
from tutor.planner.planner import EngineName, Planner, PlannerOptions
from tutor.selfcheck import random_steps
from tutor.tracing.records import Level, TokenRecord

STEPS = 150
SENTENCE = "He goed to school."


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> TransformersModel:
    """A tiny model with random weights and the shipped tokenizer, in the layout of the shipped one."""
    folder = tmp_path_factory.mktemp("tiny")
    shutil.copy(models_dir() / "tutor-135m" / "tokenizer.json", folder)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=49152, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
        max_position_embeddings=2048, initializer_range=0.5, eos_token_id=2, bos_token_id=1,
        tie_word_embeddings=True,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder)
    return TransformersModel(folder, "cpu", torch.float32)


@pytest.fixture(scope="module")
def engine(model: TransformersModel) -> OutlinesEngine:
    return OutlinesEngine(model)


class Referee:
    """Follows a mask with an Outlines processor, and counts the states in which they differ."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.states = self.differences = 0

    def compare(self, mask: Mask, processor: OutlinesLogitsProcessor, ids: Sequence[int]) -> None:
        theirs = outlines_allowed(processor, torch.tensor([ids]), self.tokenizer)
        self.states += 1
        self.differences += not np.array_equal(mask.allowed(), theirs)


def refereed_mask(engine: OutlinesEngine, referee: Referee) -> type[Mask]:
    class Refereed(Mask):
        def __init__(self, tokenizer: Tokenizer, schema: Schema) -> None:
            super().__init__(tokenizer, schema)
            self.processor, self.ids = engine.processor(schema), list[int]()
            referee.compare(self, self.processor, self.ids)

        def consume(self, tokens: Sequence[int]) -> None:
            for token in tokens:
                super().consume([token])
                self.ids.append(token)
                referee.compare(self, self.processor, self.ids)

    return Refereed


def test_outlines_allows_the_same_tokens_at_every_state_of_random_runs(
    engine: OutlinesEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    referee = Referee(engine.tokenizer)
    monkeypatch.setattr(fast_engine, "Mask", refereed_mask(engine, referee))
    with torch.compiler.set_stance("force_eager"):
        steps = list(islice(random_steps(engine.tokenizer, seed=5), STEPS))
    assert all(step.text for step in steps)
    assert sum('"corrected":"' in step.text for step in steps) > 2
    assert referee.states > 20 * STEPS
    assert referee.differences == 0


def test_the_processor_is_that_of_an_outlines_generator(engine: OutlinesEngine) -> None:
    schema = {
        "x-guidance": {"whitespace_flexible": False},
        "anyOf": [
            {"const": 'say "<|im_end|>"'},
            {"type": "string", "pattern": "^a(?:b|\\\\c)$"},
            {"enum": [None, "é😀"]},
        ],
    }  # fmt: skip
    generator: Any = outlines.Generator(engine.model, JsonSchema(schema), backend="llguidance")
    referee = Referee(engine.tokenizer)
    with torch.compiler.set_stance("force_eager"):
        for text in ('say "<|im_end|>"', "ab", "a\\c", "é😀"):
            generator.logits_processor.reset()
            mask, ids = Mask(engine.tokenizer, schema), list[int]()
            referee.compare(mask, generator.logits_processor, ids)
            for token in engine.tokenizer.encode(json.dumps(text, ensure_ascii=False)):
                mask.consume([token])
                ids.append(token)
                referee.compare(mask, generator.logits_processor, ids)
            assert mask.finished
    assert referee.differences == 0


@pytest.fixture(scope="module")
def planners(model: TransformersModel) -> dict[bool, dict[EngineName, Planner]]:
    weights = ChoiceWeights(bias=2.0, weights={"fluency": 1.0})
    return {
        whole: {
            engine: Planner(model, weights, PlannerOptions(whole_alternatives=whole, engine=engine))
            for engine in get_args(EngineName)
        }
        for whole in (True, False)
    }


@pytest.mark.parametrize("sentence", ["He goed to school.", 'She don’t like "it" <|im_end|> \\ 😀.', "¿Qué?"])
@pytest.mark.parametrize(("whole", "seed"), [(True, None), (True, 2), (False, 4)])
def test_both_engines_take_the_same_steps_token_for_token(
    planners: dict[bool, dict[EngineName, Planner]],
    monkeypatch: pytest.MonkeyPatch,
    sentence: str,
    whole: bool,
    seed: int | None,
) -> None:
    texts: list[list[int]] = []
    generate = OutlinesEngine.generate

    def counted(self: OutlinesEngine, *args: Any) -> list[int]:
        texts.append(generate(self, *args))
        return texts[-1]

    monkeypatch.setattr(OutlinesEngine, "generate", counted)
    traces: dict[EngineName, list[tuple[Any, ...]]] = {"tutor": [], "outlines": []}
    for engine, records in traces.items():

        def keep(record: Any, records: list[tuple[Any, ...]] = records) -> None:
            if isinstance(record, TokenRecord):
                records.append((record.step, record.token_id, record.origin, record.path, record.allowed))

        planner = planners[whole][engine]
        run = run_alone(
            planner.model, react(planner.start(sentence, seed=seed), sentence, max_steps=4, sink=keep)
        )
        records.append((run.stop_reason, run.answer, len(run.observed)))
    assert traces["outlines"] == traces["tutor"]
    assert len(texts) == max(record[0] for record in traces["tutor"][:-1])


def test_both_engines_weigh_every_token_alike_at_level_full(
    planners: dict[bool, dict[EngineName, Planner]],
) -> None:
    traces: dict[EngineName, list[TokenRecord]] = {"tutor": [], "outlines": []}
    for engine, records in traces.items():
        planner = planners[True][engine]
        run = planner.start(SENTENCE, level=Level.full)
        keep: Any = records.append
        run_alone(planner.model, react(run, SENTENCE, max_steps=3, sink=keep))
    fast, slow = ([each for each in records if isinstance(each, TokenRecord)] for records in traces.values())
    assert [(each.token_id, each.allowed, each.path) for each in slow] == [
        (each.token_id, each.allowed, each.path) for each in fast
    ]
    for theirs, ours in zip(slow, fast, strict=True):
        assert theirs.logprob_before == pytest.approx(ours.logprob_before, abs=1e-3)
        assert theirs.blocked_mass == pytest.approx(ours.blocked_mass, abs=1e-3)


def test_a_mask_that_differs_ends_the_run(engine: OutlinesEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    context = engine.context()
    context.append(engine.tokenizer.encode("Learner: x\n"))
    allowed = Mask.allowed
    monkeypatch.setattr(Mask, "allowed", lambda self: allowed(self)[:-1])
    with pytest.raises(MaskError, match="different tokens"):
        run_alone(engine.language_model, engine.decoding(context, {"enum": ["go", "went"]}).run())


def test_a_text_that_does_not_fit_the_context_is_an_error(engine: OutlinesEngine) -> None:
    context = engine.context()
    context.append([5] * 2040)
    schema: Schema = {"const": "a text that needs more than eight tokens, as anyone can see"}
    with pytest.raises(MaskError, match="context"):
        run_alone(engine.language_model, engine.decoding(context, schema).run())


def test_a_model_that_is_not_of_transformers_is_refused() -> None:
    with pytest.raises(TypeError):
        OutlinesEngine(object())  # type: ignore[arg-type]
