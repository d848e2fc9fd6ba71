from tutor.agent.state import Correction, Edit, Status, StopReason, Timing
from tutor.evaluation.summary import Prediction, summarise

SOURCE, RIGHT = "He goed home.", "He went home."


def prediction(
    corrected: str | None, *references: str, stop: StopReason = StopReason.final_answer
) -> Prediction:
    edit = Edit(
        start=3, end=7, original="goed", replacement="went", type="R:VERB:INFL", confidence=0.8, step=1
    )
    correction = Correction(
        sentence=SOURCE, corrected=corrected, status=Status.corrected if corrected else Status.unchanged,
        edits=(edit,) if corrected else (), stop_reason=stop, timing=Timing(total_s=0.0),
    )  # fmt: skip
    return Prediction(set="own", source=SOURCE, references=references, correction=correction)


def test_a_run_without_an_answer_counts_as_leaving_the_sentence() -> None:
    found = summarise([prediction(None, RIGHT, stop=StopReason.step_cap), prediction(RIGHT, RIGHT)])
    assert (found.edits.all.counts.tp, found.edits.all.counts.fn) == (1, 1)
    assert {reason: share.value for reason, share in found.runs.stopped_by.items()} == {
        "final_answer": 0.5, "step_cap": 0.5,
    }  # fmt: skip


def test_confidence_is_compared_with_the_references() -> None:
    found = summarise([prediction(RIGHT, RIGHT), prediction(RIGHT, SOURCE)])
    assert found.confidence is not None
    (bin_,) = found.confidence.bins
    assert (bin_.edits, bin_.right) == (2, 0.5)
    assert summarise([prediction(None, RIGHT)]).confidence is None
