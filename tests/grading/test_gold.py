import json

import pytest

from tests.grading.quick import corrected
from tutor.grading.gold import GoldScores

pytest.importorskip("errant")


def row(sentence: str, *references: str) -> dict[str, object]:
    return json.loads(corrected(sentence).model_dump_json()) | {"references": list(references)}


def test_verb_edits_are_scored_by_type_against_the_reference_that_fits_best() -> None:
    gold = GoldScores()
    gold.add(row("He goed home.", "He goes home.", "He went home."))
    gold.add(row("She like it.", "She likes it."))
    gold.add(row("We are here.", "We are here."))
    gold.add(row("I goed there.", "I goed there."))
    summary = gold.summary()
    assert summary["sentences"] == {"all": 4, "exact": 2, "right": 2, "right_but_changed": 1}
    rates = summary["verb_edits"]
    assert (rates["tp"], rates["fp"], rates["fn"]) == (1, 1, 1)
    assert (rates["precision"], rates["recall"], rates["f0.5"]) == (0.5, 0.5, 0.5)
    assert summary["by_type"]["VERB:SVA"]["fn"] == 1
    assert summary["by_type"]["VERB:INFL"]["tp"] == 1
