import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.sample_trace import ANSWER, CALL, sample_run, tokens
from tutor.tracing.compact import Compactor, Expander, result_digest, token_bytes
from tutor.tracing.files import read_runs
from tutor.tracing.records import RECORD, Level, ObservationRecord, Record, TokenRecord


def lines(records: list[Record], level: Level = Level.full) -> list[bytes]:
    compactor = Compactor(level)
    found = [line for record in records for line in compactor.lines(record)]
    return found + list(compactor.rest())


def back(written: list[bytes]) -> list[Record]:
    expander = Expander()
    return [record for line in written for record in expander.records(RECORD.validate_json(line))]


def test_tokens_nobody_was_asked_about_share_a_line_and_come_back_one_by_one() -> None:
    written = [json.loads(line) for line in lines(sample_run())]
    (shared, decided, last, *_) = [line for line in written if line["event"] in ("token", "tokens")]
    assert shared["texts"] == [piece.decode() for piece, _ in CALL[:3]]
    assert shared["canonical"] == [1]
    assert (decided["text"], last["texts"]) == ("past", ['_simple"}}'])
    found = [record for record in back(lines(sample_run())) if isinstance(record, TokenRecord)]
    expected = tokens(1, CALL) + tokens(2, ANSWER, joint=True)
    assert [(t.path, t.origin, t.joint, t.raw) for t in found] == [
        (t.path, t.origin, t.joint, t.raw) for t in expected
    ]


def test_nothing_is_said_twice() -> None:
    text = b"".join(lines(sample_run())).decode()
    assert text.count("Step 1: a reason.") == 1
    assert text.count("tense 7") == 1
    assert text.count("He goed to school.") == 2  # the header, and the alternative that leaves it


def test_a_long_result_is_a_digest_at_decisions_and_whole_elsewhere() -> None:
    for level in (Level.steps, Level.decisions, Level.full):
        (seen,) = [each for each in back(lines(sample_run(), level)) if isinstance(each, ObservationRecord)]
        (whole,) = [each for each in sample_run() if isinstance(each, ObservationRecord)]
        if level is Level.decisions:
            assert seen.result == {}
            assert seen.result_sha256 == result_digest(whole.result)
        else:
            assert seen.result == whole.result
        assert seen.args == whole.args == {"verb": "go", "tense": "past_simple"}


@given(st.lists(st.tuples(st.binary(min_size=1, max_size=3), st.sampled_from(["decided", "forced_grammar"]))))
def test_any_bytes_come_back_exactly(pieces: list[tuple[bytes, str]]) -> None:
    found = back(lines([*tokens(1, pieces)]))  # type: ignore[arg-type]
    assert [token_bytes(record) for record in found if isinstance(record, TokenRecord)] == [
        piece for piece, _ in pieces
    ]


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
