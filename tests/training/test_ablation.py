import json
from pathlib import Path

import pytest
import torch
from torch import nn

from tests.tiny import tiny_model
from tutor.decoding.tokenizer import Tokenizer
from tutor.training import ablation
from tutor.training.ablation import Ablation, Learner, Sample, plain_loss, samples, scaled, variants
from tutor.training.descent import Config

PAIRS = [
    ("He goed home.", "He went home."),
    ("We play chess.", "We play chess."),
    ("She have a dog.", "She has a dog."),
    ("They eat fish.", "They eat fish."),
    ("I has lost my keys.", "I have lost my keys."),
    ("My aunt sell flowers.", "My aunt sells flowers."),
    ("We play chess.", "We play chess."),
    ("The dogs sleeps.", "The dogs sleep."),
]
CONFIG = Config(rank=2, alpha=4, first_layer=1, batch=2, steps=8, warmup=1, learning_rate=0.01)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_model(tmp_path_factory.mktemp("model") / "tiny")


@pytest.fixture
def pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(ablation, "HELD_OUT", 4)
    monkeypatch.setattr("tutor.training.stream.HELD_OUT", 4)
    path = tmp_path / "pairs.jsonl"
    path.write_text("".join(json.dumps({"source": a, "target": b}) + "\n" for a, b in PAIRS))
    return path


def made(tiny: Path) -> list[Sample]:
    return list(samples(tiny, ({"source": a, "target": b} for a, b in PAIRS)))


def test_a_sample_begins_its_corrected_sentence_behind_the_prompt(tiny: Path) -> None:
    tokenizer = Tokenizer(tiny)
    found = made(tiny)
    assert len(found) == len(PAIRS)
    for sample, (source, target) in zip(found, PAIRS, strict=True):
        assert tokenizer.decode_bytes(list(sample.ids[sample.start :])).decode() == f" {target}"
        assert sample.broken == (source != target)


def test_the_plain_loss_is_that_of_each_token_of_the_corrected_sentence() -> None:
    torch.manual_seed(0)
    hidden, head = torch.randn(2, 5, 4), torch.randn(10, 4)
    batch = [Sample((1, 2, 3, 4, 5), (), 3, True), Sample((6, 7, 8), (), 2, False)]
    loss, right, count = plain_loss(hidden, head, batch)
    logits = hidden @ head.T
    expected = [(logits[0, 2], 4), (logits[0, 3], 5), (logits[1, 1], 8)]
    assert torch.isclose(
        loss, sum(nn.functional.cross_entropy(each, torch.tensor(t)) for each, t in expected)
    )
    assert (right, count) == (sum(int(each.argmax()) == t for each, t in expected), 3)


def test_a_shorter_run_warms_up_in_proportion() -> None:
    assert scaled(Config(warmup=40, steps=560), 140) == Config(warmup=10, steps=140)
    assert scaled(Config(warmup=40, steps=560), 2).warmup == 1


def test_no_variant_changes_the_model_before_it_trains(tiny: Path) -> None:
    losses = [[row[0] for row in Learner(tiny, each).judge(made(tiny))] for each in variants(CONFIG)]
    for found in losses[1:]:
        assert found == pytest.approx(losses[0], abs=0.05)  # bfloat16 rounds where the machine has it


def test_a_variant_trains_its_layers_and_lowers_its_loss(tiny: Path) -> None:
    for variant in variants(CONFIG):
        learner = Learner(tiny, variant)
        before = [parameter.detach().clone() for parameter in learner.parameters]
        losses = [figures["loss"] for figures in map(learner.descent.descend, [made(tiny)] * 8)]
        assert losses[-1] < losses[0]
        assert any(not torch.equal(a, b) for a, b in zip(before, learner.parameters, strict=True))


def test_held_out_corrections_are_not_trained_on(tiny: Path, pairs: Path, tmp_path: Path) -> None:
    found = Ablation(tiny, pairs, tmp_path / "out", CONFIG, print)
    trained = {sample.ids for batch in found.batches for sample in batch}
    known = made(tiny)
    assert trained == {known[index].ids for index in (4, 5, 7)}
    assert [len(batch) for batch in found.batches] == [CONFIG.batch] * CONFIG.steps


def test_what_is_measured_is_kept(tiny: Path, pairs: Path, tmp_path: Path) -> None:
    out, said = tmp_path / "out", list[str]()
    table = Ablation(tiny, pairs, out, CONFIG, said.append).run()
    results = json.loads((out / "ablation.json").read_text())
    assert [row["step"] for row in results] == [0, 1, 2, 4, 8, *[CONFIG.steps] * 7]
    assert results[4]["against"] == {"value": 0.0, "low": 0.0, "high": 0.0}
    assert results[0]["with an error"]["n"] == results[0]["without"]["n"] == 2
    assert (out / "ablation.md").read_text().strip() == table
    assert len(table.splitlines()) == 2 + len(results)
    said.clear()
    (out / "variant-2.json").unlink()
    assert Ablation(tiny, pairs, out, CONFIG, said.append).run().splitlines()[:8] == table.splitlines()[:8]
    assert all("full fine-tuning" in line for line in said)


def test_other_settings_do_not_go_on_with_an_ablation(tiny: Path, pairs: Path, tmp_path: Path) -> None:
    (tmp_path / "variant-0.json").write_text(json.dumps({"settings": {"rank": 3}, "points": []}))
    with pytest.raises(ValueError, match="other settings"):
        Ablation(tiny, pairs, tmp_path, CONFIG, print).run()
