import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from tests.tiny import tiny_model
from tutor.decoding.decoder import Shape
from tutor.decoding.forest import Forest
from tutor.decoding.model import TransformersModel
from tutor.decoding.queries import Decide, Fluency
from tutor.paths import models_dir


@pytest.fixture
def tuned(tmp_path: Path) -> TransformersModel:
    """A tiny model with an adapter on its second layer."""
    folder = tiny_model(tmp_path / "tiny")
    (folder / "adapter").mkdir()
    name = "base_model.model.model.layers.1.mlp.up_proj"
    factors = {f"{name}.lora_A.weight": torch.randn(4, 48), f"{name}.lora_B.weight": torch.randn(96, 4)}
    save_file(factors, folder / "adapter" / "adapter_model.safetensors")
    (folder / "adapter" / "adapter_config.json").write_text(json.dumps({"r": 4, "lora_alpha": 4}))
    return TransformersModel(folder, "cpu", torch.float32)


def test_the_shape_of_the_shipped_model_is_read_off_its_config() -> None:
    shape = Shape.read(models_dir() / "tutor-135m")
    assert (shape.layers, shape.width, shape.heads, shape.key_value_heads, shape.head_size) == (
        30,
        576,
        9,
        3,
        64,
    )
    assert (shape.theta, shape.epsilon, shape.tied) == (100_000.0, pytest.approx(1e-5), True)


@pytest.mark.parametrize(
    "change", [{"model_type": "qwen2"}, {"mlp_bias": True}, {"rope_parameters": {"rope_type": "yarn"}}]
)
def test_a_model_that_would_run_wrongly_is_refused_by_name(tmp_path: Path, change: dict[str, object]) -> None:
    from tutor.decoding.weights import WeightsError

    config = json.loads((models_dir() / "tutor-135m" / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config | change))
    (name,) = change
    with pytest.raises(WeightsError, match="rope_type" if name == "rope_parameters" else name):
        Shape.read(tmp_path)


def test_a_tuned_decoder_shares_the_layers_that_the_adapter_leaves(tuned: TransformersModel) -> None:
    base, changed = tuned._models[False], tuned._models[True]
    assert base._layers[0] is changed._layers[0]
    assert not torch.equal(base._layers[1].gate_up, changed._layers[1].gate_up)
    assert torch.equal(base._layers[1].down, changed._layers[1].down)


def test_the_adapter_is_on_in_decisions_and_off_in_fluency(tuned: TransformersModel) -> None:
    forest = Forest()
    paths = [forest.add([3, 9, token]) for token in (7, 8)]
    decided, fluent = tuned.answer([Decide(forest), Fluency(forest)])
    with torch.inference_mode():
        logits = tuned.causal_lm(torch.tensor([[3, 9]])).logits[0, -1]
        tuned.causal_lm.model.layers[1].mlp.up_proj.weight.copy_(tuned._models[False]._layers[1].gate_up[96:])
        base = tuned.causal_lm(torch.tensor([[3, 9]])).logits[0, -1].log_softmax(0)
    last = [path[-1] for path in paths]
    torch.testing.assert_close(decided[last], logits[[7, 8]].log_softmax(0), atol=1e-4, rtol=0)
    torch.testing.assert_close(fluent[last], base[[7, 8]], atol=1e-4, rtol=0)


def test_a_correction_needs_no_transformers() -> None:
    """Importing it would take longer than everything else together."""
    script = "import sys, tutor.agent.tutor; print({'transformers', 'outlines', 'sympy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
