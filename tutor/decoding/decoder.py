"""The forward pass of a Llama decoder over plain weights, for inference alone.

`transformers` runs the same model, and the tests hold both against each other, but to import it takes longer than to load the
weights and correct a sentence. Matrices that read the same input are one here.
"""

from __future__ import annotations

import json
from collections import ChainMap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self

import torch
from torch.nn.functional import embedding, linear, rms_norm, silu

from tutor.decoding.weights import WeightsError

State = Mapping[str, torch.Tensor]
"""Weights by the names of `transformers`."""


class Attention(Protocol):
    """What a token may see of the others."""

    def attend(
        self, layer: int, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, scaling: float
    ) -> torch.Tensor:
        """Return the attention of one layer, shape (tokens, heads, size), over tensors of shape (heads, tokens, size)."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The numbers of a Llama decoder.

    Attributes
    ----------
    layers, width : int
        Number of layers, and size of a hidden state.
    heads, key_value_heads, head_size : int
        Query heads, the fewer heads of keys and values, and the size of each.
    epsilon, theta : float
        Of the norms and of the rotation of positions.
    tied : bool
        Whether the output head is the embedding.
    """

    layers: int
    width: int
    heads: int
    key_value_heads: int
    head_size: int
    epsilon: float
    theta: float
    tied: bool

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read them off ``config.json`` of a model folder.

        Raises
        ------
        WeightsError
            When the folder has no model of this kind.
        """
        path = folder / "config.json"
        if not path.is_file():
            raise WeightsError(f"{folder}: no config.json; give a folder in Hugging Face layout to --model")
        config: dict[str, Any] = json.loads(path.read_text("utf-8"))
        rotation = config.get("rope_parameters") or config.get("rope_scaling") or {}
        plain = {
            "model_type": config.get("model_type") == "llama",
            "hidden_act": config.get("hidden_act", "silu") == "silu",
            "attention_bias": not config.get("attention_bias"),
            "mlp_bias": not config.get("mlp_bias"),
            "rope_type": rotation.get("rope_type", "default") == "default",
        }
        if unlike := [name for name, fits in plain.items() if not fits]:
            raise WeightsError(
                f"{path}: {', '.join(unlike)} is not that of a plain Llama model, which is what runs here"
            )
        heads, width = config["num_attention_heads"], config["hidden_size"]
        return cls(
            layers=config["num_hidden_layers"],
            width=width,
            heads=heads,
            key_value_heads=config.get("num_key_value_heads") or heads,
            head_size=config.get("head_dim") or width // heads,
            epsilon=config["rms_norm_eps"],
            theta=rotation.get("rope_theta") or config.get("rope_theta") or 10_000.0,
            tied=config.get("tie_word_embeddings", False),
        )


@dataclass(frozen=True, slots=True)
class _Layer:
    """Weights of one layer: what reads the residual stream, and what writes to it."""

    attention_norm: torch.Tensor
    query_key_value: torch.Tensor
    attention_out: torch.Tensor
    mlp_norm: torch.Tensor
    gate_up: torch.Tensor
    down: torch.Tensor

    @classmethod
    def read(cls, state: State, index: int, device: torch.device, dtype: torch.dtype) -> Self:
        def joined(*names: str) -> torch.Tensor:
            found = [state[f"model.layers.{index}.{name}.weight"].to(device, dtype) for name in names]
            return torch.cat(found) if len(found) > 1 else found[0]

        return cls(
            joined("input_layernorm"),
            joined("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"),
            joined("self_attn.o_proj"),
            joined("post_attention_layernorm"),
            joined("mlp.gate_proj", "mlp.up_proj"),
            joined("mlp.down_proj"),
        )


class Decoder:
    """A Llama decoder (Touvron et al. 2023).

    Parameters
    ----------
    shape : Shape
        Its numbers.
    state : mapping of str to tensor
        Its weights.
    device, dtype
        Of the forward pass.

    Attributes
    ----------
    head : tensor, shape (vocabulary, width)
        The output head.
    """

    def __init__(self, shape: Shape, state: State, device: torch.device, dtype: torch.dtype) -> None:
        self._shape = shape
        self._embedding = state["model.embed_tokens.weight"].to(device, dtype)
        self._layers = [_Layer.read(state, index, device, dtype) for index in range(shape.layers)]
        self._norm = state["model.norm.weight"].to(device, dtype)
        self.head = self._embedding if shape.tied else state["lm_head.weight"].to(device, dtype)
        exponents = torch.arange(0, shape.head_size, 2, device=device) / shape.head_size
        self._frequencies = shape.theta**-exponents

    def changed(self, state: State, changes: State) -> Decoder:
        """Return a decoder with some matrices changed; layers without a change are shared, not copied.

        Parameters
        ----------
        state : mapping of str to tensor
            The weights of this one.
        changes : mapping of str to tensor
            The matrices of layers that differ.
        """
        other = object.__new__(Decoder)
        other.__dict__.update(self.__dict__)
        other._layers = list(self._layers)
        weights = ChainMap(dict(changes), dict(state))
        for index in sorted({int(name.split(".")[2]) for name in changes}):
            other._layers[index] = _Layer.read(weights, index, self._embedding.device, self._embedding.dtype)
        return other

    def hidden(self, ids: torch.Tensor, positions: torch.Tensor, attention: Attention) -> torch.Tensor:
        """Return the last hidden states of tokens, shape (tokens, width).

        Parameters
        ----------
        ids, positions : int tensor, shape (tokens,)
            The tokens, and where each stands in its own sequence.
        attention : Attention
            What they see of each other.
        """
        shape, epsilon = self._shape, self._shape.epsilon
        states = embedding(ids, self._embedding)
        angles = positions.unsqueeze(1) * self._frequencies
        rotation = angles.cos().to(states.dtype), angles.sin().to(states.dtype)
        for index, layer in enumerate(self._layers):
            read = rms_norm(states, (shape.width,), layer.attention_norm, epsilon)
            joined = linear(read, layer.query_key_value).view(len(ids), -1, shape.head_size).transpose(0, 1)
            rotated = _rotate(joined[: -shape.key_value_heads], *rotation)
            attended = attention.attend(
                index, rotated[: shape.heads], rotated[shape.heads :], joined[-shape.key_value_heads :],
                shape.head_size**-0.5,
            )  # fmt: skip
            states = states + linear(attended.flatten(1), layer.attention_out)
            read = rms_norm(states, (shape.width,), layer.mlp_norm, epsilon)
            gate, up = linear(read, layer.gate_up).chunk(2, dim=1)
            states = states + linear(silu(gate) * up, layer.down)
        return rms_norm(states, (shape.width,), self._norm, epsilon)


def _rotate(heads: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """Return heads of shape (heads, tokens, size) turned by their positions (Su et al. 2021, RoPE)."""
    first, second = heads.chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)
