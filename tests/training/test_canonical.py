import json
from typing import Any

import pytest

from tutor.paths import corpus_dir

LINES = (corpus_dir() / "canonical.jsonl").read_text(encoding="utf-8").splitlines()
ROWS: list[dict[str, Any]] = [json.loads(line) for line in LINES]
TOOLS = {"conjugate", "lookup_irregular_verb", "check_subject_verb_agreement", "lookup_spanish"}


def test_the_set_is_large_and_its_ids_and_sentences_are_distinct() -> None:
    assert len(ROWS) >= 80
    assert len({row["id"] for row in ROWS}) == len({row["sentence"] for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_a_row_says_what_is_expected(row: dict[str, Any]) -> None:
    expected = row["expected"]
    assert set(row) == {"id", "sentence", "expected"}
    assert set(expected) == {"corrected", "accepted", "in_scope", "rationale_keywords", "must_call_tools"}
    assert set(expected["must_call_tools"]) <= TOOLS
    assert row["sentence"] not in {expected["corrected"], *expected["accepted"]}
    if not expected["in_scope"]:
        assert expected["corrected"] is None
    for keyword in expected["rationale_keywords"]:
        assert keyword in expected["corrected"].lower()
