"""The report of a graded corpus: one self-contained HTML file for reading and printing."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from base64 import b64encode
from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from jinja2 import Environment
from markupsafe import Markup

from tutor.grading.files import replacing
from tutor.grading.report.statistics import LEARNERS
from tutor.tracing.view import printable

Language = Literal["en", "es"]

MOST_SENTENCES = 50_000
"""Sentences that a report holds: the first of the results."""
MOST_CHARACTERS = 40_000_000
"""Characters of JSON that they may take together."""
_MOST_TEXT = 2_000
_SURROGATE = re.compile("[\ud800-\udfff]")
_STEP = re.compile(r"^(?:Step|Paso) \d+: ")
_SCRIPTS = ("dom.js", "charts.js", "profile.js", "sentences.js", "report.js")


def write_report(folder: Path, lang: Language) -> None:
    """Write ``report.html`` into a folder of finished results, all at once or not at all.

    The page holds the statistics and the first 50,000 sentences (40 million characters at most), and says so where
    there are more. They lie in it as JSON in which no ``<`` occurs, and reach the reader as text nodes only.

    Parameters
    ----------
    folder : Path
        Holds ``results.jsonl``, ``summary.json`` and ``learners.jsonl``.
    lang : {"en", "es"}
        Language of the page; reasons and messages stand as they were written.

    Raises
    ------
    OSError
        If a file cannot be read or written.
    """
    summary = json.loads((folder / "summary.json").read_bytes())
    style, script = _asset("style.css"), "\n".join(_asset(name) for name in _SCRIPTS)
    texts = _texts(lang)
    page = Environment(autoescape=True).from_string(_asset("template.html"))
    with (
        (folder / "results.jsonl").open(encoding="utf-8") as lines,
        (folder / LEARNERS).open(encoding="utf-8") as learners,
        replacing(folder / "report.html") as out,
    ):
        stream = page.stream(
            lang=lang,
            t=texts,
            style=Markup(style),
            style_hash=_csp_hash(style),
            script=Markup(script),
            script_hash=_csp_hash(script),
            tables=_json({"lang": lang, "texts": texts} | _tables(summary)),
            learners=_joined(_json(_clean(_shown(json.loads(each)))) for each in learners),
            rows=_joined(_bounded(_json(_compact(json.loads(line))) for line in lines)),
        )
        stream.enable_buffering(500)
        out.writelines(chunk.encode() for chunk in stream)


def _asset(name: str) -> str:
    return (files("tutor.grading.report") / "page" / name).read_text(encoding="utf-8")


def _texts(lang: Language) -> dict[str, str]:
    return {key: text[lang] for key, text in tomllib.loads(_asset("texts.toml")).items()}


def _csp_hash(text: str) -> str:
    """Return how a Content-Security-Policy names an inline style or script."""
    return f"sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _json(value: Any) -> Markup:
    """Return JSON that cannot end the script element it stands in: ASCII, and without ``<``."""
    return Markup(json.dumps(value, separators=(",", ":")).replace("<", "\\u003c"))


def _bounded(rows: Iterable[Markup]) -> Iterator[Markup]:
    """Yield as many rows as a report may hold."""
    characters = 0
    for number, row in enumerate(rows):
        characters += len(row)
        if number == MOST_SENTENCES or characters > MOST_CHARACTERS:
            return
        yield row


def _joined(items: Iterable[Markup]) -> Iterator[Markup]:
    """Yield the items of a JSON array, a line each: a whole list of them would take much memory."""
    for number, item in enumerate(items):
        yield Markup(",\n") + item if number else item


def _tables(summary: dict[str, Any]) -> dict[str, Any]:
    """Return what the page shows of a summary."""
    gold = summary.get("gold", {})
    tables: dict[str, Any] = _clean(
        {
            "statistics": _shown(summary["statistics"]),
            "gold": gold if "by_type" in gold else None,
            "model": summary.get("model"),
            "version": summary.get("run", {}).get("tutor"),
        }
    )
    return tables


def _shown(statistics: dict[str, Any]) -> dict[str, Any]:
    """Return the statistics of a learner, or of all, with the corrections marked in its sentences."""
    marked = {
        name: [shown | {"marked": _marked(shown)} for shown in statistics[name]] for name in ("worst", "best")
    }
    return statistics | marked


def _clean(value: Any) -> Any:
    """Return the value with each text cut where it is long, and what is no visible character made visible."""
    match value:
        case str():
            shown = value if len(value) <= _MOST_TEXT else f"{value[:_MOST_TEXT]}…"
            return printable(_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", shown))
        case dict():
            return {_clean(key): _clean(item) for key, item in value.items()}
        case list():
            return [_clean(item) for item in value]
    return value


def _compact(row: dict[str, Any]) -> list[Any]:
    """Return what the page shows of a row; the fields in the order in which ``sentences.js`` reads them."""
    sentence = row["sentence"]
    place = (
        []
        if row.get("file") == "-"
        else [str(row[name]) for name in ("file", "line") if row.get(name) is not None]
    )
    issues = [
        [sentence[issue["start"] : issue["end"]], issue["message"], issue["suggestion"]]
        for issue in row["additional_issues"]
    ]
    fields = [
        row.get("id"),
        row.get("learner"),
        row.get("date"),
        row["status"],
        _marked(row),
        [_reason(text) for text in row["rationale"]],
        row["spanish_gloss"],
        issues,
        row.get("message"),
        ":".join(place),
        row.get("references") or [],
    ]
    cleaned: list[Any] = _clean(fields)
    return cleaned


def _reason(text: str) -> str:
    """Return a reason as a sentence of its own: which step it came from is nothing to a reader of the page."""
    rest = _STEP.sub("", text)
    return rest[:1].upper() + rest[1:]


def _marked(row: dict[str, Any]) -> list[str | list[Any]]:
    """Return a sentence as pieces: text that stays, and edits as original, replacement, type and confidence.

    Offsets count characters, which a script in a browser does not: there, some take two places.
    """
    pieces: list[str | list[Any]] = []
    end = 0
    for edit in sorted(row["edits"], key=lambda edit: edit["start"]):
        pieces.append(row["sentence"][end : edit["start"]])
        pieces.append([edit["original"], edit["replacement"], edit["type"], edit["confidence"]])
        end = edit["end"]
    return [piece for piece in (*pieces, row["sentence"][end:]) if piece]
