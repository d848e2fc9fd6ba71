import base64
import hashlib
import json
import re
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.grading.report.rows import failed, out_of_scope, row, went, write_results
from tutor.grading.report import page, write_report
from tutor.tracing.view import printable

HOSTILE = [
    "</script><script>document.title='owned'</script>",
    "<!-- <script> He goed --> home",
    "<img src=x onerror=\"document.title='owned'\"> He goed home.",
    "\u2028 He \u2029 goed \x00 home \x1b[31m.",
    "\u202eemoh deog eH\u202c \u2066He\u2069 \u200fgoed.",
    "half \ud800 a pair",
    "{{ 7 * 7 }} {% raw %} ${x} &amp; &lt;b&gt; \\u003c ]]>",
    "'\"><svg onload=alert(1)> javascript:alert(1)",
]


class Elements(HTMLParser):
    """The elements of a page with their attributes, and the text of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attributes)))

    def handle_data(self, text: str) -> None:
        if self.found and self.found[-1][0] in ("script", "style") and text.strip():
            self.inside.append(text)


def written(folder: Path, lang: Any = "en") -> str:
    write_report(folder, lang)
    return (folder / "report.html").read_text(encoding="utf-8")


def embedded(text: str, name: str) -> Any:
    (found,) = re.findall(rf'<script type="application/json" id="{name}">(.*?)</script>', text, re.DOTALL)
    return json.loads(found)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_results(
        tmp_path, [went(learner="Ana"), failed("step_cap"), out_of_scope("Hola.", "not English")]
    )


def hostile_rows() -> Iterator[dict[str, Any]]:
    for number, text in enumerate(HOSTILE, start=1):
        yield row(
            f"{text} buyed",
            ("buyed", text, "R:VERB:INFL", 0.8),
            **{"id": text, "learner": text, "date": text, "file": text, "line": number, "message": text},
            rationale=[text],
            spanish_gloss=text,
            references=[text],
            additional_issues=[
                {"start": 0, "end": 3, "kind": "spelling", "message": text, "suggestion": text}
            ],
        )


def test_hostile_text_adds_no_element_to_the_page(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    harmless = Elements(written(folder)).found
    hostile = written(write_results(tmp_path_factory.mktemp("hostile"), list(hostile_rows())))
    assert [tag for tag, _ in Elements(hostile).found] == [tag for tag, _ in harmless]
    assert "owned" in hostile
    assert not re.search("[\x00\u2028\u2029\u202e\u2066\u200f\x1b]", hostile)


def test_hostile_text_arrives_as_it_was_with_control_characters_made_visible(tmp_path: Path) -> None:
    rows = embedded(written(write_results(tmp_path, list(hostile_rows()))), "rows")
    assert len(rows) == len(HOSTILE)
    for found, text in zip(rows, HOSTILE, strict=True):
        visible = printable(text).replace("\ud800", "\ufffd")
        assert found[:3] == [visible] * 3
        assert found[4] == [f"{visible} ", ["buyed", visible, "R:VERB:INFL", 0.8]]


@settings(max_examples=40, deadline=None)
@given(text=st.text(st.characters(codec="utf-8") | st.sampled_from("<>/!-&\"'\u2028\u202e\x00")))
def test_any_text_stays_inside_its_json(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    page_text = written(write_results(tmp_path_factory.mktemp("any"), [row(text, learner=text)]))
    assert page_text.count("</script>") == 4
    (found,) = embedded(page_text, "rows")
    assert "".join(found[4]) == printable(text)


def test_the_policy_allows_the_script_and_the_style_of_the_page_and_nothing_else(folder: Path) -> None:
    elements = Elements(written(folder))
    (policy,) = [
        attributes["content"] for _, attributes in elements.found
        if attributes.get("http-equiv") == "Content-Security-Policy"
    ]  # fmt: skip
    style, *_, script = elements.inside
    for name, text in (("style-src", style), ("script-src", script)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{name} 'sha256-{digest}';" in str(policy)
    assert str(policy).startswith("default-src 'none';")
    assert "unsafe" not in str(policy)


def test_the_page_names_no_address_outside_itself(folder: Path) -> None:
    text = written(folder).replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|//[a-z]+\.|@import|url\(", text)
    sources = [value for _, attributes in Elements(text).found for name, value in attributes.items()
               if name in ("src", "href")]  # fmt: skip
    assert all(str(source).startswith(("#", "data:,")) for source in sources)


def test_a_script_never_makes_markup_of_text() -> None:
    scripts = "".join(page._asset(name) for name in page._SCRIPTS)
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", scripts
    )


def test_offsets_count_characters_not_utf_16_units(tmp_path: Path) -> None:
    sentence = "\U0001f600\U0001f600 he goed home."
    (found,) = embedded(
        written(write_results(tmp_path, [row(sentence, ("goed", "went", "R:VERB:INFL", 0.8))])), "rows"
    )
    assert found[4] == ["\U0001f600\U0001f600 he ", ["goed", "went", "R:VERB:INFL", 0.8], " home."]


def test_a_large_corpus_is_cut_after_its_first_sentences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "MOST_SENTENCES", 3)
    text = written(write_results(tmp_path, [went(id=str(number)) for number in range(5)]))
    assert [found[0] for found in embedded(text, "rows")] == ["0", "1", "2"]
    assert embedded(text, "tables")["statistics"]["sentences"] == 5


def test_long_rows_are_cut_by_their_characters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "MOST_CHARACTERS", 10_000)
    rows = embedded(written(write_results(tmp_path, [row("He walks. " * 400)] * 20)), "rows")
    assert 0 < len(rows) < 20
    assert all(len(found[4][0]) == 2001 for found in rows)


def test_a_failure_leaves_the_report_that_was_there(folder: Path) -> None:
    before = written(folder)
    names = set(folder.iterdir())
    with (folder / "results.jsonl").open("a") as results:
        results.write("{broken\n")
    with pytest.raises(ValueError, match="Expecting"):
        write_report(folder, "en")
    assert (folder / "report.html").read_text() == before
    assert set(folder.iterdir()) == names


def test_the_same_results_make_the_same_bytes(folder: Path) -> None:
    assert written(folder) == written(folder)


def test_every_text_that_the_page_uses_is_there_and_used() -> None:
    texts = tomllib.loads(page._asset("texts.toml"))
    scripts = "".join(page._asset(name) for name in page._SCRIPTS)
    used = set(re.findall(r"\{\{ t\.(\w+) \}\}", page._asset("template.html")))
    quoted = set(re.findall(r'"(\w+)"', scripts)) | {"note_intervals_sentences", "note_intervals_learners"}
    prefixed = {key for key in texts if key.split("_")[0] in ("status", "kind", "issue", "unit", "amount")}
    assert used <= texts.keys()
    assert set(re.findall(r'\bt\("(\w+)"', scripts)) <= texts.keys()
    assert texts.keys() - used - quoted - prefixed == set()
    assert all(text.keys() == {"en", "es"} for text in texts.values())
    assert all(
        set(re.findall(r"\{\w+\}", text["en"])) == set(re.findall(r"\{\w+\}", text["es"]))
        for text in texts.values()
    )


def test_the_page_names_the_version_that_graded(tmp_path: Path) -> None:
    write_results(tmp_path, [went()], run={"tutor": "1.2.3"})
    assert embedded(written(tmp_path), "tables")["version"] == "1.2.3"


def test_the_page_is_in_the_language_asked_for(folder: Path) -> None:
    assert '<html lang="es">' in written(folder, "es")
    assert "Informe de corrección" in written(folder, "es")


def test_template_style_and_scripts_lie_beside_the_module() -> None:
    names = {path.name for path in (files("tutor.grading.report") / "page").iterdir()}
    assert {*page._SCRIPTS, "template.html", "style.css", "texts.toml"} <= names
