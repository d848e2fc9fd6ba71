import json
from pathlib import Path

import pytest

from tests.tiny import tiny_model
from tutor.decoding.tokenizer import Tokenizer
from tutor.training import call_ablation
from tutor.training.call_ablation import FORMS, Row, Telling, is_wrong, measure, other_thought, telling
from tutor.training.descent import Config
from tutor.training.errors import Broken, Edit
from tutor.training.oracle import traces

SENTENCES = [
    ("He goed home and she sing.", (("goed", "went"), ("sing", "sings"))),
    ("We play chess.", ()),
    ("The dogs sleeps because they are tired.", (("sleeps", "sleep"),)),
    ("I enjoy to swim.", (("to swim", "swimming"),)),
    ("My aunt sell flowers.", (("sell", "sells"),)),
]
_, THOUGHT = FORMS


def broken(source: str, changes: tuple[tuple[str, str], ...]) -> Broken:
    target, edits = source, []
    for wrong, right in changes:
        start = source.index(wrong)
        edits.append(Edit(start, start + len(wrong), wrong, right, "FORM"))
        target = target.replace(wrong, right)
    return Broken(source, target, tuple(edits))


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_model(tmp_path_factory.mktemp("model") / "tiny")


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    found = [json.loads(json.dumps(row, default=vars)) for row in traces(broken(*each) for each in SENTENCES)]
    assert len(found) == len(SENTENCES)
    return found


def told(tiny: Path, row: Row, form: call_ablation.Form) -> Telling:
    found = telling(Tokenizer(tiny), row, form)
    assert found is not None
    return found


def test_the_thought_before_a_call_says_whether_its_group_is_wrong(tiny: Path, rows: list[Row]) -> None:
    tokenizer = Tokenizer(tiny)
    for row, (_, changes) in zip(rows, SENTENCES, strict=True):
        found = told(tiny, row, THOUGHT)
        text = tokenizer.decode_bytes(list(found.ids)).decode()
        assert text.count("Thought: wrong\n") == len(changes)
        assert text.count("Thought: right\n") == len(row["steps"]) - 1 - len(changes)


def test_every_decision_is_a_thought_or_of_one_call(tiny: Path, rows: list[Row]) -> None:
    for form in FORMS:
        for row in rows:
            found = told(tiny, row, form)
            thoughts = [number for number in found.thoughts if number is not None]
            own = [number for call in found.calls for number in call]
            assert sorted([*thoughts, *own]) == list(range(len(found.decisions)))
            for decision in found.decisions:
                assert found.ids[decision.position + 1] == decision.allowed[decision.gold]


def test_the_other_thought_changes_one_word(tiny: Path, rows: list[Row]) -> None:
    found = told(tiny, rows[0], THOUGHT)
    other = other_thought(found, 1)
    (place,) = (i for i, pair in enumerate(zip(found.ids, other.ids, strict=True)) if pair[0] != pair[1])
    tokenizer = Tokenizer(tiny)
    assert tokenizer.decode_bytes([found.ids[place]]) == b" wrong"
    assert tokenizer.decode_bytes([other.ids[place]]) == b" right"
    with pytest.raises(ValueError, match="nothing is thought"):
        other_thought(found, len(found.calls) - 1)


def test_a_call_on_a_group_without_an_error_is_not_wrong(rows: list[Row]) -> None:
    found = [[is_wrong(row, call_ablation.ToolCall(**step)) for step in row["steps"][:-1]] for row in rows]
    assert [sum(each) for each in found] == [len(changes) for _, changes in SENTENCES]


def test_every_form_is_measured_on_the_same_held_out_runs(
    tiny: Path, rows: list[Row], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call_ablation, "HELD_OUT", 2)
    monkeypatch.setattr("tutor.training.stream.HELD_OUT", 2)
    path = tmp_path / "traces.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    config = Config(rank=2, alpha=4, first_layer=1, batch=2, steps=2, warmup=1)
    found = [measure(tiny, path, form, config) for form in FORMS]
    assert {row["runs"] for row in found} == {2}
    assert len({row["calls"] for row in found}) == 1
    assert all(0 <= row["right"]["value"] <= 1 for row in found)
