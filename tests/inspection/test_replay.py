"""Runs of a tiny random model, decoded again from their traces."""

from pathlib import Path

import pytest

from tests.recorded_trace import weather
from tests.tiny import tiny_model
from tests.tracing.exports.runs import as_run
from tutor.agent.tutor import Options, Tutor
from tutor.inspection.replay import ReplayError, replay
from tutor.inspection.results import with_results
from tutor.tracing.files import RunTrace, TraceWriter, read_runs
from tutor.tracing.records import Level

GREEDY = Options(max_steps=2)
SENTENCES = ["He goed to school.", "She don't like it."]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_model(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def tutor(folder: Path) -> Tutor:
    return Tutor.load(folder)


def traced(
    tutor: Tutor, path: Path, options: Options = GREEDY, level: Level = Level.decisions
) -> list[RunTrace]:
    with TraceWriter(path, level) as trace:
        for number, sentence in enumerate(SENTENCES):
            tutor.correct(sentence, options, trace, str(number))
    return list(read_runs(path))


@pytest.mark.parametrize(("seed", "level"), [(None, Level.full), (1, Level.decisions), (2, Level.steps)])
def test_a_replay_is_exact_greedy_and_sampled(
    tutor: Tutor, folder: Path, tmp_path: Path, seed: int | None, level: Level
) -> None:
    runs = traced(tutor, tmp_path / "t.jsonl", Options(seed=seed, lang="es", max_steps=3), level)
    found = list(replay(runs, folder))
    assert [each.run.header.sentence for each in found] == SENTENCES
    assert all(each.exact for each in found)
    assert all(each.drift == 0.0 for each in found)
    assert all(each.diff.settings == {} for each in found)


def test_full_takes_the_steps_of_decisions_to_the_last_bit(tutor: Tutor, tmp_path: Path) -> None:
    for seed in (None, 7):
        options = Options(seed=seed, max_steps=4)
        decisions, full = (
            [
                token
                for run in traced(tutor, tmp_path / "t.jsonl", options, level)
                for step in run.steps
                for token in step.tokens
            ]
            for level in (Level.decisions, Level.full)
        )
        assert [token.token_id for token in decisions] == [token.token_id for token in full]
        for one, other in zip(decisions, full, strict=True):
            assert one.logprob_before in (None, other.logprob_before)
            assert one.logprob_after in (None, other.logprob_after)


def test_runs_that_were_decoded_together_are_replayed_together(
    tutor: Tutor, folder: Path, tmp_path: Path
) -> None:
    with TraceWriter(tmp_path / "t.jsonl") as trace:
        list(tutor.correct_many(SENTENCES * 2, Options(seed=5, max_steps=2), trace=trace, width=3))
    found = list(replay(list(read_runs(tmp_path / "t.jsonl")), folder))
    assert len(found) == 4
    assert all(each.exact and each.drift == 0.0 for each in found)


def test_a_changed_token_is_found(tutor: Tutor, folder: Path, tmp_path: Path) -> None:
    run = traced(tutor, tmp_path / "t.jsonl")[0]
    step = run.steps[1]
    place = next(place for place, token in enumerate(step.tokens) if token.allowed)
    step.tokens[place] = step.tokens[place].model_copy(update={"token_id": 1, "text": "?"})
    (found,) = replay([run], folder)
    assert not found.exact
    assert found.diff.divergence is not None
    assert (found.diff.divergence.step, found.diff.divergence.token) == (2, place)


def test_another_model_is_refused_unless_asked_for(tutor: Tutor, folder: Path, tmp_path: Path) -> None:
    runs = traced(tutor, tmp_path / "t.jsonl")
    other = tiny_model(tmp_path / "other", seed=1)
    with pytest.raises(ReplayError, match=r"weights .*--another-model"):
        list(replay(runs, other))
    found = list(replay(runs, other, another_model=True))
    assert all("model.sha256" in each.diff.settings for each in found)


def test_a_run_of_another_generator_is_refused(folder: Path) -> None:
    with pytest.raises(ValueError, match="another generator"):
        list(replay([as_run(weather())], folder))


def test_a_run_cut_short_has_no_end_to_replay_to(tutor: Tutor, folder: Path, tmp_path: Path) -> None:
    runs = traced(tutor, tmp_path / "t.jsonl")
    runs[0].final = None
    with pytest.raises(ReplayError, match="cut short"):
        list(replay(runs, folder))


def test_a_trace_is_complete_once_the_tools_are_asked_again(tutor: Tutor, tmp_path: Path) -> None:
    with TraceWriter(tmp_path / "t.jsonl") as trace:
        answer = tutor.correct(SENTENCES[1], trace=trace)
    (run,) = read_runs(tmp_path / "t.jsonl")
    assert any(step.observation and step.observation.result_sha256 for step in run.steps)
    whole = with_results(run)
    assert whole.final is not None
    assert whole.final.correction == answer.model_dump(mode="json")
    assert not any(step.observation and step.observation.result_sha256 for step in whole.steps)
