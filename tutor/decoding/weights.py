"""The format of the shipped weights: block-quantised safetensors, a LoRA adapter, a sha256 manifest.

A matrix is stored as GGUF's Q4_1 or Q8_0 blocks of 32 columns, unpacked into plain tensors: ``NAME.q4`` (two weights a byte,
low nibble first half of the block) with ``NAME.scale`` and ``NAME.min``, or ``NAME.q8`` with ``NAME.scale``. Any other tensor
stands as it is, so that a plain Hugging Face folder loads too.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import torch
from safetensors.torch import load_file

BLOCK = 32


class WeightsError(RuntimeError):
    """A model folder that is missing, incomplete or altered."""


def unpack_q4(packed: torch.Tensor, scale: torch.Tensor, low: torch.Tensor) -> torch.Tensor:
    """Return the float32 matrix of Q4_1 blocks: ``scale * nibble + min``.

    Parameters
    ----------
    packed : uint8 tensor, shape (rows, columns / 2)
    scale, low : float16 tensors, shape (rows, columns / 32)
    """
    rows, blocks = scale.shape
    halves = packed.view(rows, blocks, BLOCK // 2)
    factors = scale.float().unsqueeze(2)
    weights = torch.empty(rows, blocks, BLOCK)
    torch.mul(halves & 15, factors, out=weights[..., : BLOCK // 2])
    torch.mul(halves >> 4, factors, out=weights[..., BLOCK // 2 :])
    return weights.add_(low.float().unsqueeze(2)).view(rows, blocks * BLOCK)


def unpack_q8(values: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    """Return the float32 matrix of Q8_0 blocks: ``scale * value``.

    Parameters
    ----------
    values : int8 tensor, shape (rows, columns)
    scale : float16 tensor, shape (rows, columns / 32)
    """
    rows, blocks = scale.shape
    return (values.view(rows, blocks, BLOCK) * scale.float().unsqueeze(2)).view(rows, blocks * BLOCK)


def load_state(folder: Path) -> dict[str, torch.Tensor]:
    """Read every safetensors file of a model folder as float32 tensors by name."""
    shards = sorted(folder.glob("model*.safetensors"))
    if not shards:
        raise WeightsError(f"{folder}: no model.safetensors; give a folder in Hugging Face layout to --model")
    raw: dict[str, torch.Tensor] = {}
    for shard in shards:
        raw.update(load_file(shard))
    state: dict[str, torch.Tensor] = {}
    for name, tensor in raw.items():
        stem, _, kind = name.rpartition(".")
        if kind == "q4":
            state[stem] = unpack_q4(tensor, raw[f"{stem}.scale"], raw[f"{stem}.min"])
        elif kind == "q8":
            state[stem] = unpack_q8(tensor, raw[f"{stem}.scale"])
        elif kind not in ("scale", "min"):
            state[name] = tensor.float()
    return state


def merge_adapter(state: dict[str, torch.Tensor], folder: Path) -> dict[str, torch.Tensor]:
    """Return the matrices that a PEFT LoRA adapter changes, merged: ``W + (alpha / r) B A``.

    Parameters
    ----------
    state : dict of str to tensor
        The base weights.
    folder : Path
        Folder with ``adapter_model.safetensors`` and ``adapter_config.json`` (Hu et al. 2021, LoRA).
    """
    config = json.loads((folder / "adapter_config.json").read_text("utf-8"))
    factor = config["lora_alpha"] / config["r"]
    adapter = load_file(folder / "adapter_model.safetensors")
    merged = {}
    for name, down in adapter.items():
        if name.endswith(".lora_A.weight"):
            target = name.removeprefix("base_model.model.").removesuffix(".lora_A.weight") + ".weight"
            up = adapter[name.replace(".lora_A.", ".lora_B.")]
            merged[target] = state[target] + factor * (up.float() @ down.float())
    return merged


def sha256(path: Path) -> str:
    """Return the hex digest of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def write_manifest(folder: Path) -> None:
    """Write ``SHA256SUMS`` over every file of a model folder, in the format of coreutils."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "SHA256SUMS")
    lines = [f"{sha256(path)}  {path.relative_to(folder).as_posix()}\n" for path in files]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


def check_manifest(folder: Path) -> int:
    """Check a model folder against its ``SHA256SUMS`` and return how many files it names.

    Raises
    ------
    WeightsError
        When the manifest or a file is missing, or a digest differs.
    """
    manifest = folder / "SHA256SUMS"
    if not manifest.is_file():
        raise WeightsError(f"{folder}: no SHA256SUMS to check the weights against")
    lines = manifest.read_text("utf-8").splitlines()
    for line in lines:
        digest, _, name = line.partition("  ")
        path = folder / name
        if not path.is_file():
            raise WeightsError(f"{path}: named in SHA256SUMS but missing; install the package again")
        if sha256(path) != digest:
            raise WeightsError(f"{path}: does not match SHA256SUMS; install the package again")
    return len(lines)
