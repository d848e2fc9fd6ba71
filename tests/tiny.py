"""A model folder of the shipped architecture with few layers and random weights: milliseconds a sentence."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import torch
from safetensors.torch import save_file
from transformers import AutoConfig, AutoModelForCausalLM

from tutor.paths import models_dir

SHIPPED = models_dir() / "tutor-135m"


def tiny_model(folder: Path, *, seed: int = 0) -> Path:
    """Write a random model of two narrow layers into a folder, with the shipped tokenizer, and return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copyfile(SHIPPED / name, folder / name)
    config = json.loads((SHIPPED / "config.json").read_text())
    config |= {"hidden_size": 48, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 3}
    config |= {"num_key_value_heads": 1, "head_dim": 16}
    (folder / "config.json").write_text(json.dumps(config))
    torch.manual_seed(seed)
    model = AutoModelForCausalLM.from_config(AutoConfig.from_pretrained(folder))
    state = {
        name: tensor.contiguous() for name, tensor in model.state_dict().items() if name != "lm_head.weight"
    }
    save_file(state, folder / "model.safetensors", metadata={"format": "pt"})
    return folder
