"""A small run to write, read and show."""

import math

from tutor.tracing.records import (
    Alternative,
    ChoiceRecord,
    FinalRecord,
    HeaderRecord,
    ModelInfo,
    ObservationRecord,
    Record,
    StepRecord,
    TokenProbability,
    TokenRecord,
)

SENTENCE = "He goed to school."
PRESENT = TokenProbability(token_id=9, text="present", probability=0.6, allowed=False)
PAST = TokenProbability(token_id=5, text="past", probability=0.3, allowed=True)


def sample_run(sentence_id: str = "1", sentence: str = SENTENCE) -> list[Record]:
    """Return the records of one run: a call, its observation, a choice and the answer."""
    call = {"next": "tool_call", "tool": "conjugate", "args": {"verb": "go", "tense": "past_simple"}}
    answer = {"corrected": "He went to school.", "rationale": ["Step 1: a reason."], "in_scope": True}
    return [
        HeaderRecord(
            sentence_id=sentence_id,
            sentence=sentence,
            created="2025-01-01T00:00:00Z",
            versions={"tutor": "0.1.0"},
            model=ModelInfo(name="tutor-135m", sha256="ab" * 32, tokenizer_sha256="cd" * 32),
            prompt_sha256="ef" * 32,
        ),
        TokenRecord(token_id=1, text='{"next":"', path="$", origin="forced_grammar"),
        TokenRecord(token_id=2, text="tool", path="$.next", origin="forced_canonical"),
        TokenRecord(
            token_id=5,
            text="past",
            path="$.args.tense",
            origin="decided",
            allowed=12,
            logprob_before=math.log(0.3),
            logprob_after=math.log(0.75),
            blocked_mass=0.6,
            best_blocked=PRESENT,
            top=(PRESENT, PAST),
        ),
        StepRecord(
            number=1,
            prompt_sha256="0",
            schema_sha256="1",
            prompt_tokens=200,
            cached_tokens=180,
            decided=1,
            forced=2,
            text="",
            parsed=call,
        ),
        ObservationRecord(
            step=1, tool="conjugate", args=call["args"], result={"forms": ["went"]}, text="went"
        ),
        ChoiceRecord(
            step=2,
            path="$.answer.corrected",
            alternatives=(
                Alternative(text=sentence, fluency=-40.0, error_model=-3.0, score=-43.0, probability=0.1),
                Alternative(text="He went to school.", score=-math.inf, probability=0.9, chosen=True),
            ),
        ),
        StepRecord(
            number=2,
            prompt_sha256="2",
            schema_sha256="3",
            prompt_tokens=230,
            cached_tokens=210,
            decided=4,
            forced=40,
            text="",
            parsed={"next": "final_answer", "answer": answer},
            seconds=0.25,
        ),
        FinalRecord(status="corrected", stop_reason="final_answer", correction={"sentence": sentence}),
    ]
