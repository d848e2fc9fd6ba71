"""The language model: one set of base weights, with the adapter off and on, answering the queries of many runs at once."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import torch
from torch.nn.functional import linear

from tutor.decoding.decoder import Decoder, Shape
from tutor.decoding.forest import Forest, Part
from tutor.decoding.packing import KeyValueCache, Pack, Segment
from tutor.decoding.queries import Decide, Fluency, Predict, Query
from tutor.decoding.tokenizer import Tokenizer
from tutor.decoding.weights import WeightsError, load_state, merge_adapter

_PACK_TOKENS = 2048
_HEAD_ROWS = 256  # rows of vocabulary logits held at once: 50 MB
_FEW = 2048  # rows of the head up to which taking them out is cheaper than the whole head


class _CachedContext:
    """A context whose keys and values are kept; tokens are run when a prediction is asked for."""

    def __init__(self, cache: KeyValueCache) -> None:
        self.cache = cache
        self.cached = 0
        self.ids: list[int] = []
        """The tokens that are still to be run."""
        self.places: list[int] = []
        weakref.finalize(self, cache.give_back, self.places)

    def append(self, ids: Sequence[int]) -> None:
        self.ids.extend(ids)

    def __len__(self) -> int:
        return self.cached + len(self.ids)

    @property
    def depths(self) -> Sequence[int]:
        return range(self.cached, len(self))

    def visible(self) -> torch.Tensor:
        return torch.ones(len(self.ids), len(self), dtype=torch.bool).tril(self.cached)

    def make_room(self) -> None:
        """Take places of the cache for the tokens that are to be run."""
        self.places += self.cache.take(len(self) - len(self.places))

    def ran(self) -> None:
        """Note that the tokens were run."""
        self.cached, self.ids = len(self), []


class _Branches:
    """Part of a forest behind the first tokens of a context, whose keys and values it reads."""

    def __init__(self, part: Part, context: _CachedContext, shared: int) -> None:
        self.nodes, self.ids, self.depths = part.nodes, part.ids, part.depths
        self._part, self._known, self._cache = part, context.places[:shared], context.cache
        self._own: list[int] = []

    @property
    def places(self) -> Sequence[int]:
        return [*self._known, *self._own]

    def visible(self) -> torch.Tensor:
        known = torch.ones(len(self.ids), len(self._known), dtype=torch.bool)
        return torch.cat([known, self._part.visible()], dim=1)

    def make_room(self) -> None:
        self._own = self._cache.take(len(self.ids))

    def ran(self) -> None:
        """Give the places back: nothing goes on from a branch."""
        self._cache.give_back(self._own)


class TransformersModel:
    """A Llama model, base and tuned.

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
        shape = Shape.read(folder)
        self.device = _device(device)
        self.dtype = dtype or _native_dtype(self.device)
        self.tokenizer = Tokenizer(folder)
        state = load_state(folder)
        self._folder, adapter_dir = folder, folder / "adapter"
        self._has_adapter = adapter and (adapter_dir / "adapter_config.json").is_file()
        base = Decoder(shape, state, self.device, self.dtype)
        tuned = base.changed(state, merge_adapter(state, adapter_dir)) if self._has_adapter else base
        self._models = {False: base, True: tuned}
        self._head = base.head
        self._shared_heads = shape.heads // shape.key_value_heads
        self._cache = KeyValueCache(
            shape.layers, shape.key_value_heads, shape.head_size, self.dtype, self.device
        )

    @cached_property
    def causal_lm(self) -> Any:
        """The tuned model by way of `transformers`, loaded when it is first asked for."""
        from tutor.decoding.reference import causal_lm  # imports transformers, which nothing else needs

        return causal_lm(self._folder, adapter=self._has_adapter).to(self.device, self.dtype)

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
                        query = queries[index]
                        answers[index] = self._answer(query, segments[index], states)
                        if isinstance(segments[index], _Branches) or (
                            isinstance(query, Predict) and query.keep
                        ):
                            segments[index].ran()
        return [answers[index] for index in range(len(queries))]

    def _hidden(self, segments: Sequence[Segment], *, tuned: bool) -> list[torch.Tensor]:
        """Return the last hidden states of each segment."""
        for segment in segments:
            if isinstance(segment, _CachedContext | _Branches):
                segment.make_room()
        pack = Pack(segments, self._cache, self._shared_heads, self.dtype, self.device)
        states = self._models[tuned].hidden(pack.ids, pack.positions, pack)
        return list(torch.split(states, [len(each.ids) for each in segments]))

    def _answer(self, query: Query, segment: Any, hidden: torch.Tensor) -> torch.Tensor:
        match query:
            case Predict(before=0):
                return self._prediction(query, hidden[-1])
            case Predict(before=before):
                earlier = linear(hidden[-before - 1 : -1], self._head).float().cpu()
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
        logits: torch.Tensor = linear(hidden, self._head).float().cpu()
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
            states = hidden[start : start + _HEAD_ROWS]
            nodes = [node for parent in parents for node in children[parent]]
            rows = torch.tensor([row for row, parent in enumerate(parents) for _ in children[parent]])
            chosen = self._logits(states[rows], torch.tensor([[forest.ids[node]] for node in nodes]))[:, 0]
            result[nodes] = chosen - _logsumexp(linear(states, self._head)).cpu()[rows]
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
        rows = self._head[tokens.to(self.device)].float()
        return torch.einsum("sw,stw->st", hidden.float(), rows).cpu()


def _logsumexp(logits: torch.Tensor) -> torch.Tensor:
    """Return the logarithm of the sum of the exponentials of each row, float32.

    On the CPU, `torch.logsumexp` of bfloat16 takes five times as long as the matrix product that the logits come from;
    `log_softmax` does not, and is nearly exact at the likeliest token.
    """
    peak, likeliest = logits.max(1, keepdim=True)
    return (peak.float() - logits.log_softmax(1).gather(1, likeliest).float())[:, 0]


def segment(query: Query) -> Any:
    """Return what must be run for a query: of a forest only the nodes whose prediction counts, and those above them."""
    match query:
        case Predict():
            return query.context
        case Fluency():
            return query.forest.part(query.forest.children() or (0,))
        case Decide(forest=forest, context=context, shared=shared):
            parents = forest.branching()
            # The prediction after a token that a context has run is gone: where sequences part, the node is run again.
            known = min([shared, *(forest.depths[parent] for parent in parents)])
            if parents and isinstance(context, _CachedContext) and known > 0 and shared <= context.cached:
                return _Branches(forest.part(parents, known), context, known)
            return forest.part(parents or (0,))


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
