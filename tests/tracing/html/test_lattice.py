from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tutor.tracing.html.lattice import lattice
from tutor.tracing.records import Alternative


def alternatives(sentence: str, *changes: tuple[str, float]) -> list[Alternative]:
    return [
        Alternative(text=text, score=0.0, probability=probability, chosen=probability > 0.5)
        for text, probability in [(sentence, 0.1), *changes]
    ]


def ways(part: Any) -> list[tuple[str, bool, bool]]:
    return [(way["text"], way["chosen"], way["written"]) for way in part["ways"]]


def test_each_stretch_has_its_ways_likeliest_first_and_what_was_written_among_them() -> None:
    sentence = "He goed home and they was happy."
    pieces = lattice(
        alternatives(sentence, ("goed -> went", 0.8), ("goed -> goes", 0.15), ("was -> were", 0.3)), sentence
    )
    assert pieces is not None
    first, going, middle, being, last = pieces
    assert (first, middle, last) == ("He ", " home and they ", " happy.")
    assert ways(going) == [("went", True, False), ("goes", False, False), ("goed", False, True)]
    assert ways(being) == [("was", True, True), ("were", False, False)]
    assert isinstance(going, dict)
    assert sum(way["probability"] for way in going["ways"]) == 1


def test_changes_that_overlap_are_ways_of_one_stretch() -> None:
    sentence = "She don't like it."
    pieces = lattice(
        alternatives(sentence, ("do -> does", 0.6), ("don't like -> didn't like", 0.2)), sentence
    )
    assert pieces is not None
    _, stretch, _ = pieces
    assert ways(stretch) == [
        ("doesn't like", True, False),
        ("didn't like", False, False),
        ("don't like", False, True),
    ]


def test_a_verb_that_comes_twice_is_found_twice() -> None:
    sentence = "I am old and you am old."
    changes = [("am -> was", 0.1), ("am -> are", 0.2), ("am -> was", 0.1), ("am -> are", 0.9)]
    pieces = lattice(alternatives(sentence, *changes), sentence)
    assert pieces is not None
    assert [part for part in pieces if isinstance(part, str)] == ["I ", " old and you ", " old."]


def test_a_word_within_a_word_is_no_place_for_a_change() -> None:
    sentence = "The island is far, cannot go."
    pieces = lattice(alternatives(sentence, ("is -> are", 0.2), ("can -> could", 0.2)), sentence)
    assert pieces is not None
    assert pieces[0] == "The island "
    assert pieces[2] == " far, "


def test_alternatives_that_are_no_changes_have_no_lattice() -> None:
    assert lattice(alternatives("x", ("another text", 0.2)), "x") is None
    assert lattice(alternatives("x", ("y -> z", 0.2)), "x") is None
    assert lattice(alternatives("x"), "x") is None


@given(st.text(max_size=30), st.lists(st.text(max_size=8), max_size=4))
def test_what_was_written_spells_the_sentence(sentence: str, texts: list[str]) -> None:
    pieces = lattice(alternatives(sentence, *((text, 0.1) for text in texts)), sentence)
    if pieces is not None:
        written = [
            part if isinstance(part, str) else next(way["text"] for way in part["ways"] if way["written"])
            for part in pieces
        ]
        assert "".join(written) == sentence
