import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from tutor.decoding.weights import (
    WeightsError,
    check_manifest,
    load_state,
    merge_adapter,
    unpack_q4,
    unpack_q8,
    write_manifest,
)


def test_q4_blocks_unpack_low_nibbles_first_then_high() -> None:
    packed = torch.tensor([[i + 16 * (15 - i) for i in range(16)]], dtype=torch.uint8)
    scale, low = torch.tensor([[0.5]]).half(), torch.tensor([[-1.0]]).half()
    expected = torch.tensor([[0.5 * n - 1.0 for n in [*range(16), *reversed(range(16))]]])
    assert torch.equal(unpack_q4(packed, scale, low), expected)


def test_q8_blocks_scale_each_block_of_32_columns_on_its_own() -> None:
    values = torch.ones(1, 64, dtype=torch.int8)
    assert unpack_q8(values, torch.tensor([[2.0, 3.0]]).half()).unique().tolist() == [2.0, 3.0]


def test_a_plain_and_a_packed_tensor_load_under_their_own_names(tmp_path: Path) -> None:
    save_file(
        {
            "norm.weight": torch.full((3,), 2.0),
            "w.weight.q8": torch.ones(2, 32, dtype=torch.int8),
            "w.weight.scale": torch.full((2, 1), 0.5).half(),
        },
        tmp_path / "model.safetensors",
    )
    state = load_state(tmp_path)
    assert set(state) == {"norm.weight", "w.weight"}
    assert state["w.weight"].unique().tolist() == [0.5]


def test_an_adapter_adds_the_scaled_product_of_its_factors(tmp_path: Path) -> None:
    up, down = torch.randn(4, 2), torch.randn(2, 3)
    name = "base_model.model.layer.q_proj"
    save_file(
        {f"{name}.lora_A.weight": down, f"{name}.lora_B.weight": up}, tmp_path / "adapter_model.safetensors"
    )
    (tmp_path / "adapter_config.json").write_text(json.dumps({"r": 2, "lora_alpha": 6}))
    merged = merge_adapter({"layer.q_proj.weight": torch.ones(4, 3), "other": torch.ones(1)}, tmp_path)
    assert set(merged) == {"layer.q_proj.weight"}
    assert torch.allclose(merged["layer.q_proj.weight"], 1 + 3 * up @ down)


def test_a_folder_without_weights_is_named_in_the_error(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=str(tmp_path)):
        load_state(tmp_path)


def test_a_changed_file_fails_the_manifest(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    write_manifest(tmp_path)
    assert check_manifest(tmp_path) == 1
    (tmp_path / "config.json").write_text("{ }")
    with pytest.raises(WeightsError, match=r"config\.json"):
        check_manifest(tmp_path)


def test_a_missing_file_fails_the_manifest(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    write_manifest(tmp_path)
    (tmp_path / "config.json").unlink()
    with pytest.raises(WeightsError, match="missing"):
        check_manifest(tmp_path)
