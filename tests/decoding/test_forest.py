import torch
from hypothesis import given
from hypothesis import strategies as st

from tutor.decoding.forest import Forest

SEQUENCES = st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=6), min_size=1, max_size=6)


@given(sequences=SEQUENCES)
def test_a_path_spells_its_sequence_and_depths_count_from_the_root(sequences: list[list[int]]) -> None:
    forest = Forest()
    for sequence in sequences:
        nodes = forest.add(sequence)
        assert [forest.ids[node] for node in nodes] == sequence
        assert [forest.depths[node] for node in nodes] == list(range(len(sequence)))


@given(sequences=SEQUENCES)
def test_sequences_share_exactly_their_common_beginnings(sequences: list[list[int]]) -> None:
    forest = Forest()
    for sequence in sequences:
        forest.add(sequence)
    beginnings = {tuple(sequence[:end]) for sequence in sequences for end in range(1, len(sequence) + 1)}
    assert len(forest) == len(beginnings)


@given(sequences=SEQUENCES)
def test_a_node_attends_to_itself_and_its_ancestors_alone(sequences: list[list[int]]) -> None:
    forest = Forest()
    paths = [forest.add(sequence) for sequence in sequences]
    visible = forest.part(range(len(forest))).visible()
    expected = torch.zeros(len(forest), len(forest), dtype=torch.bool)
    for path in paths:
        for depth, node in enumerate(path):
            expected[node, path[: depth + 1]] = True
    assert torch.equal(visible, expected)


@given(sequences=SEQUENCES)
def test_branching_lists_every_node_with_rivals_and_no_other(sequences: list[list[int]]) -> None:
    forest = Forest()
    for sequence in sequences:
        forest.add(sequence)
    rivals = [node for nodes in forest.branching().values() for node in nodes]
    parents = [parent for parent in forest.parents if parent >= 0]
    assert sorted(rivals) == [n for n, p in enumerate(forest.parents) if p >= 0 and parents.count(p) > 1]


@given(sequences=SEQUENCES, data=st.data())
def test_a_part_holds_the_asked_nodes_with_all_above_them_and_no_other(
    sequences: list[list[int]], data: st.DataObject
) -> None:
    forest = Forest()
    paths = [forest.add(sequence) for sequence in sequences]
    wanted = data.draw(st.sets(st.sampled_from(range(len(forest)))))
    part = forest.part(wanted)
    above = {
        node for path in paths for end in range(len(path)) if path[end] in wanted for node in path[: end + 1]
    }
    assert part.nodes == sorted(above)
    assert part.ids == [forest.ids[node] for node in part.nodes]
    for place, parent in enumerate(part.parents):
        assert forest.parents[part.nodes[place]] == (part.nodes[parent] if parent >= 0 else -1)
