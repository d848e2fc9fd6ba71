import json
import multiprocessing.dummy
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.tiny import tiny_model
from tutor.agent.tutor import Tutor
from tutor.decoding.weights import check_manifest
from tutor.training import stream
from tutor.training.pipeline import Training
from tutor.training.settings import load

SENTENCES = [
    "My aunt sells flowers.", "He walked along the beach.", "She has lost her keys.", "We play chess every day.",
    "They were watching a film.", "I want to learn French.", "The dogs sleep in the garden.",
]  # fmt: skip
DEV = [("He goed home.", "He went home."), ("She have a dog.", "She has a dog."), ("We play.", "We play.")]


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(stream, "HELD_OUT", 4)
    monkeypatch.setattr(stream, "_CHUNK", 16)
    monkeypatch.setattr(stream, "get_context", lambda method: multiprocessing.dummy)  # threads start at once
    tiny_model(tmp_path / "tiny")
    (tmp_path / "clean.txt").write_text("\n".join(SENTENCES))
    (tmp_path / "dev.tsv").write_text("source\ttarget\n" + "".join(f"{a}\t{b}\n" for a, b in DEV))
    path = tmp_path / "own.toml"
    path.write_text(
        'base = "tiny"\n[data]\nsentences = ["clean.txt"]\npairs = 40\ntraces = 20\n'
        "[finetune]\nrank = 2\nfirst_layer = 1\nbatch = 1\nwarmup = 1\nsteps = 4\nsave_every = 2\n"
        '[weigh]\nsets = ["dev.tsv"]\ntargets = true\n[evaluate]\nsets = ["dev.tsv"]\nlimit = 1\n'
    )
    return path


class Watch:
    """Remembers which work there was; stops the one of a title after some steps."""

    def __init__(self, stop: str = "", after: int = 0) -> None:
        self.seen: dict[str, int] = {}
        self._stop, self._after = stop, after

    def __call__(self, work: Iterable[Any], title: str, total: int) -> Iterator[Any]:
        self.seen[title] = total
        yield from islice(work, self._after) if title == self._stop else work
        if title == self._stop:
            raise KeyboardInterrupt


def trained(config: Path, watch: Watch) -> list[str]:
    return list(Training(load(config), config.parent / "out", "cpu", watch).run())


def test_an_interrupted_training_goes_on_and_ends_with_a_model_that_corrects(config: Path) -> None:
    out = config.parent / "out"
    with pytest.raises(KeyboardInterrupt):
        trained(config, Watch("Fine-tuning", 3))
    pairs = (out / "pairs.jsonl").read_bytes()
    with pytest.raises(KeyboardInterrupt):
        trained(config, Watch("Weighing", 2))
    last = Watch()
    messages = trained(config, last)
    assert (out / "pairs.jsonl").read_bytes() == pairs
    assert set(last.seen) == {"Weighing", "Correcting", "Comparing calls"}
    assert (
        last.seen["Weighing"] == 2 * len(DEV) - 2
    )  # sentences and corrections, but for the two that were weighed
    assert "after 4 steps" in messages[2]

    model = out / "model"
    assert check_manifest(model) >= 5
    assert json.loads((model / "choice.json").read_text()) == json.loads(
        (out / "calibration" / "choice.json").read_text()
    )
    answer = Tutor.load(model, device="cpu").correct("He goed home.")
    assert answer.stop_reason == "final_answer"
    card = (model / "README.md").read_text()
    assert "4 steps" not in card
    assert "steps 4" in card
    assert "| dev | 1 |" in card
    assert "| templates | 1 |" in card
    assert "$" not in card
    steps = [json.loads(line)["step"] for line in (out / "finetune.jsonl").read_text().splitlines()]
    assert steps == [1, 2, 3, 3, 4]  # the third step came after the last checkpoint


def test_a_folder_holds_one_training(config: Path) -> None:
    Training(load(config), config.parent / "out", "cpu", Watch())
    config.write_text("seed = 6\n" + config.read_text())
    with pytest.raises(ValueError, match="'seed'"):
        Training(load(config), config.parent / "out", "cpu", Watch())


def test_without_sentences_there_is_nothing_to_train_on(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"\[data\]"):
        Training(load(), tmp_path / "out", "cpu", Watch())
