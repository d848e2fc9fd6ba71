"""Publish a trained adapter into a model folder: bfloat16, a bare configuration, the choice's weights, the manifest.

``python -m tutor.training.publish --run DIR --choice choice.json --model DIR``
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from tutor.agent.tutor import MODEL
from tutor.decoding.weights import write_manifest
from tutor.paths import models_dir

_KEPT = ("peft_type", "task_type", "r", "lora_alpha", "target_modules", "layers_to_transform", "bias")


def publish(run: Path, model: Path, choice: Path | None = None) -> None:
    """Copy an adapter and the weights of the choice into a model folder and renew its manifest.

    Parameters
    ----------
    run : Path
        Folder of a training run.
    model : Path
        Folder of the base model.
    choice : Path, optional
        The fitted weights; those in the folder stay without it.
    """
    target = model / "adapter"
    target.mkdir(exist_ok=True)
    weights = load_file(run / "adapter" / "adapter_model.safetensors")
    halved = {name: tensor.to(torch.bfloat16) for name, tensor in weights.items()}
    save_file(halved, target / "adapter_model.safetensors", metadata={"format": "pt"})
    full = json.loads((run / "adapter" / "adapter_config.json").read_text("utf-8"))
    config = {name: full[name] for name in _KEPT} | {"base_model_name_or_path": ".."}
    config["target_modules"] = sorted(config["target_modules"])
    (target / "adapter_config.json").write_text(json.dumps(config, indent=2) + "\n", "utf-8")
    if choice:
        shutil.copyfile(choice, model / "choice.json")
    for path in model.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    write_manifest(model)


def main() -> None:
    """Publish from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", type=Path, required=True, help="folder of a training run")
    parser.add_argument("--model", type=Path, default=models_dir() / MODEL, help="folder of the base model")
    parser.add_argument("--choice", type=Path, help="weights of the choice, from tutor.training.calibrate")
    args = parser.parse_args()
    publish(args.run, args.model, args.choice)


if __name__ == "__main__":
    main()
