"""From a run to its answer: edits with offsets, reasons in the reader's language, what else is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from tutor.agent.error_types import error_type
from tutor.agent.state import AdditionalIssue, Correction, Edit, Run, Status, StepSummary, StopReason, Timing
from tutor.language.issues import additional_issues
from tutor.language.scope import ScopeReason
from tutor.language.tokens import tokenize
from tutor.planner.choice import ScoredEdit
from tutor.planner.lattice import Replacement, lattice
from tutor.planner.reasons import Statement, statements
from tutor.planner.steps import Answer, Observed

Language = Literal["en", "es"]
_DIGITS = 4


def build(run: Run, alternatives: Sequence[ScoredEdit], lang: Language, seconds: float) -> Correction:
    """Return the correction that a finished run amounts to.

    Parameters
    ----------
    run : Run
        The run; without an answer it is returned in part.
    alternatives : sequence of ScoredEdit
        Every replacement that was weighed, for the confidence of those that were made.
    lang : str
        Language of reasons and messages.
    seconds : float
        Wall time of the run.
    """
    if run.stop_reason is None:
        raise ValueError("the run has not ended")
    answer = run.answer or Answer(corrected=None, rationale=(), spanish_gloss=None, in_scope=True)
    return Correction(
        sentence=run.sentence,
        corrected=answer.corrected,
        status=_status(run),
        in_scope=answer.in_scope,
        rationale=_rationale(run, answer, lang),
        additional_issues=_issues(run.sentence, lang) if answer.in_scope else (),
        spanish_gloss=answer.spanish_gloss,
        edits=_edits(run, answer, alternatives),
        steps=tuple(_summary(step) for step in run.observed),
        stop_reason=run.stop_reason,
        timing=Timing(total_s=round(seconds, _DIGITS)),
    )


def _status(run: Run) -> Status:
    if run.answer is None:
        return Status(str(run.stop_reason))
    if not run.answer.in_scope:
        return Status.out_of_scope
    return Status.unchanged if run.answer.corrected is None else Status.corrected


def _edits(run: Run, answer: Answer, alternatives: Sequence[ScoredEdit]) -> tuple[Edit, ...]:
    if answer.corrected is None:
        return ()
    confidence = {(edit.replacement.start, edit.replacement.text): edit.probability for edit in alternatives}
    cited = {found.en for found in _statements(run.observed)} & set(answer.rationale)
    return tuple(
        Edit(
            start=item.start,
            end=item.end,
            original=run.sentence[item.start : item.end],
            replacement=item.text,
            type=error_type(run.sentence, item.start, item.end, item.text),
            confidence=round(confidence.get((item.start, item.text), 0.0), _DIGITS),
            step=_cited_step(run.observed, item, cited),
        )
        for item in lattice(run.sentence, run.observed).explain(answer.corrected)
    )


def _statements(observed: Sequence[Observed]) -> list[Statement]:
    return [found for step in observed for found in statements(step.number, step.result)]


def _cited_step(observed: Sequence[Observed], item: Replacement, cited: set[str]) -> int:
    """Return the step whose statement the rationale gives for a replacement."""
    forms = {(source.step, source.evidence.form) for source in item.sources}
    for found in _statements(observed):
        if found.en in cited and found.evidence and (found.step, found.evidence.form) in forms:
            return found.step
    return item.sources[0].step


def _rationale(run: Run, answer: Answer, lang: Language) -> tuple[str, ...]:
    """Return the reasons as decoded, or each one's Spanish rendering."""
    if not answer.in_scope:
        return tuple(ScopeReason(reason).message(lang) for reason in answer.rationale)
    if lang == "en":
        return answer.rationale
    spanish = {found.en: found.es for found in _statements(run.observed)}
    return tuple(spanish[reason] for reason in answer.rationale)


def _issues(sentence: str, lang: Language) -> tuple[AdditionalIssue, ...]:
    return tuple(
        AdditionalIssue(
            start=issue.start,
            end=issue.end,
            kind=issue.kind,
            message=issue.message_es if lang == "es" else issue.message_en,
            suggestion=issue.suggestion,
        )
        for issue in additional_issues(sentence, tokenize(sentence))
    )


def _summary(step: Observed) -> StepSummary:
    return StepSummary(
        number=step.number,
        tool=step.call.tool,
        args=step.call.args,
        observation=step.result.model_dump(mode="json"),
        summary=step.result.prompt_text(),
    )


def failure(sentence: str, message: str) -> Correction:
    """Return the answer to an input that cannot be run."""
    return Correction(
        sentence=sentence,
        status=Status.error,
        stop_reason=StopReason.error,
        message=message,
        timing=Timing(total_s=0.0),
    )
