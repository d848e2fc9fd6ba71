from tutor.evaluation.rightness import is_right, word_edits

SOURCE = "Yesterday he goed home and she have a idea."
RIGHT = "Yesterday he went home and she had a idea."


def right(wrong: str, text: str, *references: str) -> bool:
    start = SOURCE.index(wrong)
    return is_right(SOURCE, references, start, start + len(wrong), text)


def test_word_edits_name_the_words_that_differ() -> None:
    assert word_edits("He goed home.", "He went home.") == {(1, 2, "went")}
    assert word_edits("He goed.", "He goed.") == frozenset()


def test_an_edit_is_right_though_another_error_stays() -> None:
    assert right("goed", "went", RIGHT)
    assert not right("goed", "gone", RIGHT)


def test_one_reference_must_make_it_whole() -> None:
    assert right("have", "has", RIGHT, "Yesterday he went home and she has a idea.")
    assert not right("have", "has", RIGHT)


def test_a_change_to_nothing_is_never_right() -> None:
    assert not right("have", "have", RIGHT)
