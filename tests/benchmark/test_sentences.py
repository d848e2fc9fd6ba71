from pathlib import Path

import pytest

from tutor.benchmark.sentences import sentences


def words(text: str) -> int:
    return len(text.split())


def test_the_set_has_200_different_sentences_of_4_to_40_words() -> None:
    found = sentences(200)
    assert len(set(found)) == 200
    assert min(map(words, found)) == 4
    assert max(map(words, found)) == 40


@pytest.mark.parametrize("n", [12, 50])
def test_the_first_sentences_are_spread_over_all_lengths(n: int) -> None:
    every, some = (sorted(map(words, sentences(count))) for count in (200, n))
    assert abs(sum(some) / n - sum(every) / 200) < 2.5
    assert some[0] <= 5
    assert some[-1] >= 33


def test_a_set_that_is_too_small_is_gone_through_again(tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    file.write_text("One.\n\n  \nTwo.\n", encoding="utf-8")
    assert sentences(5, file) == ["One.", "Two.", "One.", "Two.", "One."]


def test_a_file_without_a_sentence_is_named_in_the_error(tmp_path: Path) -> None:
    file = tmp_path / "empty.txt"
    file.write_text("\n \n")
    with pytest.raises(ValueError, match=r"empty\.txt: no sentence"):
        sentences(1, file)
