import pytest

from tutor.evaluation.readers import Item
from tutor.training.ceiling import aligned, within_reach


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("He go home.", "He goes home."),
        ("He going home.", "He is going home."),
        ("He is agree.", "He agrees."),
        ("Going", "Going home"),
        ("I must to go and they was late", "I must go and they were late"),
    ],
)
def test_edits_make_the_target_and_are_never_empty(source: str, target: str) -> None:
    text = source
    for edit in reversed(aligned(source, target).edits):
        assert edit.wrong
        assert edit.right
        text = text[: edit.start] + edit.right + text[edit.end :]
    assert text == target


def test_only_what_the_tools_support_is_within_reach() -> None:
    assert within_reach(Item("My aunt sell maps.", ("My aunt sold charts.", "My aunt sells maps.")))
    assert not within_reach(Item("My aunt sell maps.", ("My aunt sells charts.",)))
