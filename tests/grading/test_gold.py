import json

import pytest

from tests.grading.quick import corrected
from tutor.grading import gold
from tutor.grading.gold import GoldScores


def row(sentence: str, *references: str) -> dict[str, object]:
    return json.loads(corrected(sentence).model_dump_json()) | {"references": list(references)}


def test_without_errant_or_references_there_are_no_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gold, "find_spec", lambda name: None)
    scores = GoldScores()
    assert scores.summary() == {}
    scores.add(row("He goed home.", "He went home."))
    assert "tutor[eval]" in scores.summary()["gold"]["not_scored"]


def test_verb_edits_are_scored_by_type_against_the_reference_that_fits_best() -> None:
    pytest.importorskip("errant")
    scores = GoldScores()
    scores.add(row("He goed home.", "He goes home.", "He went home."))
    scores.add(row("She like it.", "She likes it."))
    scores.add(row("We are here.", "We are here."))
    scores.add(row("I goed there.", "I goed there."))
    summary = scores.summary()["gold"]
    assert summary["sentences"] == {"all": 4, "exact": 2, "right": 2, "right_but_changed": 1}
    rates = summary["verb_edits"]
    assert (rates["tp"], rates["fp"], rates["fn"]) == (1, 1, 1)
    assert (rates["precision"], rates["recall"], rates["f0.5"]) == (0.5, 0.5, 0.5)
    assert summary["by_type"]["VERB:SVA"]["fn"] == 1
    assert summary["by_type"]["VERB:INFL"]["tp"] == 1
    assert [summary["by_type"]["VERB:SVA"][name] for name in ("precision", "recall", "f0.5")] == [
        None,
        0.0,
        0.0,
    ]
    assert [summary["by_type"]["VERB:FORM"][name] for name in ("precision", "recall", "f0.5")] == [None] * 3
