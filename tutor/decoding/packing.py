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
    """Keys and values of contexts, a slot for each, that grow with the longest of them.

    Parameters
    ----------
    layers, heads, size : int
        Layers of the model, its key-value heads, and the size of one.
    dtype, device
        Of the keys and values.
    """

    _FIRST = 256

    def __init__(self, layers: int, heads: int, size: int, dtype: torch.dtype, device: torch.device) -> None:
        self._shape, self._dtype, self._device = (heads, size), dtype, device
        self._free: list[int] = []
        self._used = 0
        self.keys = [self._empty(0, 0) for _ in range(layers)]
        self.values = [self._empty(0, 0) for _ in range(layers)]

    def take(self) -> int:
        """Return a free slot."""
        if self._free:
            return self._free.pop()
        self._used += 1
        return self._used - 1

    def give_back(self, slot: int) -> None:
        """Free a slot; with the last one the memory is freed too."""
        self._free.append(slot)
        if len(self._free) == self._used:
            self._free, self._used = [], 0
            self.keys = [self._empty(0, 0) for _ in self.keys]
            self.values = [self._empty(0, 0) for _ in self.values]

    def reserve(self, length: int) -> None:
        """Make room for contexts of a length."""
        slots, tokens = self.keys[0].shape[:2]
        if slots >= self._used and tokens >= length:
            return
        slots = slots if slots >= self._used else max(self._used, 2 * slots)
        tokens = tokens if tokens >= length else max(self._FIRST, length, 2 * tokens)
        for buffers in (self.keys, self.values):
            for layer, old in enumerate(buffers):
                buffers[layer] = self._empty(slots, tokens)
                buffers[layer][: old.shape[0], : old.shape[1]] = old

    def _empty(self, slots: int, tokens: int) -> torch.Tensor:
        return torch.zeros(slots, tokens, *self._shape, dtype=self._dtype, device=self._device)


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
    def slot(self) -> int | None:
        """Slot of the cache with the tokens before it, for a context."""


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
    slots : tensor or None
        Slot of each segment, for contexts.
    written : tuple of two tensors, shape (tokens,), or None
        Slot and position of each token.
    """

    tokens: torch.Tensor
    gather: torch.Tensor
    flat: torch.Tensor
    mask: torch.Tensor
    slots: torch.Tensor | None = None
    written: tuple[torch.Tensor, torch.Tensor] | None = None


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
            seen = each.depths[-1] + 1 if each.slot is not None else len(each.ids)
            size = (seen.bit_length(), len(each.ids).bit_length())
            kinds.setdefault((each.slot is None, *size), []).append(index)
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
        slots = [each.slot for each in chosen if each.slot is not None]
        if not slots:
            return _Group(tokens, gather.to(self._device), where.to(self._device), mask.to(self._device))
        each_slot = [slot for slot, each in zip(slots, chosen, strict=True) for _ in each.ids]
        written = (torch.tensor(each_slot, device=self._device), self.positions[tokens])
        return _Group(
            tokens, gather.to(self._device), where.to(self._device), mask.to(self._device),
            torch.tensor(slots, device=self._device), written,
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
        if group.slots is None or group.written is None:
            return key[:, group.gather].transpose(0, 1), value[:, group.gather].transpose(0, 1)
        found = []
        for buffers, new in ((self.cache.keys, key), (self.cache.values, value)):
            buffers[layer][group.written] = new[:, group.tokens].transpose(0, 1)
            found.append(buffers[layer][:, : group.mask.shape[-1]][group.slots].transpose(1, 2))
        return found[0], found[1]
