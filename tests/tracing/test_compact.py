import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.sample_trace import ANSWER, CALL, sample_run, tokens
from tutor.tracing.compact import Compactor, result_digest, token_bytes
from tutor.tracing.expand import Expander
from tutor.tracing.lines import LINE
from tutor.tracing.records import Level, ObservationRecord, Record, TokenProbability, TokenRecord


def lines(records: list[Record], level: Level = Level.full) -> list[bytes]:
    compactor = Compactor(level)
    found = [line for record in records for line in compactor.lines(record)]
    return found + list(compactor.rest())


def back(written: list[bytes]) -> list[Record]:
    expander = Expander()
    return [record for line in written for record in expander.records(LINE.validate_json(line))]


def test_tokens_nobody_was_asked_about_share_a_line_and_come_back_one_by_one() -> None:
    written = [json.loads(line) for line in lines(sample_run())]
    (shared, decided, last, *_) = [line for line in written if line["event"] in ("weighed", "tokens")]
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


def weighed(token: int, text: str, step: int, path: str, origin: str, allowed: int | None) -> TokenRecord:
    rival = TokenProbability(token + 1, "x", 0.25, True)
    asked: dict[str, Any] = {
        "logprob_before": -0.5,
        "blocked_mass": 0.125,
        "best_rival": rival,
        "top": (rival,),
    }
    return TokenRecord(
        step=step,
        token_id=token,
        text=text,
        path=path,
        origin=origin,
        allowed=allowed,
        **(asked if allowed else {}),
    )  # type: ignore[arg-type]


@given(
    st.lists(
        st.builds(
            weighed, st.integers(0, 3), st.sampled_from(["a", '{"k":', '"', "}", ""]), st.integers(1, 2),
            st.sampled_from(["$", "$.k"]), st.sampled_from(["decided", "forced_grammar"]), st.sampled_from([2, 7]),
        )
    )
)  # fmt: skip
def test_a_token_comes_back_as_it_was_even_where_an_id_changes_its_text(records: list[TokenRecord]) -> None:
    header = sample_run()[0]
    assert back(lines([header, *records]))[1:] == records


def test_the_text_of_a_token_is_said_once_a_run() -> None:
    first, *rest = (
        json.loads(line) for line in lines([*tokens(1, CALL[:2]), *tokens(1, [CALL[3], *CALL[:2]])])
    )
    assert first["texts"] == [piece.decode() for piece, _ in CALL[:2]]
    assert [line["event"] for line in rest] == ["weighed", "tokens"]
