import dataclasses
import json
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from tutor.training.grammar import generated
from tutor.training.holdout import canonical_patterns, is_held_out, pattern
from tutor.training.pairs import generate, write_rows
from tutor.training.sentences import is_clean


def corpus(folder: Path) -> Path:
    path = folder / "own.txt"
    path.write_text(
        "My aunt sells flowers.\nHe walked along the beach.\nShe has lost her keys.\n", encoding="utf-8"
    )
    return path


def test_pairs_follow_the_seed_and_go_round_the_corpus(tmp_path: Path) -> None:
    path = corpus(tmp_path)
    first, second, other = (list(generate([path], 60, seed)) for seed in (1, 1, 2))
    assert len(first) == 60
    assert first == second != other
    assert 0.2 < sum(bool(pair.edits) for pair in first) / 60 < 0.9


def test_the_file_holds_one_json_object_a_pair(tmp_path: Path) -> None:
    pairs = list(generate([corpus(tmp_path)], 20, 3))
    write_rows(map(dataclasses.asdict, pairs), tmp_path / "pairs.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "pairs.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["source"] for row in rows] == [pair.source for pair in pairs]
    assert [len(row["edits"]) for row in rows] == [len(pair.edits) for pair in pairs]
    assert not (tmp_path / "pairs.jsonl.part").exists()


def test_own_sentences_have_no_open_slot_and_are_plain() -> None:
    sentences = list(islice(generated(Random(0)), 600))
    assert not any(mark in sentence for sentence in sentences for mark in "{}…")
    assert sum(map(is_clean, sentences)) > 580
    assert len(set(sentences)) > 580


def test_canonical_sentences_are_held_out_with_any_person_and_form() -> None:
    assert len(canonical_patterns()) > 100
    assert pattern("He went to school.") == pattern("They go to school!")
    assert is_held_out("We go to school.")
    assert not is_held_out("We go to the harbour.")


def test_files_without_a_clean_sentence_are_an_error_not_an_endless_wait(tmp_path: Path) -> None:
    (tmp_path / "none.txt").write_text("\n")
    with pytest.raises(ValueError, match="no clean sentence"):
        next(generate([tmp_path / "none.txt"], 1, 0))
