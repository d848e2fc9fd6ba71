"""The language model: one set of base weights, with the adapter off and on, answering the queries of many runs at once."""

from __future__ import annotations

import copy
import weakref
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn
from transformers import MODEL_FOR_CAUSAL_LM_MAPPING, AutoConfig

from tutor.decoding.forest import Forest, Part
from tutor.decoding.packing import ATTENTION, KeyValueCache, Pack, Segment
from tutor.decoding.queries import Decide, Fluency, Predict, Query
from tutor.decoding.tokenizer import Tokenizer
from tutor.decoding.weights import WeightsError, load_state, merge_adapter

_PACK_TOKENS = 2048
_HEAD_ROWS = 256  # rows of vocabulary logits held at once: 50 MB
_FEW = 2048  # rows of the head up to which taking them out is cheaper than the whole head


class _CachedContext:
    """A context whose keys and values are kept; tokens are run when a prediction is asked for."""

    def __init__(self, cache: KeyValueCache) -> None:
        self.slot = cache.take()
        self.cached = 0
        self.ids: list[int] = []
        """The tokens that are still to be run."""
        weakref.finalize(self, cache.give_back, self.slot)

    def append(self, ids: Sequence[int]) -> None:
        self.ids.extend(ids)

    def __len__(self) -> int:
        return self.cached + len(self.ids)

    @property
    def depths(self) -> Sequence[int]:
        return range(self.cached, len(self))

    def visible(self) -> torch.Tensor:
        return torch.ones(len(self.ids), len(self), dtype=torch.bool).tril(self.cached)

    def ran(self) -> None:
        """Note that the tokens were run."""
        self.cached, self.ids = len(self), []


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
        config = base.config
        self._cache = KeyValueCache(
            config.num_hidden_layers, config.num_key_value_heads, config.head_dim, self.dtype, self.device
        )

    def context(self) -> _CachedContext:
        """Start an empty context for the tuned model."""
        return _CachedContext(self._cache)

    def answer(self, queries: Sequence[Query]) -> list[torch.Tensor]:
        """Answer queries together: one forward pass of the tuned model and one of the base model for each pack of them.

        Parameters
        ----------
        queries : sequence of Query
            Of different runs; the contexts are of this model.

        Returns
        -------
        list of tensor
            One answer each, as its query says, on the CPU.
        """
        answers: dict[int, torch.Tensor] = {}
        with torch.inference_mode():
            for tuned in (True, False):
                segments = {
                    index: segment(query)
                    for index, query in enumerate(queries)
                    if isinstance(query, Fluency) != tuned
                }
                for members in _packs(segments):
                    hidden = self._hidden([segments[index] for index in members], tuned=tuned)
                    for index, states in zip(members, hidden, strict=True):
                        answers[index] = self._answer(queries[index], segments[index], states)
        return [answers[index] for index in range(len(queries))]

    def _hidden(self, segments: Sequence[Segment], *, tuned: bool) -> list[torch.Tensor]:
        """Return the last hidden states of each segment."""
        self._cache.reserve(
            max((each.depths[-1] + 1 for each in segments if each.slot is not None), default=0)
        )
        pack = Pack(segments, self._cache, self.dtype, self.device)
        output = self._models[tuned](pack.ids, None, pack.positions, use_cache=False, pack=pack)
        hidden = torch.split(output.last_hidden_state[0], [len(each.ids) for each in segments])
        for segment in segments:
            if isinstance(segment, _CachedContext):
                segment.ran()
        return list(hidden)

    def _answer(self, query: Query, segment: Any, hidden: torch.Tensor) -> torch.Tensor:
        match query:
            case Predict(before=0):
                return self._prediction(query, hidden[-1])
            case Predict(before=before):
                earlier = self._head(hidden[-before - 1 : -1]).float().cpu()
                return torch.cat([earlier, self._prediction(query, hidden[-1]).unsqueeze(0)])
            case Fluency():
                return self._fluency(query.forest, segment, hidden)
            case Decide():
                return self._decisions(query.forest, segment, hidden)

    def _prediction(self, query: Predict, hidden: torch.Tensor) -> torch.Tensor:
        allowed = torch.from_numpy(query.allowed)
        few = len(allowed) <= _FEW
        exact = self._logits(hidden.unsqueeze(0), allowed.unsqueeze(0))[0] if few else None
        if exact is not None and not query.whole:
            return exact
        logits: torch.Tensor = self._head(hidden).float().cpu()
        if exact is not None:
            logits[allowed] = exact
        return logits if query.whole else logits[allowed]

    def _fluency(self, forest: Forest, part: Part, hidden: torch.Tensor) -> torch.Tensor:
        result = torch.zeros(len(forest))
        children = forest.children()
        if not children:
            return result
        for start in range(0, len(part.nodes), _HEAD_ROWS):
            parents = part.nodes[start : start + _HEAD_ROWS]
            logits = self._head(hidden[start : start + _HEAD_ROWS])
            nodes = [node for parent in parents for node in children[parent]]
            rows = torch.tensor([row for row, parent in enumerate(parents) for _ in children[parent]])
            chosen = logits[rows, [forest.ids[node] for node in nodes]]
            result[nodes] = (chosen.float() - logits.float().logsumexp(1)[rows]).cpu()
        return result

    def _decisions(self, forest: Forest, part: Part, hidden: torch.Tensor) -> torch.Tensor:
        result = torch.zeros(len(forest))
        branching = forest.branching()
        if not branching:
            return result
        rows = {node: row for row, node in enumerate(part.nodes)}
        states = hidden[[rows[parent] for parent, nodes in branching.items() for _ in nodes]]
        tokens = [[forest.ids[node]] for nodes in branching.values() for node in nodes]
        logits = self._logits(states, torch.tensor(tokens))[:, 0]
        sizes = [len(nodes) for nodes in branching.values()]
        for nodes, scores in zip(branching.values(), torch.split(logits, sizes), strict=True):
            result[nodes] = scores.log_softmax(0)
        return result

    def _logits(self, hidden: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
        """Return the logits of some tokens after each state, in float32: bfloat16 would tie what differs by an eighth."""
        rows = self._head.weight[tokens.to(self.device)].float()
        return torch.einsum("sw,stw->st", hidden.float(), rows).cpu()


def segment(query: Query) -> Any:
    """Return what must be run for a query: of a forest only the nodes whose prediction counts, and those above them."""
    match query:
        case Predict():
            return query.context
        case Fluency():
            return query.forest.part(query.forest.children() or (0,))
        case Decide():
            return query.forest.part(query.forest.branching() or (0,))


def _packs(segments: Mapping[int, Segment]) -> Iterator[list[int]]:
    """Yield the numbers of segments in runs of up to `_PACK_TOKENS` tokens."""
    pack: list[int] = []
    size = 0
    for index, segment in segments.items():
        if pack and size + len(segment.ids) > _PACK_TOKENS:
            yield pack
            pack, size = [], 0
        pack.append(index)
        size += len(segment.ids)
    if pack:
        yield pack


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
        None, config=config, state_dict=state, dtype=torch.float32, attn_implementation=ATTENTION
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
