import json
import random
import shutil
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import LlamaConfig, LlamaForCausalLM

from tutor.decoding.weights import check_manifest
from tutor.paths import models_dir
from tutor.training.descent import Config, batches, loss_under_mask, schedule
from tutor.training.examples import Decision, Example
from tutor.training.finetune import Trainer
from tutor.training.publish import publish


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """Return a model folder of the shipped architecture with random weights, two layers and the shipped tokenizer."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    shutil.copy(models_dir() / "tutor-135m" / "tokenizer.json", folder)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=49152, hidden_size=16, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2,
        num_key_value_heads=1, tie_word_embeddings=True, eos_token_id=2,
    )  # fmt: skip
    model = LlamaForCausalLM(config)
    (folder / "config.json").write_text(json.dumps(config.to_dict(), default=str))
    state = {name: tensor for name, tensor in model.state_dict().items() if name != "lm_head.weight"}
    save_file({name: tensor.contiguous() for name, tensor in state.items()}, folder / "model.safetensors")
    return folder


def stream(seed: int) -> list[Example]:
    """Return examples whose right token is always the first of the allowed ones."""
    rng = random.Random(seed)
    rows = []
    for _ in range(200):
        ids = tuple(rng.randrange(100, 200) for _ in range(rng.randint(3, 9)))
        rows.append(Example(ids, (Decision(len(ids) - 2, (50, 60, 70), 0),)))
    return rows


CONFIG = Config(rank=4, alpha=8, first_layer=1, batch=4, steps=12, save_every=6, warmup=1, learning_rate=0.05)


def test_only_allowed_tokens_compete_in_the_loss() -> None:
    head = torch.randn(10, 4)
    hidden = torch.randn(1, 3, 4)
    example = Example((1, 2, 3), (Decision(1, (2, 5), 1),))
    loss, right, count = loss_under_mask(hidden, head, [example])
    logits = head[[2, 5]] @ hidden[0, 1]
    assert torch.isclose(loss, -logits.log_softmax(0)[1])
    assert (right, count) == (int(logits.argmax() == 1), 1)


def test_batches_hold_every_example_once_and_examples_of_like_length() -> None:
    examples = stream(1)
    found = [example for batch in batches(examples, 8, random.Random(0)) for example in batch]
    assert sorted(found, key=repr) == sorted(examples, key=repr)


def test_the_learning_rate_warms_up_and_falls_to_a_tenth() -> None:
    rates = [schedule(step, Config(warmup=10, steps=100)) for step in range(101)]
    assert rates[:10] == sorted(rates[:10])
    assert rates[10:] == sorted(rates[10:], reverse=True)
    assert rates[-1] == pytest.approx(0.1)


def test_training_lowers_the_loss_and_leaves_lower_layers_alone(tiny: Path, tmp_path: Path) -> None:
    trainer = Trainer(tiny, tmp_path / "run", CONFIG, "cpu")
    losses = [figures["loss"] for figures in trainer.train(stream(2))]
    assert losses[-1] < losses[0]
    assert all(".layers.1." in name for name in trainer.parameters)


def test_a_resumed_run_goes_on_at_its_checkpoint(tiny: Path, tmp_path: Path) -> None:
    trainer = Trainer(tiny, tmp_path / "run", CONFIG, "cpu")
    list(islice(trainer.train(stream(3)), 6))
    resumed = Trainer(tiny, tmp_path / "run", CONFIG, "cpu")
    assert resumed.step == 6
    for name, parameter in resumed.parameters.items():
        assert torch.equal(parameter, trainer.parameters[name])
    assert [figures["step"] for figures in resumed.train(stream(4))][-1] == CONFIG.steps


def test_other_settings_do_not_resume_a_run(tiny: Path, tmp_path: Path) -> None:
    list(Trainer(tiny, tmp_path / "run", CONFIG, "cpu").train(stream(5)))
    with pytest.raises(ValueError, match="other settings"):
        Trainer(tiny, tmp_path / "run", Config(rank=2), "cpu")


def test_a_published_adapter_is_halved_described_and_in_the_manifest(tiny: Path, tmp_path: Path) -> None:
    list(Trainer(tiny, tmp_path / "run", CONFIG, "cpu").train(stream(6)))
    publish(tmp_path / "run", tiny)
    weights = load_file(tiny / "adapter" / "adapter_model.safetensors")
    assert {tensor.dtype for tensor in weights.values()} == {torch.bfloat16}
    assert json.loads((tiny / "adapter" / "adapter_config.json").read_text())["r"] == CONFIG.rank
    assert check_manifest(tiny) == 5


def test_layers_that_an_adapter_lacks_start_from_the_base_model(tiny: Path, tmp_path: Path) -> None:
    upper = Trainer(tiny, tmp_path / "upper", CONFIG, "cpu")
    list(upper.train(stream(7)))
    whole = Trainer(
        tiny, tmp_path / "whole", replace(CONFIG, first_layer=0), "cpu", tmp_path / "upper" / "adapter"
    )
    for name, parameter in whole.parameters.items():
        if ".layers.1." in name:
            assert torch.equal(parameter, upper.parameters[name])
        else:
            assert "lora_A" in name or not parameter.any()


@pytest.mark.parametrize(
    ("change", "message"), [({"rank": 2}, "another rank"), ({"first_layer": 1}, "layers or matrices")]
)
def test_an_adapter_that_does_not_fit_is_refused(
    tiny: Path, tmp_path: Path, change: dict[str, int], message: str
) -> None:
    whole = replace(CONFIG, first_layer=0)
    Trainer(tiny, tmp_path / "whole", whole, "cpu").save()
    with pytest.raises(ValueError, match=message):
        Trainer(tiny, tmp_path / "other", replace(whole, **change), "cpu", tmp_path / "whole" / "adapter")
