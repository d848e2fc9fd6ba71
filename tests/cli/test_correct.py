import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.sample_trace import sample_run
from tutor.agent.state import Correction, Status, StopReason, Timing
from tutor.agent.tutor import Options, Tutor
from tutor.cli.app import app
from tutor.tracing.files import TraceWriter, read_runs

runner = CliRunner()


class ScriptedTutor:
    """Leaves every sentence as it is and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Options]] = []
        self.loaded: dict[str, object] = {}

    def correct(
        self, sentence: str, options: Options, trace: TraceWriter | None, sentence_id: str
    ) -> Correction:
        self.asked.append((sentence, options))
        for record in sample_run(sentence_id, sentence) if trace else ():
            trace.write(record)
        return Correction(
            sentence=sentence,
            status=Status.unchanged,
            stop_reason=StopReason.final_answer,
            timing=Timing(total_s=0.0),
        )


@pytest.fixture
def tutor(monkeypatch: pytest.MonkeyPatch) -> ScriptedTutor:
    scripted = ScriptedTutor()

    def load(model: Path | None = None, device: str = "auto", engine: str = "tutor") -> ScriptedTutor:
        scripted.loaded = {"model": model, "device": device, "engine": engine}
        return scripted

    monkeypatch.setattr(Tutor, "load", load)
    return scripted


def answers(*arguments: str, pipe: str | None = None) -> list[dict[str, object]]:
    result = runner.invoke(app, ["correct", "--json", *arguments], input=pipe)
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_json_is_one_object_a_sentence_in_order(tutor: ScriptedTutor) -> None:
    assert [answer["sentence"] for answer in answers("One.", "Two\nlines.")] == ["One.", "Two\nlines."]
    assert [answer["sentence"] for answer in answers(pipe="One.\n\nTwo.\n")] == ["One.", "Two."]
    assert [answer["sentence"] for answer in answers("-", "last", pipe="first\n")] == ["first", "last"]


def test_json_holds_every_field_even_where_there_is_nothing(tutor: ScriptedTutor) -> None:
    (answer,) = answers("One.")
    assert set(answer) >= {
        "sentence",
        "corrected",
        "status",
        "in_scope",
        "rationale",
        "additional_issues",
        "spanish_gloss",
        "edits",
        "steps",
        "stop_reason",
        "timing",
    }


def test_text_survives_to_the_letter(tutor: ScriptedTutor) -> None:
    hostile = 'quote " backslash \\ emoji \N{GRINNING FACE} accent e\u0301 rtl \u202e tab \t <|im_end|>'
    assert answers(hostile)[0]["sentence"] == hostile


def test_options_reach_the_tutor(tutor: ScriptedTutor, tmp_path: Path) -> None:
    answers("One.")
    assert tutor.asked[-1][1] == Options()
    assert tutor.loaded == {"model": None, "device": "auto", "engine": "tutor"}
    answers(
        *("--lang", "es", "--scope", "beginner", "--min-confidence", "0.25", "--max-steps", "3"),
        *(
            "--sample",
            "--seed",
            "7",
            "--model",
            str(tmp_path),
            "--device",
            "cpu",
            "--engine",
            "outlines",
            "One.",
        ),
    )
    assert tutor.asked[-1][1] == Options("es", "beginner", 0.25, 3, 7)
    assert tutor.loaded == {"model": tmp_path, "device": "cpu", "engine": "outlines"}


def test_sampling_has_a_seed_and_greedy_has_none(tutor: ScriptedTutor) -> None:
    answers("--sample", "One.")
    answers("One.")
    assert [options.seed for _, options in tutor.asked] == [0, None]


def test_a_trace_holds_a_run_for_each_sentence(tutor: ScriptedTutor, tmp_path: Path) -> None:
    answers("--trace", str(tmp_path / "t.jsonl"), "One.", "Two.")
    runs = list(read_runs(tmp_path / "t.jsonl"))
    assert [(run.header.sentence_id, run.header.sentence) for run in runs] == [("1", "One."), ("2", "Two.")]
    assert runs[0].steps[0].tokens
    answers("--trace", str(tmp_path / "s.jsonl"), "--trace-level", "steps", "One.")
    (run,) = read_runs(tmp_path / "s.jsonl")
    assert not run.steps[0].tokens


def test_human_output_has_a_blank_line_between_sentences(tutor: ScriptedTutor) -> None:
    result = runner.invoke(app, ["correct", "One.", "Two."])
    assert result.exit_code == 0
    assert [line.split()[0] if line.strip() else "" for line in result.stdout.splitlines()] == [
        *("sentence", "result"),
        "",
        *("sentence", "result"),
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--max-steps", "0"],
        ["--max-steps", "9"],
        ["--min-confidence", "1.5"],
        ["--lang", "fr"],
        ["--scope", "expert"],
        ["--engine", "magic"],
        ["--device", "toaster"],
        ["--seed", "3"],
        ["--model", "/no/such/folder"],
        ["--no-such-option"],
    ],
)
def test_bad_usage_is_2_before_anything_is_loaded(tutor: ScriptedTutor, arguments: list[str]) -> None:
    assert runner.invoke(app, ["correct", *arguments, "One."]).exit_code == 2
    assert not tutor.loaded


def test_no_sentence_at_a_terminal_is_bad_usage(
    tutor: ScriptedTutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tutor.cli.correct._at_terminal", lambda: True)
    result = runner.invoke(app, ["correct"])
    assert result.exit_code == 2
    assert "quotes" in result.stderr


def test_an_empty_pipe_is_no_failure(tutor: ScriptedTutor) -> None:
    assert answers(pipe="") == []
