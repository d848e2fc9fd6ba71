import pytest

from tutor.evaluation.m2 import blocks, read_block


def test_blocks_know_their_first_line() -> None:
    assert list(blocks(["\n", "S a\n", "A x\r\n", "\n", "\n", "S b"])) == [(2, ["S a", "A x"]), (6, ["S b"])]


def test_edits_apply_by_annotator_whatever_their_order() -> None:
    block = [
        "S He goed to the home .",
        "A 4 5|||R:NOUN|||house|||REQUIRED|||-NONE-|||1",
        "A 1 2|||R:VERB:INFL|||has gone|||REQUIRED|||-NONE-|||1",
        "A 2 4|||U:OTHER||||||REQUIRED|||-NONE-|||0",
        "A 6 6|||M:PUNCT|||!|||REQUIRED|||-NONE-|||0",
    ]
    assert read_block(block) == (
        "He goed to the home .", ["He has gone to the house .", "He goed home . !"],
    )  # fmt: skip


def test_a_noop_and_no_edit_at_all_leave_the_sentence() -> None:
    assert read_block(["S Fine ."]) == ("Fine .", ["Fine ."])
    assert read_block(["S", "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0"]) == ("", [""])


@pytest.mark.parametrize(
    "block",
    [
        ["A 1 2|||R|||x|||REQUIRED|||-NONE-|||0"],
        ["Some text"],
        ["S a b", "A 1 2|||R"],
        ["S a b", "A 1|||R|||x|||REQUIRED|||-NONE-|||0"],
        ["S a b", "A one two|||R|||x|||REQUIRED|||-NONE-|||0"],
        ["S a b", "A 1 3|||R|||x|||REQUIRED|||-NONE-|||0"],
        ["S a b", "A 2 1|||R|||x|||REQUIRED|||-NONE-|||0"],
        ["S a b", "S c d"],
    ],
)
def test_anything_else_is_no_block(block: list[str]) -> None:
    with pytest.raises(ValueError, match=r"S\)|A\)|tokens|unpack|literal"):
        read_block(block)
