"""Many token sequences in one forward pass: packed without padding, each attending to itself alone.

The linear layers, where nearly all the work is, run over the tokens of all segments as one sequence; only attention is done by
groups of segments of like length, padded within the group (packing as in Krell et al. 2021).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import torch
from torch.nn.functional import scaled_dot_product_attention


class KeyValueCache:
    """Keys and values of the tokens of all contexts, in a pool that holds as many places as there are tokens.

    Each context has its own list of places, in any order (as in Kwon et al. 2023, with pages of one token), so that a long one
    costs the others nothing.

    Parameters
    ----------
    layers, heads, size : int
        Layers of the model, its key-value heads, and the size of one.
    dtype, device
        Of the keys and values.
    """

    _FIRST = 512

    def __init__(self, layers: int, heads: int, size: int, dtype: torch.dtype, device: torch.device) -> None:
        self._shape, self._dtype, self._device = (heads, size), dtype, device
        self._free: list[int] = []
        self._used = 0
        self.keys = [self._empty(0) for _ in range(layers)]
        self.values = [self._empty(0) for _ in range(layers)]

    def take(self, count: int) -> list[int]:
        """Return free places, with room for keys and values."""
        again = [self._free.pop() for _ in range(min(count, len(self._free)))]
        fresh = range(self._used, self._used + count - len(again))
        self._used = fresh.stop
        self._reserve()
        return [*again, *fresh]

    def give_back(self, places: list[int]) -> None:
        """Free places; with the last ones the memory is freed too."""
        self._free += places
        if len(self._free) == self._used:
            self._free, self._used = [], 0
            self.keys = [self._empty(0) for _ in self.keys]
            self.values = [self._empty(0) for _ in self.values]

    def _reserve(self) -> None:
        room = len(self.keys[0])
        if room >= self._used:
            return
        room = max(self._FIRST, self._used, 2 * room)
        for buffers in (self.keys, self.values):
            for layer, old in enumerate(buffers):
                buffers[layer] = self._empty(room)
                buffers[layer][: len(old)] = old

    def _empty(self, places: int) -> torch.Tensor:
        # Zeros: a masked place that nothing was written to must not hold a number that is none.
        return torch.zeros(places, *self._shape, dtype=self._dtype, device=self._device)


class Segment(Protocol):
    """A token sequence to run: a forest by itself, or what is new of a context.

    Attributes
    ----------
    ids, depths : sequence of int
        Its tokens and their positions.
    """

    ids: Sequence[int]
    depths: Sequence[int]

    def visible(self) -> torch.Tensor:
        """Return which tokens each token attends to, bool of shape (tokens, tokens seen)."""

    @property
    def places(self) -> Sequence[int] | None:
        """Places of the cache for its tokens and those before them, for a context."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Segments that attend side by side.

    Attributes
    ----------
    tokens : tensor, shape (tokens,)
        Where in the pack their tokens are.
    gather : tensor, shape (segments, longest)
        The same, padded.
    flat : tensor, shape (tokens,)
        Where in the padded form they are.
    mask : tensor, shape (segments, 1, queries a key-value head, most seen)
        Additive.
    places : tensor or None, shape (segments, most seen)
        For contexts, places of the cache.
    written : tensor or None, shape (tokens,)
        For contexts, the place of each new token.
    """

    tokens: torch.Tensor
    gather: torch.Tensor
    flat: torch.Tensor
    mask: torch.Tensor
    places: torch.Tensor | None = None
    written: torch.Tensor | None = None


class Pack:
    """Segments that share a forward pass.

    Parameters
    ----------
    segments : sequence of Segment
        The segments.
    cache : KeyValueCache
        Keys and values of the contexts.
    shared : int
        Query heads that share a head of keys and values.
    dtype, device
        Of the forward pass.

    Attributes
    ----------
    ids, positions : tensor, shape (tokens,)
        Tokens of all segments.
    starts : list of int
        Where each segment begins.
    """

    def __init__(
        self,
        segments: Sequence[Segment],
        cache: KeyValueCache,
        shared: int,
        dtype: torch.dtype,
        device: torch.device,
    ) -> None:
        self.cache, self._shared, self._dtype, self._device = cache, shared, dtype, device
        self.ids = torch.tensor([token for each in segments for token in each.ids], device=device)
        self.positions = torch.tensor([depth for each in segments for depth in each.depths], device=device)
        self.starts = [0]
        for each in segments:
            self.starts.append(self.starts[-1] + len(each.ids))
        kinds: dict[tuple[bool, int, int], list[int]] = {}
        for index, each in enumerate(segments):
            seen = len(each.ids if each.places is None else each.places)
            size = (seen.bit_length(), len(each.ids).bit_length())
            kinds.setdefault((each.places is None, *size), []).append(index)
        self.groups = [self._group(segments, members) for members in kinds.values()]

    def _group(self, segments: Sequence[Segment], members: Sequence[int]) -> _Group:
        chosen = [segments[index] for index in members]
        visible = [each.visible() for each in chosen]
        longest, seen = (max(each.shape[axis] for each in visible) for axis in (0, 1))
        mask = torch.full((len(chosen), 1, longest, seen), torch.finfo(self._dtype).min, dtype=self._dtype)
        gather = torch.zeros(len(chosen), longest, dtype=torch.long)
        flat: list[int] = []
        for row, (index, sees) in enumerate(zip(members, visible, strict=True)):
            count, width = sees.shape
            mask[row, 0, :count, :width].masked_fill_(sees, 0.0)
            gather[row, :count] = torch.arange(self.starts[index], self.starts[index] + count)
            flat += range(row * longest, row * longest + count)
        # Heads that share keys become further queries of these: nothing is copied for them.
        mask = mask.repeat(1, 1, self._shared, 1)
        where = torch.tensor(flat)
        tokens = gather.flatten()[where].to(self._device)
        if chosen[0].places is None:
            return _Group(tokens, gather.to(self._device), where.to(self._device), mask.to(self._device))
        places = torch.zeros(len(chosen), seen, dtype=torch.long)
        written: list[int] = []
        for row, each in enumerate(chosen):
            known = each.places or ()
            places[row, : len(known)] = torch.tensor(known)
            written += known[len(known) - len(each.ids) :]
        return _Group(
            tokens, gather.to(self._device), where.to(self._device), mask.to(self._device),
            places.to(self._device), torch.tensor(written, device=self._device),
        )  # fmt: skip

    def attend(
        self, layer: int, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, scaling: float
    ) -> torch.Tensor:
        """Return the attention of one layer.

        Parameters
        ----------
        layer : int
            Index of the layer.
        query, key, value : tensor, shape (heads, tokens, size)
            Of the pack's tokens, rotated; keys and values may have fewer heads, each shared by some of the queries'.
        scaling : float
            Of the products.

        Returns
        -------
        tensor, shape (tokens, heads, size)
        """
        heads, total, size = query.shape
        shared = self._shared
        result = query.new_empty(total, heads, size)
        for group in self.groups:
            rows, longest = group.gather.shape
            queries = query[:, group.gather].view(-1, shared, rows, longest, size).permute(2, 0, 1, 3, 4)
            keys, values = self._seen(layer, group, key, value)
            attended = scaled_dot_product_attention(
                queries.reshape(rows, -1, shared * longest, size), keys, values,
                attn_mask=group.mask, scale=scaling,
            )  # fmt: skip
            attended = attended.view(rows, -1, shared, longest, size).permute(0, 3, 1, 2, 4)
            result[group.tokens] = attended.reshape(rows * longest, heads, size)[group.flat]
        return result

    def _seen(
        self, layer: int, group: _Group, key: torch.Tensor, value: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return keys and values of a group, each of shape (segments, heads, most seen, size)."""
        if group.places is None or group.written is None:
            return key[:, group.gather].transpose(0, 1), value[:, group.gather].transpose(0, 1)
        found = []
        for buffers, new in ((self.cache.keys, key), (self.cache.values, value)):
            buffers[layer][group.written] = new[:, group.tokens].transpose(0, 1)
            found.append(buffers[layer][group.places].transpose(1, 2))
        return found[0], found[1]
