"""The report in a real browser: skipped where no Chromium is installed."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.grading.report.rows import failed, out_of_scope, row, went, write_results
from tests.grading.report.test_page import HOSTILE, Elements, hostile_rows
from tutor.grading.report import write_report

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")

FLAGS = [
    f"--{flag}"
    for flag in (
        "headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking",
        "disable-component-update", "disable-sync", "enable-logging=stderr", "dump-dom",
    )
]  # fmt: skip


def shown(folder: Path, view: str = "") -> tuple[str, str]:
    """Return the document as it stands once the page has shown itself, and what the browser complained about."""
    address = (folder / "report.html").as_uri() + view
    done = subprocess.run(
        [str(CHROMIUM), *FLAGS, f"--user-data-dir={folder / 'profile'}", address],
        capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    complaints = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    return done.stdout.replace("\n", " "), "\n".join(complaints)


def texts(document: str, pattern: str) -> list[str]:
    return [re.sub(r"<[^>]*>", "", found) for found in re.findall(pattern, document)]


def test_hostile_sentences_show_as_text_and_run_nothing(tmp_path: Path) -> None:
    write_report(write_results(tmp_path, list(hostile_rows())), "en")
    document, complaints = shown(tmp_path)
    body = document[: document.index('<script type="application/json"')]
    assert complaints == ""
    assert "<title>All learners – Grading report</title>" in document
    assert len(re.findall('<li class="sentence">', body)) == len(HOSTILE)
    assert "&lt;img src=x onerror=" in body
    elements = Elements(body).found
    assert {"img", "script"} & {tag for tag, _ in elements} == set()
    assert not [name for _, attributes in elements for name in attributes if name.startswith("on")]


def test_the_address_holds_the_view(tmp_path: Path) -> None:
    rows = [
        went(id="1", learner="Ana"),
        row("She walks.", id="2", learner="Ana"),
        failed("step_cap", id="3", learner="Luis"),
        row(
            "He go and runned.",
            ("go", "goes", "R:VERB:SVA", 0.9),
            ("runned", "ran", "R:VERB:INFL", 0.4),
            id="4",
        ),
        out_of_scope("Él corre.", "no es inglés", id="5"),
    ]
    write_report(write_results(tmp_path, rows), "es")
    document, complaints = shown(tmp_path, "#min=50&type=R:VERB:SVA&q=GOES")
    assert complaints == ""
    assert texts(document, r'<p id="found"[^>]*>(.*?)</p>') == ["1 a 1 de 1"]
    (sentence,) = re.findall(
        r'<p class="text" lang="en"><bdi>((?:(?!</bdi>).)*)</bdi></p>', document.split('id="list"')[1]
    )
    assert texts(sentence, "<del[^>]*>(.*?)</del>") == ["go"]
    assert texts(sentence, "<ins[^>]*>(.*?)</ins>") == ["goes"]
    assert "runned" in sentence
    document, _ = shown(tmp_path, "#learner=0")
    assert texts(document, r"<h1[^>]*>(.*?)</h1>")[0] == "Ana"
    assert texts(document, r'<p id="found"[^>]*>(.*?)</p>') == ["1 a 2 de 2"]


def test_a_rate_of_nothing_is_a_dash(tmp_path: Path) -> None:
    write_results(tmp_path, [row("She like it.", id="1")])
    summary = json.loads((tmp_path / "summary.json").read_text())
    rates = {"tp": 0, "fp": 0, "fn": 1, "precision": None, "recall": 0.0, "f0.5": 0.0}
    sentences = {"all": 1, "exact": 0, "right": 0, "right_but_changed": 0}
    gold = {"sentences": sentences, "verb_edits": rates, "by_type": {"VERB:SVA": rates}}
    (tmp_path / "summary.json").write_text(json.dumps(summary | {"gold": gold}))
    write_report(tmp_path, "en")
    document, complaints = shown(tmp_path)
    assert complaints == ""
    (table,) = re.findall(r'<table class="scores">(.*?)</table>', document)
    assert texts(table, '<td class="number">(.*?)</td>') == ["1", "–", "0.0", "0.0"] * 2
    assert texts(document, r'<p id="lede">(.*?)</p>') == ["1 sentence, 3 words"]
