import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.grading.quick import corrected, plan
from tests.grading.test_run import quietly
from tutor.evaluation.m2 import blocks, read_block
from tutor.grading import m2
from tutor.grading.m2 import M2Sink

SINK = M2Sink(io.BytesIO(), tokenized=False)


def written(sentence: str, *edits: tuple[str, str, str], tokenized: bool = False) -> str:
    """Return the block of a sentence in which words are replaced by others."""
    made: list[dict[str, Any]] = []
    for original, replacement, kind in edits:
        start = sentence.index(original)
        span = {"start": start, "end": start + len(original)}
        made.append(span | {"original": original, "replacement": replacement, "type": kind})
    return block_of(M2Sink(io.BytesIO(), tokenized=tokenized), {"sentence": sentence, "edits": made})


def block_of(sink: M2Sink, row: dict[str, Any]) -> str:
    sink.stream.seek(0)
    sink.stream.truncate()
    sink.add(row)
    sink.stream.seek(0)
    return sink.stream.read().decode()


@pytest.mark.parametrize(
    ("sentence", "edit", "line"),
    [
        ("He goed home.", ("goed", "went", "R:VERB:INFL"), "A 1 2|||R:VERB:INFL|||went"),
        ("He will going.", ("will going", "will go", "R:VERB:FORM"), "A 2 3|||R:VERB:FORM|||go"),
        ("I am agree.", ("am agree", "agree", "U:VERB:TENSE"), "A 1 2|||U:VERB:TENSE|||"),
        ("He not like it.", ("not like", "does not like", "M:VERB:TENSE"), "A 1 1|||M:VERB:TENSE|||does"),
        ("He don't go.", ("do", "does", "R:VERB:SVA"), "A 1 2|||R:VERB:SVA|||does"),
        ("(He goed)", ("goed", "has gone", "R:VERB:TENSE"), "A 2 3|||R:VERB:TENSE|||has gone"),
        ("He gocannot.", ("gocannot", "cannot go", "R:VERB"), "A 1 2|||R:VERB|||can not go"),
    ],
)
@pytest.mark.parametrize("spacy", [True, False])
def test_an_edit_is_of_whole_tokens_and_as_short_as_it_can_be(
    sentence: str, edit: tuple[str, str, str], line: str, spacy: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not spacy:
        monkeypatch.setattr(m2, "find_spec", lambda name: None)
    assert f"\n{line}|||REQUIRED|||-NONE-|||0\n\n" in written(sentence, edit)


def test_a_tokenized_sentence_keeps_its_tokens() -> None:
    assert written("do n't goed-up U.S .", ("goed", "went", "R:VERB:INFL"), tokenized=True) == (
        "S do n't goed-up U.S .\nA 2 3|||R:VERB:INFL|||went-up|||REQUIRED|||-NONE-|||0\n\n"
    )


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_any_text_is_one_block_that_reads_back(text: str) -> None:
    start = len(text) + 1
    edit = {"start": start, "end": start + 4, "original": "goed", "replacement": "went", "type": "R:VERB"}
    written = block_of(SINK, {"sentence": f"{text} goed", "edits": [edit]})
    ((_, block),) = blocks(io.StringIO(written, newline="\n"))
    source, (target,) = read_block(block)
    assert target == source.removesuffix("goed") + "went"


def test_errant_compare_takes_the_results(tmp_path: Path) -> None:
    pytest.importorskip("errant")
    block = "S {} goed home .\nA 1 2|||R:VERB:INFL|||went|||REQUIRED|||-NONE-|||0\n\n"
    fine = "S \u00a0Fine ; \x1c- .\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"
    missed = "S She come .\nA 1 2|||R:VERB:SVA|||comes|||REQUIRED|||-NONE-|||0\n\n"
    gold = tmp_path / "gold.m2"
    gold.write_text(block.format("He") + fine + missed + block.format("She"), encoding="utf-8")
    quietly(plan(gold, tmp_path / "out"))
    command = [str(Path(sys.executable).with_name("errant_compare")), "-ref", str(gold), "-hyp"]
    done = subprocess.run(
        [*command, str(tmp_path / "out" / "results.m2")], capture_output=True, text=True, check=True
    )
    assert done.stdout.split("F0.5\n")[1].split()[:6] == ["2", "0", "1", "1.0", "0.6667", "0.9091"]
    scores = json.loads((tmp_path / "out" / "summary.json").read_text())["gold"]["verb_edits"]
    assert (scores["tp"], scores["fp"], scores["fn"], scores["f0.5"]) == (2, 0, 1, 0.9091)


def test_the_quick_tutor_says_where_its_edit_is() -> None:
    (edit,) = corrected("He goed.").edits
    assert "He goed."[edit.start : edit.end] == edit.original
