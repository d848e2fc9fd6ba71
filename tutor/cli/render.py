"""A correction for human eyes: changed words marked, with and without colour."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tutor.agent.state import Correction, Edit, Status
from tutor.tracing.view import call_text, printable

Lang = Literal["en", "es"]

_LABELS: dict[Lang, dict[str, str]] = {
    "en": {
        "sentence": "sentence",
        "corrected": "corrected",
        "change": "change",
        "why": "why",
        "gloss": "Spanish",
        "also": "also",
        "steps": "steps",
        "step": "step",
        "result": "result",
        Status.unchanged: "no verb error found",
        Status.out_of_scope: "out of scope",
        Status.step_cap: "stopped: the step limit was reached before an answer",
        Status.duplicate_action: "stopped: the same call came twice in a row",
        Status.error: "error",
    },
    "es": {
        "sentence": "oración",
        "corrected": "corregida",
        "change": "cambio",
        "why": "por qué",
        "gloss": "español",
        "also": "además",
        "steps": "pasos",
        "step": "paso",
        "result": "resultado",
        Status.unchanged: "no se encontró ningún error de verbo",
        Status.out_of_scope: "fuera del alcance",
        Status.step_cap: "detenido: se alcanzó el límite de pasos sin respuesta",
        Status.duplicate_action: "detenido: la misma llamada se repitió",
        Status.error: "error",
    },
}


def show_correction(correction: Correction, console: Console, lang: Lang) -> None:
    """Print one correction, labels in `lang`."""
    labels = _LABELS[lang]
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    previous = None
    for label, content in _rows(correction, labels):
        table.add_row("" if label == previous else labels[label], content)
        previous = label
    console.print(table)


def _rows(correction: Correction, labels: dict[str, str]) -> Iterator[tuple[str, Text | str]]:
    yield "sentence", marked(correction.sentence, correction.edits, "red", replaced=False)
    if correction.corrected is None:
        text = labels[correction.status]
        yield "result", f"{text}: {printable(correction.message)}" if correction.message else text
    else:
        yield "corrected", marked(correction.sentence, correction.edits, "green", replaced=True)
    for edit in correction.edits:
        words = f"{printable(edit.original)} → {printable(edit.replacement)}"
        yield "change", f"{words}  ({edit.type}, {edit.confidence:.0%}, {labels['step']} {edit.step})"
    for reason in correction.rationale:
        yield "why", printable(reason)
    if correction.spanish_gloss is not None:
        yield "gloss", printable(correction.spanish_gloss)
    for issue in correction.additional_issues:
        hint = "" if issue.suggestion is None else f" → {printable(issue.suggestion)}"
        words = printable(correction.sentence[issue.start : issue.end])
        yield "also", f"{words}: {printable(issue.message)}{hint}"
    for step in correction.steps:
        yield "steps", f"{step.number}. {call_text(step.tool, step.args)} → {printable(step.summary)}"


def marked(sentence: str, edits: tuple[Edit, ...], style: str, *, replaced: bool) -> Text:
    """Return the sentence, as it was or with the edits made, each edit in brackets and coloured."""
    text = Text()
    end = 0
    for edit in sorted(edits, key=lambda edit: edit.start):
        text.append(printable(sentence[end : edit.start]))
        text.append(f"[{printable(edit.replacement if replaced else edit.original)}]", f"bold {style}")
        end = edit.end
    return text.append(printable(sentence[end:]))
