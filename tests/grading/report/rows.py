"""Rows of results for tests: from a sentence, with the changes to make in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tutor.grading.report import Statistics

Row = dict[str, Any]


def row(sentence: str, *changes: tuple[str, str, str, float], **fields: Any) -> Row:
    """Return a row in which each change (written, right, type, confidence) is made at its first place."""
    edits = [
        {
            "start": sentence.index(wrong),
            "end": sentence.index(wrong) + len(wrong),
            "original": wrong,
            "replacement": right,
            "type": kind,
            "confidence": confidence,
            "step": 1,
        }
        for wrong, right, kind, confidence in changes
    ]
    corrected = sentence
    for wrong, right, *_ in changes:
        corrected = corrected.replace(wrong, right, 1)
    return {
        "sentence": sentence,
        "corrected": corrected if changes else None,
        "status": "corrected" if changes else "unchanged",
        "in_scope": True,
        "rationale": [f'Step 1: "{right}" is right.' for _, right, *_ in changes],
        "additional_issues": [],
        "spanish_gloss": None,
        "edits": edits,
        "steps": [],
        "stop_reason": "final_answer",
        "message": None,
        "id": "1",
        "learner": None,
        "date": None,
        "file": "essay.txt",
        "line": 1,
    } | fields


def went(**fields: Any) -> Row:
    """Return a row with one error, one of inflection, in five words."""
    return row("He goed to the school.", ("goed", "went", "R:VERB:INFL", 0.81), **fields)


def failed(status: str, **fields: Any) -> Row:
    """Return a row of a run that gave no answer."""
    return row("He goed home.", status=status, stop_reason=status, **fields)


def out_of_scope(sentence: str, reason: str, **fields: Any) -> Row:
    """Return a row that lies out of scope."""
    return row(sentence, status="out_of_scope", in_scope=False, rationale=[reason], **fields)


def write_results(folder: Path, rows: list[Row], **summary: Any) -> Path:
    """Write the files that a report is made of, and return the folder."""
    statistics = Statistics()
    with (folder / "results.jsonl").open("w", encoding="utf-8") as file:
        for each in rows:
            statistics.add(each)
            file.write(json.dumps(each) + "\n")
    found = {"rows": len(rows), "statistics": statistics.summary()} | summary
    (folder / "summary.json").write_text(json.dumps(found), encoding="utf-8")
    lines = "".join(json.dumps(learner) + "\n" for learner in statistics.learners())
    (folder / "learners.jsonl").write_text(lines, encoding="utf-8")
    return folder
