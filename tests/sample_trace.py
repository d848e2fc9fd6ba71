"""A small run to write, read and show."""

import json
import math
from typing import Any

from tutor.tracing.json_path import JsonPath
from tutor.tracing.records import (
    Alternative,
    ChoiceRecord,
    FinalRecord,
    HeaderRecord,
    ModelInfo,
    ObservationRecord,
    Origin,
    Record,
    StepRecord,
    TokenProbability,
    TokenRecord,
)

SENTENCE = "He goed to school."
PRESENT = TokenProbability(token_id=9, text="present", probability=0.6, allowed=False)
PAST = TokenProbability(token_id=13, text="past", probability=0.3, allowed=True)
DECIDED: dict[str, Any] = {
    "allowed": 12,
    "logprob_before": math.log(0.3),
    "logprob_after": math.log(0.75),
    "blocked_mass": 0.6,
    "entropy_before": 1.1,
    "entropy_after": 0.5,
    "best_blocked": PRESENT,
    "top": (PRESENT, PAST),
    "forward_us": 900.0,
    "mask_us": 30.0,
}
CALL: list[tuple[bytes, Origin]] = [
    (b'{"next":"', "forced_grammar"),
    (b"tool", "forced_canonical"),
    (b'_call","tool":"conjugate","args":{"verb":"go","tense":"', "forced_grammar"),
    (b"past", "decided"),
    (b'_simple"}}', "forced_grammar"),
]
ANSWER: list[tuple[bytes, Origin]] = [
    (b'{"next":"final_answer","answer":{"corrected":"', "forced_grammar"),
    (b"He went", "decided"),
    (b' to school.",', "decided"),
    (b'"rationale":["Step 1: a reason."],"spanish_gloss":"\xc3', "forced_grammar"),
    (b'\x89l fue.","in_scope":true}}', "forced_grammar"),
]


def tokens(step: int, pieces: list[tuple[bytes, Origin]], *, joint: bool = False) -> list[TokenRecord]:
    """Return the records of the tokens of a step; the decided ones are joint, or each with its distribution."""
    path, records = JsonPath(), []
    for number, (piece, origin) in enumerate(pieces, start=10 * step):
        text = piece.decode("utf-8", "replace")
        raw = None if text.encode() == piece else piece.hex()
        asked = DECIDED if origin == "decided" and not joint else {}
        together = True if origin == "decided" and joint else None
        records.append(TokenRecord(
            step=step, token_id=number, text=text, raw=raw, path=str(path), origin=origin, joint=together, **asked
        ))  # fmt: skip
        path.feed(text)
    return records


def _step(number: int, pieces: list[tuple[bytes, Origin]], seconds: float | None = None) -> StepRecord:
    text = b"".join(piece for piece, _ in pieces).decode()
    decided = sum(origin == "decided" for _, origin in pieces)
    return StepRecord(
        number=number, prompt_sha256=f"{number:064}", schema_sha256=f"{number + 8:064}", prompt_tokens=200, cached_tokens=180,
        decided=decided, forced=len(pieces) - decided, text=text, parsed=json.loads(text), seconds=seconds,
    )  # fmt: skip


def sample_run(sentence_id: str = "1", sentence: str = SENTENCE) -> list[Record]:
    """Return the records of one run: a call, its observation, a choice and the answer."""
    call, answer = _step(1, CALL), _step(2, ANSWER, 0.25)
    result = {"verb": "go", "forms": ["went"], "table": {f"tense {number}": ["went"] for number in range(20)}}
    shown = {
        "number": 1,
        "tool": "conjugate",
        "args": call.parsed["args"],
        "observation": result,
        "summary": "went",
    }
    alternatives = (
        Alternative(text=sentence, fluency=-40.0, error_model=-3.0, score=-43.0, probability=0.1),
        Alternative(text="goed -> went", score=-math.inf, probability=0.9, chosen=True),
    )
    header = HeaderRecord(
        sentence_id=sentence_id,
        sentence=sentence,
        created="2025-01-01T00:00:00Z",
        versions={"tutor": "0.1.0"},
        model=ModelInfo(name="tutor-135m", sha256="ab" * 32, tokenizer_sha256="cd" * 32),
        prompt_sha256="ef" * 32,
    )
    correction = {"sentence": sentence, **answer.parsed["answer"], "steps": [shown], "lang": "en"}
    forced, *rest = tokens(2, ANSWER, joint=True)
    return [
        header,
        *tokens(1, CALL),
        call,
        ObservationRecord(step=1, tool="conjugate", args=call.parsed["args"], result=result, text="went"),
        forced,
        ChoiceRecord(step=2, path="$.answer.corrected", alternatives=alternatives),
        *rest,
        answer,
        FinalRecord(status="corrected", stop_reason="final_answer", correction=correction),
    ]
