from pathlib import Path

import pytest

from tutor.agent.tutor import MODEL
from tutor.paths import models_dir
from tutor.training.settings import load


def config(folder: Path, text: str) -> Path:
    path = folder / "own.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_changes_what_it_names_and_nothing_else(tmp_path: Path) -> None:
    shipped = load()
    own = load(config(tmp_path, '[finetune]\nsteps = 7\n[evaluate.together]\nmine = ["a", "b"]\n'))
    assert own.finetune.steps == 7
    assert own.finetune.rank == shipped.finetune.rank
    assert own.evaluate.together == {**shipped.evaluate.together, "mine": ["a", "b"]}
    assert own.base == shipped.base == models_dir() / MODEL


def test_one_seed_serves_every_stage(tmp_path: Path) -> None:
    assert load(config(tmp_path, "seed = 9\n")).finetune.seed == 9


def test_paths_are_relative_to_the_file_that_names_them(tmp_path: Path) -> None:
    own = load(
        config(tmp_path, 'base = "m"\n[data]\nsentences = ["a.txt", "/b.txt"]\n[weigh]\nsets = ["d/e.tsv"]\n')
    )
    assert own.base == tmp_path / "m"
    assert own.data.sentences == [tmp_path / "a.txt", Path("/b.txt")]
    assert own.weigh.sets == [tmp_path / "d" / "e.tsv"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("steps = 7\n", "steps"),
        ("[finetune]\nstep = 7\n", "'step'"),
        ("[finetune]\nseed = 7\n", "'seed'"),
        ('[finetune]\nsteps = "many"\n', "finetune.steps"),
        ("[data]\npairs = 1.5\n", "data.pairs"),
        ("steps =\n", "own.toml"),
    ],
)
def test_a_setting_that_is_none_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        load(config(tmp_path, text))
    assert "own.toml" in str(caught.value)
