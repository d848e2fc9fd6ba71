"""Record anyone's masked generation: a stand-in for a logits processor of Outlines or of `transformers`."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import torch
from llguidance.hf import from_tokenizer

from tutor.tracing.files import TraceWriter
from tutor.tracing.json_path import JsonPath
from tutor.tracing.records import (
    FinalRecord,
    HeaderRecord,
    ModelInfo,
    Record,
    StepRecord,
    TokenProbability,
    TokenRecord,
)
from tutor.tracing.versions import versions

Processor = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
"""Takes the token ids so far, shape (rows, length), and the scores of the next token, shape (rows, vocabulary)."""

SAMPLER_POSITION = "logits_processor"
"""Where a recorder reads: *before* is the softmax of what the processor was given, *after* that of what it returned."""


class MaskRecorder:
    """A logits processor that passes on what another one does, and writes it down as a trace.

    Each row of a generation becomes a run of one step: its prompt, its tokens with the scores before and after the
    processor, its text. The first unfinished row is written as it goes, the rows after it when their turn comes. Use it as a
    context manager, or call `finish` after each generation. Greedy decoding and sampling are recorded, beam search is not.

    Parameters
    ----------
    processor : callable
        The logits processor, such as that of an Outlines generator (``generator.logits_processor``).
    tokenizer : tokenizer of `transformers`
        The model's tokenizer, a fast one.
    trace : TraceWriter
        Receives the records.
    model : str
        Name of the model, for the header.
    schema : mapping, optional
        JSON schema of the text, for the header.

    Examples
    --------
    >>> with TraceWriter(Path("weather.jsonl")) as trace:  # doctest: +SKIP
    ...     with MaskRecorder(generator.logits_processor, tokenizer, trace) as recorder:
    ...         generator.logits_processor = recorder
    ...         generator("The weather in Lima as JSON: ")
    """

    def __init__(
        self,
        processor: Processor,
        tokenizer: Any,
        trace: TraceWriter,
        *,
        model: str = "",
        schema: Mapping[str, Any] | None = None,
    ) -> None:
        self._processor, self._trace, self._level = processor, trace, trace.level
        self._vocabulary = _vocabulary(tokenizer)
        self._end, self._pad = tokenizer.eos_token_id, tokenizer.pad_token_id
        digest = hashlib.sha256(tokenizer.backend_tokenizer.to_str().encode()).hexdigest()
        self._model = ModelInfo(
            name=model or Path(tokenizer.name_or_path).name, sha256="", tokenizer_sha256=digest
        )
        self._schema = schema
        self._runs = 0
        self._rows: list[_Row] = []
        self._ids: torch.Tensor | None = None
        self._returned: float | None = None

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """Return what the processor returns for these scores.

        Raises
        ------
        ValueError
            When the ids do not go on from those of the call before.
        """
        called = time.perf_counter()
        self._take(input_ids)
        before = scores.clone()  # processors may mask in place
        started = time.perf_counter()
        after = self._processor(input_ids, scores)
        ended = time.perf_counter()
        size = self._vocabulary.vocab_size  # a head may have rows that stand for no token
        before, after_ = before[:, :size].float().log_softmax(1), after[:, :size].float().log_softmax(1)
        times = {"mask_us": 1e6 * (ended - started) / len(self._rows)}
        if self._returned is not None:  # what the prompt's pass took is not known
            times["forward_us"] = 1e6 * (called - self._returned) / len(self._rows)
        for number, row in enumerate(self._rows):
            row.expect(before[number], after_[number], times)
        self._ids, self._returned = input_ids.clone(), time.perf_counter()
        return after

    def reset(self) -> None:
        """Finish what is recorded and begin anew; Outlines calls this before each generation."""
        self.finish()
        if hasattr(self._processor, "reset"):
            self._processor.reset()

    def finish(self, sequences: torch.Tensor | None = None) -> None:
        """Write the runs of the generation that is over.

        Parameters
        ----------
        sequences : int tensor, shape (rows, length), optional
            What ``generate`` returned, prompts included. Without it the last token of a row is not known: it is taken for
            the end token where that is the likeliest that the processor allows, and left out where not.
        """
        for number, row in enumerate(self._rows):
            if row.open:
                token = self._end if row.likeliest() == self._end else None
                if sequences is not None and self._ids is not None:
                    token = int(sequences[number, self._ids.shape[1]])
                row.finish(token)
        self._drain()
        self._rows, self._ids, self._returned = [], None, None

    def __enter__(self) -> Self:
        """Return the recorder."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Finish."""
        self.finish()

    def _take(self, input_ids: torch.Tensor) -> None:
        """Record the tokens that were chosen since the last call, or begin with new prompts."""
        if self._ids is None:
            for ids in input_ids.tolist():
                self._runs += 1
                self._rows.append(self._row(ids))
        elif not torch.equal(input_ids[:, :-1], self._ids):
            raise ValueError(
                "these ids do not go on from those of the call before: call finish() after each generation; "
                "beam search cannot be recorded"
            )
        else:
            for row, token in zip(self._rows, input_ids[:, -1].tolist(), strict=True):
                if row.open:
                    row.take(token)
        self._drain()

    def _row(self, ids: list[int]) -> _Row:
        first = next((place for place, token in enumerate(ids) if token != self._pad), len(ids))
        prompt = self._vocabulary.decode_bytes(ids[first:]).decode("utf-8", "replace")
        header = HeaderRecord(
            sentence_id=str(self._runs),
            sentence=prompt,
            created=datetime.now(UTC).isoformat(),
            versions=versions(),
            model=self._model,
            prompt_sha256=_digest(prompt),
            sampler_position=SAMPLER_POSITION,
            config={"processor": type(self._processor).__name__}
            | ({"schema": dict(self._schema)} if self._schema else {}),
        )
        return _Row(header, len(ids) - first, self._vocabulary, self._end, self._level.top)

    def _drain(self) -> None:
        """Write what rows have, row after row: runs follow each other in a file."""
        for row in self._rows:
            for record in row.records:
                self._trace.write(record)
            row.records = []
            if row.open:
                break


@lru_cache(maxsize=2)
def _vocabulary(tokenizer: Any) -> Any:
    """Return what gives the bytes of a tokenizer's tokens; building it takes a second."""
    return from_tokenizer(tokenizer, slices=[])


class _Row:
    """One row of a generation, with the records that are not written yet."""

    def __init__(self, header: HeaderRecord, prompt: int, vocabulary: Any, end: int, top: int) -> None:
        self.records: list[Record] = [header]
        self.open = True
        self._header, self._prompt = header, prompt
        self._vocabulary, self._end, self._top = vocabulary, end, top
        self._path = JsonPath()
        self._data = b""
        self._decided = self._forced = 0
        self._started = time.perf_counter()

    def expect(self, before: torch.Tensor, after: torch.Tensor, times: dict[str, float]) -> None:
        """Keep the distributions of the token to come, log-probabilities of shape (vocabulary,)."""
        self._before, self._after, self._times = before, after, times

    def likeliest(self) -> int:
        """Return the likeliest token after the processor."""
        return int(self._after.argmax())

    def take(self, token: int) -> None:
        """Record the token that was chosen; the end token ends the run."""
        piece = b"" if token == self._end else self._vocabulary.decode_bytes([token])
        text = piece.decode("utf-8", "replace")
        distribution = self._distribution(token)
        forced = distribution["allowed"] == 1
        self.records.append(TokenRecord(
            token_id=token, text=text, raw=None if text.encode() == piece else piece.hex(), path=str(self._path),
            origin="forced_grammar" if forced else "decided", **distribution,
        ))  # fmt: skip
        self._forced, self._decided = self._forced + forced, self._decided + (not forced)
        self._path.feed(text)
        self._data += piece
        if token == self._end:
            self._close("end_token")

    def finish(self, token: int | None) -> None:
        """Record the last token, if it is known, and end the run."""
        if token is not None:
            self.take(token)
        if self.open:
            self._close("length")

    def _close(self, reason: str) -> None:
        self.open = False
        text = self._data.decode("utf-8", "replace")
        schema = self._header.config.get("schema")
        self.records.append(StepRecord(
            number=1, prompt_sha256=self._header.prompt_sha256, schema_sha256=_digest(json.dumps(schema)) if schema else "",
            prompt_tokens=self._prompt, cached_tokens=0, decided=self._decided, forced=self._forced, text=text,
            parsed=_json_object(text), seconds=time.perf_counter() - self._started,
        ))  # fmt: skip
        status = "complete" if reason == "end_token" else "cut off"
        self.records.append(FinalRecord(status=status, stop_reason=reason, correction={}))

    def _distribution(self, token: int) -> dict[str, Any]:
        before, after = self._before, self._after
        open_ = after.isfinite()
        shut = before.isfinite() & ~open_
        others = before.masked_fill(~open_, -torch.inf)
        others[token] = -torch.inf
        return {
            "allowed": int(open_.sum()),
            "logprob_before": float(before[token]),
            "logprob_after": float(after[token]),
            "blocked_mass": min(1.0, float(before[shut].exp().sum())),
            "entropy_before": _entropy(before),
            "entropy_after": _entropy(after),
            "best_blocked": self._best(before.masked_fill(~shut, -torch.inf)),
            "best_rival": self._best(others),
            "top": tuple(self._named(int(place)) for place in before.topk(self._top).indices),
        } | self._times

    def _best(self, candidates: torch.Tensor) -> TokenProbability | None:
        best = int(candidates.argmax())
        return self._named(best) if candidates[best].isfinite() else None

    def _named(self, token: int) -> TokenProbability:
        text = "" if token == self._end else self._vocabulary.decode_bytes([token]).decode("utf-8", "replace")
        return TokenProbability(
            token, text, float(self._before[token].exp()), bool(self._after[token].isfinite())
        )


def _entropy(log_probabilities: torch.Tensor) -> float:
    return max(0.0, -float((log_probabilities.exp() * log_probabilities).nansum()))


def _json_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
