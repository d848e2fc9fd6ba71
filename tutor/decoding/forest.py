"""Token trees that a model scores in one forward pass, each node attending to its ancestors only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch


class Forest:
    """A trie of token sequences.

    Sequences that begin alike share their nodes, so that scoring many alternatives of a sentence costs little more than the
    parts in which they differ (tree attention, as in Miao et al. 2023, SpecInfer).
    """

    def __init__(self) -> None:
        self.ids: list[int] = []
        self.depths: list[int] = []
        self.parents: list[int] = []
        self._children: dict[int, dict[int, int]] = {}

    def __len__(self) -> int:
        """Return the number of nodes."""
        return len(self.ids)

    def add(self, tokens: Sequence[int]) -> list[int]:
        """Add a sequence and return its nodes, one a token.

        Parameters
        ----------
        tokens : sequence of int
            Token ids.
        """
        nodes: list[int] = []
        parent = -1
        for token in tokens:
            siblings = self._children.setdefault(parent, {})
            if token not in siblings:
                siblings[token] = len(self.ids)
                self.ids.append(token)
                self.parents.append(parent)
                self.depths.append(self.depths[parent] + 1 if parent >= 0 else 0)
            parent = siblings[token]
            nodes.append(parent)
        return nodes

    def children(self) -> dict[int, list[int]]:
        """Return, for each node that has some, the nodes under it."""
        return {parent: list(below.values()) for parent, below in self._children.items() if parent >= 0}

    def branching(self) -> dict[int, list[int]]:
        """Return, for each node under which sequences part, the nodes under it."""
        return {parent: nodes for parent, nodes in self.children().items() if len(nodes) > 1}

    def part(self, nodes: Iterable[int], known: int = 0) -> Part:
        """Return what must be run to know what the model predicts after some nodes: these and their ancestors.

        Parameters
        ----------
        nodes : iterable of int
            The nodes.
        known : int
            How many tokens at the beginning of every sequence have been run elsewhere.
        """
        kept: set[int] = set()
        for node in nodes:
            while node >= 0 and node not in kept and self.depths[node] >= known:
                kept.add(node)
                node = self.parents[node]
        order = sorted(kept)
        places = {node: place for place, node in enumerate(order)}
        return Part(
            order,
            [self.ids[node] for node in order],
            [self.depths[node] for node in order],
            [places.get(self.parents[node], -1) for node in order],
        )


@dataclass(frozen=True, slots=True)
class Part:
    """Some nodes of a forest with all their ancestors, as a segment of a forward pass.

    Attributes
    ----------
    nodes : list of int
        The nodes in the forest, ascending.
    ids, depths : list of int
        Token and depth of each.
    parents : list of int
        Place of each one's parent in this list, -1 for one that is not in it.
    """

    nodes: list[int]
    ids: list[int]
    depths: list[int]
    parents: list[int]

    def visible(self) -> torch.Tensor:
        """Return which nodes each node attends to, bool of shape (nodes, nodes): itself and its ancestors."""
        visible = np.eye(len(self.ids), dtype=bool)
        for place, parent in enumerate(self.parents):
            if parent >= 0:
                visible[place, : parent + 1] = visible[parent, : parent + 1]
        return torch.from_numpy(visible)

    @property
    def places(self) -> None:
        """A forest is run as a whole: it has no places in a cache."""
        return None
