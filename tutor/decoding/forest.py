"""Token trees that a model scores in one forward pass, each node attending to its ancestors only."""

from __future__ import annotations

from collections.abc import Sequence

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

    def branching(self) -> dict[int, list[int]]:
        """Return, for each node under which sequences part, the nodes under it."""
        groups: dict[int, list[int]] = {}
        for node, parent in enumerate(self.parents):
            groups.setdefault(parent, []).append(node)
        return {parent: nodes for parent, nodes in groups.items() if parent >= 0 and len(nodes) > 1}

    def visible(self) -> torch.Tensor:
        """Return which nodes each node attends to, bool of shape (nodes, nodes): itself and its ancestors."""
        size = len(self.ids)
        visible = np.zeros((size, size), dtype=bool)
        for node, parent in enumerate(self.parents):
            if parent >= 0:
                visible[node, : parent + 1] = visible[parent, : parent + 1]
            visible[node, node] = True
        return torch.from_numpy(visible)

    @property
    def slot(self) -> None:
        """A forest is run as a whole: it has no slot in a cache."""
        return None
