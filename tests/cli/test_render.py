import io

import pytest
from rich.console import Console

from tutor.agent.state import AdditionalIssue, Correction, Edit, Status, StepSummary, StopReason, Timing
from tutor.cli.render import show_correction

SENTENCE = "He goed and she have went home."


def edit(original: str, replacement: str, step: int) -> Edit:
    start = SENTENCE.index(original)
    end = start + len(original)
    return Edit(
        start=start,
        end=end,
        original=original,
        replacement=replacement,
        type="R:VERB",
        confidence=0.934,
        step=step,
    )


CORRECTED = Correction(
    sentence=SENTENCE,
    corrected="He went and she has gone home.",
    status=Status.corrected,
    rationale=("Reason one.", "Reason two."),
    additional_issues=(AdditionalIssue(start=0, end=2, kind="case", message="a message", suggestion="he"),),
    spanish_gloss="Él fue.",
    edits=(edit("goed", "went", 1), edit("have went", "has gone", 2)),
    steps=(StepSummary(number=1, tool="conjugate", args={"verb": "go"}, observation={}, summary="went"),),
    stop_reason=StopReason.final_answer,
    timing=Timing(total_s=0.1),
)


def shown(correction: Correction, lang: str = "en", **options: object) -> str:
    out = io.StringIO()
    show_correction(correction, Console(file=out, width=80, highlight=False, **options), lang)
    return out.getvalue()


def test_changes_are_marked_without_colour() -> None:
    lines = shown(CORRECTED).splitlines()
    assert "He [goed] and she [have went] home." in lines[0]
    assert "He [went] and she [has gone] home." in lines[1]
    assert "\x1b" not in "".join(lines)


def test_every_part_of_the_answer_is_told() -> None:
    text = shown(CORRECTED)
    for part in ("R:VERB, 93%, step 1", "Reason one.", "Reason two.", "Él fue.", "He: a message → he"):
        assert part in text
    assert '1. conjugate(verb="go") → went' in text


def test_colour_only_on_a_terminal_that_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[1;31m[goed]" in shown(CORRECTED, force_terminal=True, color_system="standard")
    monkeypatch.setenv("NO_COLOR", "1")
    plain = shown(CORRECTED, force_terminal=True, color_system="standard")
    assert "[goed]" in plain
    assert "31m" not in plain


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("status", [status for status in Status if status is not Status.corrected])
def test_every_other_status_says_what_it_means(status: Status, lang: str) -> None:
    correction = CORRECTED.model_copy(
        update={"status": status, "corrected": None, "edits": (), "message": "Why."}
    )
    assert len({shown(correction, lang), shown(CORRECTED, lang)}) == 2
    assert "Why." in shown(correction, lang)


def test_a_sentence_cannot_steer_the_terminal_nor_break_the_width() -> None:
    hostile = "\x1b[2J[bold]\u202e" + "word " * 100
    correction = CORRECTED.model_copy(update={"sentence": hostile, "corrected": None, "edits": ()})
    text = shown(correction.model_copy(update={"status": Status.unchanged, "additional_issues": ()}))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "[bold]" in text
    assert max(map(len, text.splitlines())) <= 80
