"""The recorder over Outlines and over `transformers`, on schemas that have nothing to do with grammar."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import outlines
import pytest
import torch
from outlines.types import JsonSchema, Regex
from transformers import AutoModelForCausalLM, AutoTokenizer
from typer.testing import CliRunner

from tests.tiny import tiny_model
from tutor.cli.app import app
from tutor.tracing.files import RunTrace, TraceWriter, read_runs
from tutor.tracing.recorder import SAMPLER_POSITION, MaskRecorder
from tutor.tracing.records import Level, TokenRecord

RECIPE: dict[str, Any] = {
    "x-guidance": {"whitespace_flexible": False},  # a random model would write blanks for ever
    "type": "object",
    "properties": {
        "dish": {"enum": ["soup", "crème brûlée", "risotto"]},
        "minutes": {"type": "integer", "minimum": 1, "maximum": 90},
        "steps": {"type": "array", "items": {"enum": ["chop", "boil", "bake"]}, "minItems": 1, "maxItems": 3},
    },
    "required": ["dish", "minutes", "steps"],
    "additionalProperties": False,
}
PROMPTS = ["A recipe: ", "Something quick for lunch: "]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tiny_model(tmp_path_factory.mktemp("model"))
    loaded = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    return outlines.from_transformers(loaded, AutoTokenizer.from_pretrained(folder))


@pytest.fixture(scope="module")
def recipe(model: Any) -> Any:
    return outlines.Generator(model, JsonSchema(RECIPE), backend="llguidance")


@pytest.fixture(autouse=True)
def eager() -> Any:
    """Outlines compiles its mask kernel, which takes a C++ compiler and many seconds."""
    with torch.compiler.set_stance("force_eager"):
        yield


def text_of(tokens: Sequence[TokenRecord]) -> str:
    return b"".join(
        bytes.fromhex(token.raw) if token.raw else token.text.encode() for token in tokens
    ).decode()


def test_a_recipe_of_outlines_is_recorded_to_the_letter(model: Any, recipe: Any, tmp_path: Path) -> None:
    plain = recipe(PROMPTS[0], max_new_tokens=60)
    path = tmp_path / "recipe.jsonl"
    with (
        TraceWriter(path) as trace,
        MaskRecorder(
            recipe.logits_processor, model.hf_tokenizer, trace, model="tiny", schema=RECIPE
        ) as recorder,
    ):
        recorded = outlines.Generator(model, processor=cast("Any", recorder))(PROMPTS[0], max_new_tokens=60)
    (run,) = read_runs(path)
    assert recorded == plain
    assert json.loads(plain)["dish"] in RECIPE["properties"]["dish"]["enum"]
    assert run.header.sentence == PROMPTS[0]
    assert run.header.sampler_position == SAMPLER_POSITION
    assert run.header.config["schema"] == RECIPE
    (step,) = run.steps
    assert step.step is not None
    assert step.step.text == text_of(step.tokens) == plain
    assert step.step.parsed == json.loads(plain)
    assert step.step.decided + step.step.forced == len(step.tokens)
    assert {token.path for token in step.tokens} >= {"$.dish", "$.minutes", "$.steps[0]"}
    assert run.final is not None
    assert run.final.status == "complete"
    assert step.tokens[-1].text == ""
    check_distributions(step.tokens)


def check_distributions(tokens: Sequence[TokenRecord]) -> None:
    """Check that the numbers of each token agree with each other: what a mask alone can do."""
    for token in tokens:
        assert token.allowed is not None
        assert token.logprob_before is not None
        assert token.logprob_after is not None
        assert token.blocked_mass is not None
        assert token.best_blocked is not None
        left = 1 - token.blocked_mass
        if left > 1e-3:
            assert token.logprob_after == pytest.approx(
                token.logprob_before - torch.tensor(left).log().item(), abs=1e-2
            )
        assert (token.origin == "forced_grammar") == (token.allowed == 1)
        assert not token.best_blocked.allowed
        assert token.best_blocked.probability <= token.blocked_mass + 1e-6
        assert token.entropy_after is not None
        assert token.entropy_after <= torch.tensor(float(token.allowed)).log().item() + 1e-4


def generate(model: Any, recorder: MaskRecorder, tokens: int = 60, **options: Any) -> torch.Tensor:
    inputs = model.hf_tokenizer(PROMPTS, return_tensors="pt", padding=True)
    sequences: torch.Tensor = model.model.generate(
        **inputs,
        logits_processor=[recorder],
        max_new_tokens=tokens,
        pad_token_id=model.hf_tokenizer.pad_token_id,
        **options,
    )
    return sequences


def runs_of(
    model: Any, processor: Any, path: Path, tokens: int = 60, **options: Any
) -> tuple[list[RunTrace], torch.Tensor]:
    with TraceWriter(path, Level.full) as trace:
        recorder = MaskRecorder(processor, model.hf_tokenizer, trace)
        processor.reset()
        sequences = generate(model, recorder, tokens, **options)
        recorder.finish(sequences)
    return list(read_runs(path)), sequences


@pytest.mark.parametrize("sampled", [False, True])
def test_the_rows_of_a_batch_are_runs_of_their_own(
    model: Any, recipe: Any, tmp_path: Path, sampled: bool
) -> None:
    torch.manual_seed(3)
    runs, sequences = runs_of(model, recipe.logits_processor, tmp_path / "t.jsonl", do_sample=sampled)
    assert [run.header.sentence for run in runs] == PROMPTS
    tokenizer = model.hf_tokenizer
    length = tokenizer(PROMPTS, return_tensors="pt", padding=True).input_ids.shape[1]
    for run, sequence in zip(runs, sequences, strict=True):
        assert text_of(run.steps[0].tokens) == tokenizer.decode(sequence[length:], skip_special_tokens=True)
        assert len(run.steps[0].tokens[0].top or ()) == 10
        assert run.final is not None
        assert run.final.stop_reason == "end_token"


def test_a_text_cut_by_the_length_keeps_its_last_token(model: Any, recipe: Any, tmp_path: Path) -> None:
    runs, _ = runs_of(model, recipe.logits_processor, tmp_path / "t.jsonl", tokens=5)
    for run in runs:
        assert len(run.steps[0].tokens) == 5
        assert run.final is not None
        assert run.final.stop_reason == "length"


def test_a_text_that_is_no_json_is_recorded(model: Any, tmp_path: Path) -> None:
    generator: Any = outlines.Generator(model, Regex(r"[\]},]{3}é"), backend="llguidance")
    runs, _ = runs_of(model, generator.logits_processor, tmp_path / "t.jsonl")
    assert all(text_of(run.steps[0].tokens).endswith("é") for run in runs)


def test_a_processor_of_transformers_is_recorded(model: Any, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    with (
        TraceWriter(path) as trace,
        MaskRecorder(lambda ids, scores: scores / 2, model.hf_tokenizer, trace) as recorder,
    ):
        generate(model, recorder, 4)
    run, _ = read_runs(path)
    for token in run.steps[0].tokens:
        assert token.blocked_mass == 0
        assert token.best_blocked is None
        assert token.origin == "decided"
        assert token.entropy_after is not None
        assert token.entropy_before is not None
        assert token.entropy_after > token.entropy_before


def test_each_generation_is_finished_before_the_next(model: Any, recipe: Any, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    with (
        TraceWriter(path) as trace,
        MaskRecorder(recipe.logits_processor, model.hf_tokenizer, trace) as recorder,
    ):
        generator = outlines.Generator(model, processor=cast("Any", recorder))
        texts = [generator(prompt, max_new_tokens=60) for prompt in PROMPTS]  # Outlines resets in between
        runs = list(read_runs(path))
        assert [run.header.sentence_id for run in runs] == ["1", "2"]
        with pytest.raises(ValueError, match="finish"):
            generate(model, recorder, 4)
    assert [text_of(run.steps[0].tokens) for run in read_runs(path)][:2] == texts


def test_the_first_row_is_in_the_file_while_it_goes_on(model: Any, recipe: Any, tmp_path: Path) -> None:
    path, seen = tmp_path / "t.jsonl", []
    with TraceWriter(path) as trace:
        recorder = MaskRecorder(recipe.logits_processor, model.hf_tokenizer, trace)
        recorder.reset()

        def watched(ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
            result = recorder(ids, scores)
            seen.append(path.read_bytes().count(b"\n"))
            return result

        generate(model, cast("MaskRecorder", watched), 6)
    assert seen == [1, 2, 3, 4, 5, 6]


def test_show_and_html_take_such_a_trace(model: Any, recipe: Any, tmp_path: Path) -> None:
    path, page = tmp_path / "t.jsonl", tmp_path / "t.html"
    runs_of(model, recipe.logits_processor, path)
    shown = CliRunner().invoke(app, ["trace", "show", str(path), "--tokens"])
    assert shown.exit_code == 0
    assert "$.dish" in shown.stdout
    assert CliRunner().invoke(app, ["trace", "html", str(path), "--out", str(page)]).exit_code == 0
    assert "$.dish" in page.read_text()
