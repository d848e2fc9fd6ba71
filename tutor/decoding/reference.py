"""The same model by way of `transformers`: to train it, to run it under Outlines, and to hold our forward pass against."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from transformers import MODEL_FOR_CAUSAL_LM_MAPPING, AutoConfig

from tutor.decoding.weights import load_state, merge_adapter


def causal_lm(folder: Path, *, adapter: bool = True) -> Any:
    """Load a model folder as a causal language model of `transformers`, float32 on the CPU.

    Parameters
    ----------
    folder : Path
        Model folder.
    adapter : bool
        Whether to merge the adapter of the folder, if it has one.
    """
    config = AutoConfig.from_pretrained(folder, local_files_only=True)
    state = load_state(folder)
    if adapter and (folder / "adapter" / "adapter_config.json").is_file():
        state |= merge_adapter(state, folder / "adapter")
    if config.tie_word_embeddings:
        state.setdefault("lm_head.weight", state["model.embed_tokens.weight"])
    architecture: Any = MODEL_FOR_CAUSAL_LM_MAPPING[type(config)]
    return architecture.from_pretrained(
        None, config=config, state_dict=state, dtype=torch.float32, attn_implementation="sdpa"
    ).eval()
