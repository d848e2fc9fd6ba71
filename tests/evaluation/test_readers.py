from pathlib import Path

import pytest

from tutor.evaluation.readers import Item, read, targets
from tutor.planner.steps import ToolCall


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_rows_that_share_a_source_become_one_item(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "set.tsv",
        "source\ttarget\taccepted\n"
        "He go.\tHe goes.\tHe goes.|He went.\nIt is.\tIt is.\t\nHe go.\tHe is going.\t\n",
    )
    assert read(path) == [
        Item("He go.", ("He goes.", "He went.", "He is going.")),
        Item("It is.", ("It is.",)),
    ]
    assert [item.is_correct for item in read(path)] == [False, True]


def test_a_quotation_mark_is_an_ordinary_character(tmp_path: Path) -> None:
    path = write(tmp_path, "set.tsv", 'source\ttarget\n"He go.\t"He goes.\n')
    assert read(path) == [Item('"He go.', ('"He goes.',))]


def test_m2_yields_one_reference_an_annotator(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "set.m2",
        "S He go to the school .\n"
        "A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\n"
        "A 3 4|||U:DET||||||REQUIRED|||-NONE-|||0\n"
        "A 1 2|||R:VERB:TENSE|||went|||REQUIRED|||-NONE-|||1\n"
        "\n"
        "S I sing .\n"
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n",
    )
    assert read(path) == [
        Item("He go to the school .", ("He goes to school .", "He went to the school .")),
        Item("I sing .", ("I sing .",)),
    ]


def test_jsonl_takes_a_target_or_references(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "set.jsonl",
        '{"source": "He go.", "references": ["He goes.", "He went."]}\n\n'
        '{"source": "I go.", "target": "I go."}\n',
    )
    assert read(path) == [Item("He go.", ("He goes.", "He went.")), Item("I go.", ("I go.",))]


def test_jsonl_may_hold_the_calls_of_a_good_run(tmp_path: Path) -> None:
    step = '{"tool": "lookup_irregular_verb", "args": {"verb": "go"}}'
    path = write(
        tmp_path,
        "set.jsonl",
        f'{{"source": "He goed.", "target": "He went.", "steps": [{step}]}}\n'
        '{"source": "Hola.", "target": "Hola.", "steps": []}\n',
    )
    call = ToolCall(tool="lookup_irregular_verb", args={"verb": "go"})
    assert [item.calls for item in read(path)] == [(call,), ()]


def test_targets_are_the_preferred_corrections_each_once() -> None:
    items = [Item("He go.", ("He goes.", "He went.")), Item("He goed.", ("He goes.",))]
    assert targets(items) == [Item("He goes.", ("He goes.",))]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.tsv", "wrong\tright\nx\ty\n", "'source' and 'target'"),
        ("a.tsv", "source\ttarget\nonly one\n", "line 2"),
        ("a.jsonl", "{\n", "line 1: not JSON"),
        ("a.jsonl", '{"source": "x", "references": []}\n', "line 1"),
        ("a.jsonl", "[1]\n", "no 'source'"),
        ("a.jsonl", '{"source": "x", "target": "x", "steps": [{"tool": 1}]}\n', "line 1: 'steps'"),
        ("a.m2", "hello\n", "line 1"),
        ("a.m2", "S a b\nA 0 1|||R\n", "six fields"),
        ("a.txt", "", "neither .tsv"),
    ],
)
def test_a_file_that_does_not_fit_is_named_with_its_line(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        read(write(tmp_path, name, text))
    assert name in str(caught.value)
