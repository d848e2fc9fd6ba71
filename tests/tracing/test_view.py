import io
from pathlib import Path
from typing import Literal

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from tests.recorded_trace import weather
from tests.sample_trace import sample_run
from tests.tracing.exports.runs import as_run
from tutor.tracing.files import RunTrace, TraceWriter, read_runs
from tutor.tracing.records import HeaderRecord
from tutor.tracing.view import call_text, printable, show_run


def shown(run: RunTrace, width: int = 80, *, tokens: bool = False, step: int | None = None) -> str:
    out = io.StringIO()
    show_run(run, Console(file=out, width=width, highlight=False), tokens=tokens, step=step)
    return out.getvalue()


def run_of(sentence: str = "He goed to school.") -> RunTrace:
    header, *rest = sample_run(sentence=sentence)
    assert isinstance(header, HeaderRecord)
    run = RunTrace(header)
    for record in rest:
        run.add(record)
    return run


def test_the_outline_tells_call_observation_and_end() -> None:
    text = shown(run_of())
    assert 'conjugate(verb="go", tense="past_simple")' in text
    assert "-> went" in text
    assert "corrected (final_answer)" in text
    assert "x " not in text


def test_tokens_tell_probabilities_before_and_after_and_what_was_refused() -> None:
    text = shown(run_of(), width=120, tokens=True)
    (row,) = [line for line in text.splitlines() if line.split()[:2] == ["$.args.tense", "past"]]
    assert row.split()[1:6] == ["past", "12", "30.0%", "75.0%", "60.0%"]
    assert 'x "present" 60.0%' in row
    assert '{"next":"tool' in text
    assert any(line.split()[0] == "*" and "90.0%" in line for line in text.splitlines() if "90.0%" in line)


def test_the_token_itself_is_not_among_its_rivals() -> None:
    lines = [line.split() for line in shown(run_of(), width=120, tokens=True).splitlines()]
    (row,) = [line for line in lines if line[:2] == ["$.args.tense", "past"]]
    assert row[6:] == ["x", '"present"', "60.0%"]


def test_colours_are_explained_where_there_are_any() -> None:
    for said in (True, False):
        out = io.StringIO()
        colours: Literal["truecolor"] | None = "truecolor" if said else None
        console = Console(file=out, width=80, highlight=False, color_system=colours, force_terminal=said)
        show_run(run_of(), console, tokens=True)
        assert ("coloured" in out.getvalue()) == said
        assert "‹decided›" in out.getvalue()


def test_a_recorded_text_is_no_step_of_ours_and_nobody_knows_how_it_was_sampled() -> None:
    text = shown(as_run(weather()))
    assert 'text: {"sky":"clear"}' in text
    assert "tiny, tutor 0.1.0\n" in text
    assert "final answer" not in text


def test_one_step_alone() -> None:
    text = shown(run_of(), step=2)
    assert "final answer" in text
    assert "conjugate" not in text


def test_nothing_is_wider_than_the_terminal() -> None:
    assert max(len(line) for line in shown(run_of("go " * 200), tokens=True).splitlines()) <= 80


def test_a_run_cut_short_is_shown_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    with TraceWriter(path) as writer:
        for record in sample_run()[:3]:
            writer.write(record)
    (run,) = read_runs(path)
    text = shown(run)
    assert 'unfinished: {"next":"tool' in text
    assert "breaks off" in text


@given(st.text())
def test_no_text_steers_the_terminal(text: str) -> None:
    safe = printable(text)
    assert len(safe) == len(text)
    assert not any(ord(char) < 0x20 or 0x7F <= ord(char) < 0xA0 or char in "\u202e\u2066" for char in safe)
    assert "\x1b" not in call_text("conjugate", {"verb": text})
