"""A run as `MaskRecorder` writes it, without a model."""

from tutor.tracing.records import (
    FinalRecord,
    HeaderRecord,
    ModelInfo,
    Record,
    StepRecord,
    TokenProbability,
    TokenRecord,
)

TEXT = '{"sky":"clear"}'


def weather() -> list[Record]:
    asked = TokenRecord(
        token_id=7, text="clear", path="$.sky", origin="decided", allowed=3, logprob_before=-1.5, logprob_after=-0.25,
        blocked_mass=0.7, best_blocked=TokenProbability(9, "blue", 0.5, False),
        top=(TokenProbability(9, "blue", 0.5, False), TokenProbability(7, "clear", 0.22, True)),
    )  # fmt: skip
    return [
        HeaderRecord(
            sentence_id="1", sentence="The weather in Lima: ", created="2025-01-01T00:00:00Z", versions={"tutor": "0.1.0"},
            model=ModelInfo(name="tiny", sha256="", tokenizer_sha256=""), prompt_sha256="", sampler_position="logits_processor",
        ),
        TokenRecord(token_id=1, text='{"sky":"', path="$", origin="forced_grammar", allowed=1),
        asked,
        TokenRecord(token_id=2, text='"}', path="$.sky", origin="forced_grammar", allowed=1),
        TokenRecord(token_id=3, text="", path="$", origin="forced_grammar", allowed=1),
        StepRecord(
            number=1, prompt_sha256="", schema_sha256="", prompt_tokens=6, cached_tokens=0, decided=1, forced=3, text=TEXT,
            parsed={"sky": "clear"}, seconds=0.5,
        ),
        FinalRecord(status="complete", stop_reason="end_token", correction={}),
    ]  # fmt: skip
