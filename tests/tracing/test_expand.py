"""Traces of older versions, and lines that rest on others."""

from pathlib import Path

import pytest

from tests.sample_trace import sample_run
from tutor.tracing.files import TraceError, TraceWriter, read_records, read_runs

VERSION_1 = """\
{"event":"header","schema_version":1,"sentence_id":"1","sentence":"He goed.","created":"2025-01-01T00:00:00Z",\
"versions":{},"model":{"name":"m","sha256":"ab","tokenizer_sha256":"cd"},"prompt_sha256":"%s"}
{"event":"token","step":1,"token_id":1,"text":"{\\"next\\":\\"","path":"$","origin":"forced_grammar"}
{"event":"token","step":1,"token_id":5,"text":"past","path":"$.next","origin":"decided","allowed":12,"logprob_before":-1.2,\
"logprob_after":-0.3,"blocked_mass":0.6,"best_blocked":{"token_id":9,"text":"present","probability":0.6,"allowed":false},\
"top":[{"token_id":9,"text":"present","probability":0.6,"allowed":false}],"forward_us":1.5,"mask_us":2.25}
{"event":"choice","step":1,"path":"$.a","alternatives":[{"text":"He goed.","score":0.0,"probability":0.1,"chosen":true}]}
{"event":"step","number":1,"prompt_sha256":"0","schema_sha256":"1","prompt_tokens":2,"cached_tokens":1,"decided":1,\
"forced":1,"text":"{\\"next\\":1}","parsed":{"next":1}}
{"event":"observation","step":1,"tool":"conjugate","args":{"verb":"go"},"result":{"forms":["went"]},"text":"went"}
{"event":"final","status":"corrected","stop_reason":"final_answer","correction":{"sentence":"He goed."}}
""" % ("e" * 64)

VERSION_2 = """\
{"event":"header","schema_version":2,"sentence_id":"1","sentence":"He goed.","created":"2025-01-01T00:00:00Z",\
"versions":{},"model":{"name":"m","sha256":"ab","tokenizer_sha256":"cd"},"prompt_sha256":"%s"}
{"event":"tokens","step":1,"ids":[1,2],"texts":["{\\"next\\":\\"","tool"],"canonical":[1]}
{"event":"token","step":1,"token_id":5,"text":"past","path":"$.next","origin":"decided","allowed":12,"logprob_before":-1.2,\
"logprob_after":-0.3,"blocked_mass":0.6,"top":[[9,"present",0.6,false]],"forward_us":1,"mask_us":2}
{"event":"tokens","step":1,"ids":[2,3],"texts":["tool","\\"}"],"joint":true}
""" % ("e" * 64)


def test_a_trace_of_version_2_is_still_read(tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    path.write_text(VERSION_2)
    (run,) = read_runs(path)
    tokens = run.steps[0].tokens
    assert run.steps[0].text == '{"next":"toolpasttool"}'
    assert [token.path for token in tokens] == ["$", *4 * ["$.next"]]
    assert [token.origin for token in tokens] == ["forced_grammar", "forced_canonical", *3 * ["decided"]]
    assert tokens[2].best_blocked is not None
    assert tokens[2].best_blocked.text == "present"


def test_a_trace_of_version_1_is_still_read(tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    path.write_text(VERSION_1)
    (run,) = read_runs(path)
    (step,) = run.steps
    assert [token.path for token in step.tokens] == ["$", "$.next"]
    assert step.tokens[1].best_blocked is not None
    assert step.tokens[1].best_blocked.text == "present"
    assert step.choices[0].alternatives[0].chosen
    assert step.step is not None
    assert step.step.parsed == {"next": 1}
    assert step.observation is not None
    assert step.observation.args == {"verb": "go"}
    assert run.final is not None
    assert run.final.correction == {"sentence": "He goed."}


def test_a_line_that_rests_on_one_that_is_missing_is_named(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    with TraceWriter(path) as trace:
        for record in [*sample_run(), *sample_run()[1:]]:
            trace.write(record)
    header, *rest = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([header, *rest[len(rest) // 2 :]]))
    with pytest.raises(TraceError, match="line 2: token 10 has no text"):
        list(read_records(path))
