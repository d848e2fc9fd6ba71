"""The canonical set: hand-written sentences with what a good run answers and calls.

``python -m tutor.evaluation.canonical`` runs the shipped model over it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from tutor.agent.state import Correction
from tutor.agent.tutor import Tutor
from tutor.paths import corpus_dir


class Expected(BaseModel):
    """What a good run answers and calls."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    corrected: str | None
    accepted: tuple[str, ...]
    in_scope: bool
    rationale_keywords: tuple[str, ...]
    must_call_tools: tuple[str, ...]


class Row(BaseModel):
    """One sentence of the set."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    sentence: str
    expected: Expected


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a run compares with what was expected; answer and tool path are judged apart."""

    row: Row
    correction: Correction
    answer: bool
    tool_path: bool


def rows() -> list[Row]:
    """Return the rows of the shipped set."""
    lines = (corpus_dir() / "canonical.jsonl").read_text("utf-8").splitlines()
    return [Row.model_validate_json(line) for line in lines]


def judge(row: Row, correction: Correction) -> Verdict:
    """Compare a correction with its row.

    The answer is right when the text is an accepted one, the scope is right, and the reasons hold the keywords of the
    preferred correction; the tool path, when every tool that a good run calls was called.
    """
    expected = row.expected
    reasons = " ".join(correction.rationale).lower()
    answer = correction.in_scope == expected.in_scope and (
        (
            correction.corrected == expected.corrected
            and all(keyword in reasons for keyword in expected.rationale_keywords)
        )
        or correction.corrected in expected.accepted
    )
    called = {step.tool for step in correction.steps}
    return Verdict(row, correction, answer, called >= set(expected.must_call_tools))


def evaluate(tutor: Tutor) -> Iterator[Verdict]:
    """Yield the verdict on each row of the set."""
    for row in rows():
        yield judge(row, tutor.correct(row.sentence))


def main() -> None:
    """Run the set and print what went wrong, then the two rates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path)
    verdicts = list(evaluate(Tutor.load(parser.parse_args().model)))
    for verdict in verdicts:
        if not (verdict.answer and verdict.tool_path):
            wrong = "answer" if not verdict.answer else "tools"
            calls = [step.tool for step in verdict.correction.steps]
            print(f"{verdict.row.id} ({wrong}): {verdict.row.sentence}")
            print(f"    got {verdict.correction.corrected!r} {verdict.correction.status}, {calls}")
            print(
                f"    expected {verdict.row.expected.corrected!r}, {list(verdict.row.expected.must_call_tools)}"
            )
    for name in ("answer", "tool_path"):
        right = sum(getattr(verdict, name) for verdict in verdicts)
        print(f"{name}: {right} of {len(verdicts)} right ({100 * right / len(verdicts):.1f}%)")


if __name__ == "__main__":
    main()
