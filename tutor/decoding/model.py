"""The language model: one set of base weights, with the adapter off and on, and contexts that only grow."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import nn
from transformers import MODEL_FOR_CAUSAL_LM_MAPPING, AutoConfig, DynamicCache

from tutor.decoding.forest import Forest
from tutor.decoding.tokenizer import Tokenizer
from tutor.decoding.weights import WeightsError, load_state, merge_adapter

_HEAD_ROWS = 256  # rows of vocabulary logits held at once: 50 MB


class Context(Protocol):
    """A growing token sequence of which the model predicts the next token."""

    def append(self, ids: Sequence[int]) -> None:
        """Add tokens."""

    def logits(self) -> torch.Tensor:
        """Return the float32 logits of the next token, shape (vocabulary,)."""

    def __len__(self) -> int:
        """Return the number of tokens so far."""

    @property
    def cached(self) -> int:
        """Number of tokens that the model has run already."""


class LanguageModel(Protocol):
    """What the planner needs of a model; tests put random or scripted ones in its place."""

    tokenizer: Tokenizer

    def context(self) -> Context:
        """Start an empty context for the tuned model."""

    def fluency(self, forest: Forest) -> torch.Tensor:
        """Return the base model's log-probability of each node after its ancestors, shape (nodes,)."""

    def decisions(self, forest: Forest) -> torch.Tensor:
        """Return the tuned model's log-probability of each node among its siblings, shape (nodes,)."""


class _CachedContext:
    """A context over a transformers model with a key-value cache; tokens are run when a prediction is asked for."""

    def __init__(self, model: nn.Module, head: nn.Module) -> None:
        self._model, self._head = model, head
        self._cache = DynamicCache()
        self._pending: list[int] = []
        self._length = 0
        self._hidden: torch.Tensor | None = None

    def append(self, ids: Sequence[int]) -> None:
        self._pending.extend(ids)
        self._length += len(ids)

    def __len__(self) -> int:
        return self._length

    @property
    def cached(self) -> int:
        return self._length - len(self._pending)

    def logits(self) -> torch.Tensor:
        with torch.inference_mode():
            if self._pending:
                device = next(self._model.parameters()).device
                ids = torch.tensor([self._pending], device=device)
                output = self._model(ids, None, None, self._cache, use_cache=True)
                self._hidden = output.last_hidden_state[0, -1:]
                self._pending = []
            if self._hidden is None:
                raise ValueError("the context is empty: append the prompt first")
            logits: torch.Tensor = self._head(self._hidden)[0].float()
            return logits


class TransformersModel:
    """A causal language model of `transformers`, base and tuned.

    Parameters
    ----------
    folder : Path
        Model folder: ``config.json``, ``tokenizer.json``, ``model.safetensors`` and, for the tuned model, ``adapter/``.
    device : str
        ``"cpu"``, ``"cuda"`` or ``"auto"``.
    adapter : bool
        Whether to load the adapter of the folder.
    dtype : torch.dtype or None
        Number format of the forward pass; by default bfloat16 where the device multiplies it natively, else float32.
    """

    def __init__(
        self, folder: Path, device: str = "auto", dtype: torch.dtype | None = None, *, adapter: bool = True
    ) -> None:
        if not (folder / "config.json").is_file():
            raise WeightsError(f"{folder}: no config.json; give a folder in Hugging Face layout to --model")
        self.device = _device(device)
        self.tokenizer = Tokenizer(folder)
        state = load_state(folder)
        adapter_dir = folder / "adapter"
        has_adapter = adapter and (adapter_dir / "adapter_config.json").is_file()
        base = _causal_lm(folder, state)
        tuned = _tuned_copy(base, merge_adapter(state, adapter_dir)) if has_adapter else base.model
        self.dtype = dtype or _native_dtype(self.device)
        self.causal_lm = base.to(self.device, self.dtype)
        self._models = {False: base.model, True: tuned.to(self.device, self.dtype)}
        self._head = base.lm_head

    def context(self) -> Context:
        """Start an empty context for the tuned model."""
        return _CachedContext(self._models[True], self._head)

    def fluency(self, forest: Forest) -> torch.Tensor:
        """Return the log-probability of each node's token after its ancestors, by the base model.

        Parameters
        ----------
        forest : Forest
            Token trees; all nodes run in one forward pass.

        Returns
        -------
        float32 tensor, shape (nodes,)
            In nats, over the whole vocabulary; 0 for a root.
        """
        with torch.inference_mode():
            hidden = self._hidden(forest, tuned=False)
            result = torch.zeros(len(forest))
            inner = [node for node, parent in enumerate(forest.parents) if parent >= 0]
            for start in range(0, len(inner), _HEAD_ROWS):
                nodes = inner[start : start + _HEAD_ROWS]
                logits = self._head(hidden[[forest.parents[node] for node in nodes]]).float()
                tokens = torch.tensor([forest.ids[node] for node in nodes], device=self.device)
                chosen = logits.gather(1, tokens.unsqueeze(1)).squeeze(1)
                result[nodes] = (chosen - logits.logsumexp(1)).cpu()
            return result

    def decisions(self, forest: Forest) -> torch.Tensor:
        """Return the log-probability of each node among its siblings, by the tuned model: the choice under the mask.

        Parameters
        ----------
        forest : Forest
            Token trees that hold every allowed alternative; all nodes run in one forward pass.

        Returns
        -------
        float32 tensor, shape (nodes,)
            In nats; 0 where the mask leaves one token only.
        """
        with torch.inference_mode():
            hidden = self._hidden(forest, tuned=True)
            result = torch.zeros(len(forest))
            branching = forest.branching()
            if branching:
                logits = self._head(hidden[list(branching)]).float().cpu()
                for row, nodes in zip(logits, branching.values(), strict=True):
                    result[nodes] = row[[forest.ids[node] for node in nodes]].log_softmax(0)
            return result

    def _hidden(self, forest: Forest, *, tuned: bool) -> torch.Tensor:
        hidden: torch.Tensor = self._models[tuned](
            torch.tensor([forest.ids], device=self.device),
            forest.attention_mask().to(self.device, self.dtype),
            torch.tensor([forest.depths], device=self.device),
            use_cache=False,
        ).last_hidden_state[0]
        return hidden


def _native_dtype(device: torch.device) -> torch.dtype:
    # Dynamic int8 is as fast but moves the log-likelihood of a sentence by 1.3 nats (one standard deviation), bfloat16 by 0.15.
    if device.type == "cuda" or torch.ops.mkldnn._is_mkldnn_bf16_supported():
        return torch.bfloat16
    return torch.float32


def _device(name: str) -> torch.device:
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name == "cuda" and not torch.cuda.is_available():
        raise WeightsError("no CUDA device is available; use --device cpu")
    return torch.device(name)


def _causal_lm(folder: Path, state: dict[str, torch.Tensor]) -> Any:
    config = AutoConfig.from_pretrained(folder, local_files_only=True)
    if config.tie_word_embeddings:
        state.setdefault("lm_head.weight", state["model.embed_tokens.weight"])
    architecture: Any = MODEL_FOR_CAUSAL_LM_MAPPING[type(config)]
    return architecture.from_pretrained(
        None, config=config, state_dict=state, dtype=torch.float32, attn_implementation="sdpa"
    ).eval()


def _tuned_copy(base: Any, changed: dict[str, torch.Tensor]) -> nn.Module:
    """Return the base decoder with some matrices changed; layers without a change are shared, not copied."""
    tuned = copy.copy(base.model)
    tuned._modules = dict(base.model._modules)
    layers = list(base.model.layers)
    for name, weight in changed.items():
        _, _, index, *path, _ = name.split(".")
        if layers[int(index)] is base.model.layers[int(index)]:
            layers[int(index)] = copy.deepcopy(layers[int(index)])
        layers[int(index)].get_submodule(".".join(path)).weight = nn.Parameter(weight, requires_grad=False)
    tuned.layers = nn.ModuleList(layers)
    return tuned  # type: ignore[no-any-return]
