import json
import re
from itertools import islice
from random import Random
from typing import Any

import pytest

from tutor.decoding.tokenizer import Tokenizer
from tutor.evaluation.readers import read
from tutor.paths import corpus_dir
from tutor.training.heldout import ROWS, generated, sets, within_mask
from tutor.training.holdout import (
    held_out_forms,
    held_out_structures,
    held_out_verbs,
    is_held_out,
)

FOLDER = corpus_dir() / "heldout"
SETS = ("templates", "written")
RENEW = "oracle, tools or mask have changed: run python -m tutor.training.heldout"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()]


def test_the_shipped_traces_are_those_of_the_oracle_as_it_is() -> None:
    for name, made in sets().items():
        shipped = {str(row["source"]): row for row in rows(name)}
        now = {row["source"]: json.loads(json.dumps(row)) for row in made}
        assert shipped.keys() == now.keys(), RENEW
        assert all(row == {key: now[source][key] for key in row} for source, row in shipped.items()), RENEW


def test_the_mask_allows_the_shipped_runs(tokenizer: Tokenizer) -> None:
    runs = [row for name in SETS for row in rows(name) if "steps" in row]
    assert len(runs) > 0.85 * sum(len(rows(name)) for name in SETS)
    assert all("steps" in within_mask(tokenizer, row) for row in runs[::20]), RENEW


@pytest.mark.parametrize("name", SETS)
def test_every_sentence_is_kept_out_of_training(name: str) -> None:
    assert all(is_held_out(item.references[0]) for item in read(FOLDER / f"{name}.jsonl"))


def test_the_templates_are_new_by_verb_and_by_structure_and_half_of_them_are_broken() -> None:
    found = rows("templates")
    assert len(found) > 0.9 * ROWS
    for row in found:
        target = str(row["target"])
        assert held_out_structures().search(target)
        assert held_out_forms() & set(re.findall(r"\w+", target.lower()))
    assert 0.35 < sum(bool(row["edits"]) for row in found) / len(found) < 0.65


def test_training_writes_no_held_out_verb_by_itself() -> None:
    ours = (corpus_dir() / "training" / "grammar.toml").read_text("utf-8")
    assert {verb for verb in held_out_verbs() if re.search(rf'"{verb}\b', ours)} == set()


def test_a_source_and_its_target_differ_by_the_edits_alone() -> None:
    for broken in islice(generated(Random(4)), 300):
        text = broken.source
        for edit in reversed(broken.edits):
            assert text[edit.start : edit.end] == edit.wrong != edit.right
            text = text[: edit.start] + edit.right + text[edit.end :]
        assert text == broken.target
        assert not set("{}|") & set(broken.source)


@pytest.mark.parametrize(
    "sentence",
    [
        "We go to school.",
        "She has sworn.",
        "They freezed it.",
        "No matter what, he sings.",
        "It was Ana who sang.",
    ],
)
def test_held_out_are_patterns_verbs_learners_forms_and_structures(sentence: str) -> None:
    assert is_held_out(sentence)


@pytest.mark.parametrize("sentence", ["We go to the harbour.", "He sings well.", "It does matter."])
def test_everything_else_is_not(sentence: str) -> None:
    assert not is_held_out(sentence)
