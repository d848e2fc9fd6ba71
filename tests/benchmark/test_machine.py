import json
from pathlib import Path

import pytest
import torch
from torch import nn
from transformers import AutoConfig, AutoModelForCausalLM

from tutor.benchmark.counting import Forward
from tutor.benchmark.machine import Machine, Shapes, measure
from tutor.paths import models_dir

SHAPES = Shapes(((8, 4), (4, 8)), 3, (100, 4))


def test_the_shapes_of_a_model_are_those_of_its_linear_layers() -> None:
    folder = models_dir() / "tutor-135m"
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(AutoConfig.from_pretrained(folder))
    linear = [module for module in model.modules() if isinstance(module, nn.Linear)]
    shapes = Shapes.read(folder)
    *layers, head = (tuple(module.weight.shape) for module in linear)
    assert sorted(shapes.layer * shapes.layers) == sorted(layers)
    assert shapes.head == head


def test_a_config_without_a_head_size_divides_the_width(tmp_path: Path) -> None:
    config = {"hidden_size": 8, "intermediate_size": 16, "num_hidden_layers": 2, "vocab_size": 9}
    config |= {"num_attention_heads": 4, "num_key_value_heads": 1}
    (tmp_path / "config.json").write_text(json.dumps(config))
    assert Shapes.read(tmp_path).layer[:4] == ((8, 8), (2, 8), (2, 8), (8, 8))


def test_the_floor_is_two_operations_a_weight_and_token_at_the_measured_rate() -> None:
    machine = Machine(flops=1000.0, bandwidth=1.0, element_size=4)
    assert machine.floor(SHAPES, [Forward(5, 0)], streaming=False) == pytest.approx(5 * 2 * 3 * 64 / 1000)
    assert machine.floor(SHAPES, [Forward(5, 0), Forward(0, 2)], streaming=False) == pytest.approx(
        (5 * 2 * 3 * 64 + 2 * 2 * 400) / 1000
    )


def test_a_pass_of_few_tokens_takes_as_long_as_reading_the_weights() -> None:
    machine = Machine(flops=1e12, bandwidth=10.0, element_size=2)
    reading = 3 * 64 * 2 / 10.0
    assert machine.floor(SHAPES, [Forward(1, 0)] * 2, streaming=True) == pytest.approx(2 * reading)
    assert machine.floor(SHAPES, [Forward(10**12, 0)], streaming=True) > reading


def test_this_machine_has_rates() -> None:
    found = measure(SHAPES, torch.device("cpu"), torch.float32)
    assert found.flops > 0
    assert found.bandwidth > 0
    assert found.element_size == 4
