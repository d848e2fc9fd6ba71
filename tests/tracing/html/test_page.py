"""The page as a file: what it holds, and what it keeps out."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from io import StringIO
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.tracing.exports.runs import HOSTILE, cut_short, failing, good
from tutor.tracing.files import RunTrace
from tutor.tracing.html import write_page
from tutor.tracing.html.page import PIECE

DATA = re.compile(
    r'<script type="application/json" (?:class="(run|more)"|id="index")>(.*?)</script>', re.DOTALL
)


def page_of(*runs: RunTrace) -> str:
    out = StringIO()
    assert write_page(runs, out, "t.jsonl") == len(runs)
    return out.getvalue()


def data_of(page: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the runs and the index that a page holds."""
    texts: list[str] = []
    for kind, text in DATA.findall(page):
        if kind == "more":
            texts[-1] += text
        else:
            texts.append(text)
    *runs, index = map(json.loads, texts)
    return runs, index


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_no_sentence_leaves_its_data(sentence: str) -> None:
    page = page_of(good("1", sentence + HOSTILE))
    (run,), index = data_of(page)
    assert run["sentence"] == sentence + HOSTILE
    assert index["runs"][0]["sentence"] == run["sentence"][:200]
    assert all("<" not in text for _, text in DATA.findall(page))


def test_the_title_is_text() -> None:
    out = StringIO()
    write_page([good()], out, "<img src=x>$script.jsonl")
    assert "<title>&lt;img src=x&gt;$script.jsonl</title>" in out.getvalue()
    assert "<img" not in out.getvalue()


def test_only_its_own_style_and_script_run_and_nothing_loads() -> None:
    page = page_of(good(), failing(), cut_short())
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="(.*?)"', page)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    for tag, rule in (("style", "style-src"), ("script", "script-src")):
        (inline,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert rules[rule] == f"'sha256-{b64encode(sha256(inline.encode()).digest()).decode()}'"
    assert not re.search(r"https?://|\bsrc=|<link|@import|url\(", re.sub(DATA, "", page))
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b", page)


def test_long_data_is_held_in_pieces() -> None:
    run = good("1", "x" * (2 * PIECE + 5))
    page = page_of(run, good("2"))
    assert max(len(text) for _, text in DATA.findall(page)) <= PIECE
    runs, index = data_of(page)
    assert runs[0]["sentence"] == run.header.sentence
    assert [row["id"] for row in index["runs"]] == ["1", "2"]
