"""The shipped model, end to end."""

from pathlib import Path

import pytest

from tutor.agent.state import Status, StopReason
from tutor.agent.tutor import Options, Tutor
from tutor.evaluation.canonical import evaluate
from tutor.grounding import check_run, check_step
from tutor.planner.steps import FinalAnswer, Observed, parse_step
from tutor.tools.registry import call
from tutor.tracing.files import TraceWriter, read_runs


@pytest.fixture(scope="module")
def tutor() -> Tutor:
    return Tutor.load()


def test_a_wrong_form_is_corrected_with_a_reason_that_names_its_step(tutor: Tutor) -> None:
    answer = tutor.correct("He goed to school.")
    assert answer.corrected == "He went to school."
    (edit,) = answer.edits
    assert answer.sentence[edit.start : edit.end] == edit.original == "goed"
    assert edit.replacement == "went"
    assert edit.type == "R:VERB:INFL"
    assert 0.0 < edit.confidence <= 1.0
    assert any(f"Step {edit.step}:" in reason for reason in answer.rationale)


def test_a_right_sentence_is_left_alone(tutor: Tutor) -> None:
    answer = tutor.correct("She works in a small bank.")
    assert answer.corrected is None
    assert answer.status is Status.unchanged


def test_the_same_run_reads_in_spanish(tutor: Tutor) -> None:
    english = tutor.correct("He goed to school.")
    spanish = tutor.correct("He goed to school.", Options(lang="es"))
    assert spanish.corrected == english.corrected
    assert len(spanish.rationale) == len(english.rationale)
    assert all(reason.startswith("Paso ") for reason in spanish.rationale)


def test_no_confidence_is_enough_for_a_threshold_of_one(tutor: Tutor) -> None:
    answer = tutor.correct("He goed to school.", Options(min_confidence=1.0))
    assert answer.corrected is None
    assert not answer.edits


@pytest.mark.parametrize(
    ("sentence", "message"),
    [("", "empty"), (" \t", "empty"), ("go " * 401, "401 words"), ("x" * 4001, "4001 characters"), ("\ud800", "surrogate")],
)  # fmt: skip
def test_what_cannot_be_run_is_an_error_with_its_remedy(tutor: Tutor, sentence: str, message: str) -> None:
    answer = tutor.correct(sentence)
    assert answer.status is Status.error
    assert answer.stop_reason is StopReason.error
    assert answer.message is not None
    assert message in answer.message


@pytest.mark.parametrize(
    ("sentence", "reasons"),
    [
        ("They run.", {"plural pronoun"}),
        ("He is running.", {"tense beyond the course"}),
        ("They are running.", {"plural pronoun", "tense beyond the course"}),
    ],
)
def test_what_is_beyond_the_beginners_course_is_out_of_scope_for_a_reason_that_holds(
    tutor: Tutor, sentence: str, reasons: set[str]
) -> None:
    answer = tutor.correct(sentence, Options(scope="beginner"))
    assert answer.status is Status.out_of_scope
    assert not answer.in_scope
    assert len(answer.rationale) == 1
    assert set(answer.rationale) <= reasons


def test_a_seed_repeats_a_sampled_run(tutor: Tutor) -> None:
    first, second = (tutor.correct("He goed to school.", Options(seed=3)) for _ in range(2))
    assert first.model_copy(update={"timing": second.timing}) == second


def test_a_step_cap_of_one_returns_the_partial_trace(tutor: Tutor) -> None:
    answer = tutor.correct("He goed to school.", Options(max_steps=1))
    assert answer.status is Status.step_cap
    assert len(answer.steps) == 1


def test_a_trace_holds_a_run_that_the_checker_accepts(tutor: Tutor, tmp_path: Path) -> None:
    sentence = "She have went home because they was tired."
    with TraceWriter(tmp_path / "run.jsonl") as trace:
        answer = tutor.correct(sentence, trace=trace)
    (run,) = read_runs(tmp_path / "run.jsonl")
    texts = [step.step.text for step in run.steps if step.step]
    observed: list[Observed] = []
    for number, text in enumerate(texts, start=1):
        assert check_step(sentence, observed, text) == []
        step = parse_step(text)
        if not isinstance(step, FinalAnswer):
            observed.append(Observed(number, step, text, call(step.tool, step.args)))
    assert check_run(texts, observed, answer.stop_reason) == []
    assert run.final is not None
    assert run.final.correction["corrected"] == answer.corrected


def test_the_canonical_set_is_right_to_95_percent(tutor: Tutor) -> None:
    verdicts = list(evaluate(tutor))
    wrong = [verdict.row.id for verdict in verdicts if not verdict.answer]
    assert len(wrong) <= 0.05 * len(verdicts), wrong
