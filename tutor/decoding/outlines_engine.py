"""The same decoding by way of Outlines: its logits processor in the generation of `transformers`.

Outlines compiles and applies every mask here; ours stands beside it, and a state in which the two differ ends
the run. So this is the slow engine that anyone can compare with their own use of Outlines, and the referee.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import outlines
import torch
from outlines.backends.llguidance import LLGuidanceBackend
from outlines.processors import OutlinesLogitsProcessor
from outlines.types import JsonSchema
from transformers import LogitsProcessorList, PreTrainedTokenizerFast

from tutor.decoding.distribution import distribution
from tutor.decoding.engine import Decoding, Pick, greedy
from tutor.decoding.mask import Mask, MaskError, Schema
from tutor.decoding.model import TransformersModel
from tutor.decoding.queries import Context, LanguageModel, Predict, TokenIds, Work
from tutor.decoding.tokenizer import Tokenizer
from tutor.tracing.records import Level, TokenRecord

Record = Callable[[TokenRecord], None]


class WholePrompt:
    """A context that is run anew, as a whole, for each text."""

    def __init__(self) -> None:
        self.ids: list[int] = []

    def append(self, ids: Sequence[int]) -> None:
        """Add tokens."""
        self.ids.extend(ids)

    def __len__(self) -> int:
        """Return the number of tokens so far."""
        return len(self.ids)

    @property
    def cached(self) -> int:
        """Nothing is kept from one text to the next."""
        return 0


class OutlinesEngine:
    """A model and its tokenizer as Outlines takes them, set up once (2 s).

    Parameters
    ----------
    model : TransformersModel
        The model; its tuned weights are used.

    Raises
    ------
    TypeError
        When the model is not one of `transformers`.
    """

    def __init__(self, model: LanguageModel) -> None:
        if not isinstance(model, TransformersModel):
            raise TypeError("Outlines needs a model of transformers")
        self.language_model, self.tokenizer = model, model.tokenizer
        self._causal_lm = model.causal_lm
        self.model = outlines.from_transformers(self._causal_lm, hf_tokenizer(model.tokenizer))
        # A new `outlines.Generator` would build the tokenizer again for each schema.
        self._backend = LLGuidanceBackend(self.model)

    def context(self) -> WholePrompt:
        """Start an empty context."""
        return WholePrompt()

    def decoding(
        self,
        context: Context,
        schema: Schema,
        pick: Pick = greedy,
        record: Record | None = None,
        step: int = 1,
        level: Level = Level.decisions,
    ) -> OutlinesDecoding:
        """Return a decoding after a context of this engine; the arguments are those of `Decoding`."""
        if not isinstance(context, WholePrompt):
            raise TypeError("the context is of another engine")
        return OutlinesDecoding(
            context, self.tokenizer, schema, pick=pick, record=record, step=step, level=level, engine=self
        )

    def processor(self, schema: Schema) -> OutlinesLogitsProcessor:
        """Return the logits processor that an `outlines.Generator` with backend ``llguidance`` has."""
        return self._backend.get_json_schema_logits_processor(JsonSchema(schema).schema)

    def generate(self, ids: Sequence[int], steer: OutlinesDecoding) -> list[int]:
        """Generate greedily after a prompt, to the end token or the end of the model's context.

        Parameters
        ----------
        ids : sequence of int
            The prompt.
        steer : OutlinesDecoding
            Masks the scores of each token.

        Returns
        -------
        list of int
            The new tokens.
        """
        prompt = torch.tensor([ids], device=self._causal_lm.device)
        generated = self._causal_lm.generate(
            prompt,
            attention_mask=torch.ones_like(prompt),
            logits_processor=LogitsProcessorList([steer]),
            do_sample=False,
            max_new_tokens=max(1, self._causal_lm.config.max_position_embeddings - len(ids)),
            eos_token_id=self.tokenizer.eos,
            pad_token_id=self.tokenizer.eos,
        )
        new: list[int] = generated[0, len(ids) :].tolist()
        return new


@dataclass(slots=True)
class OutlinesDecoding(Decoding):
    """A `Decoding` in which `transformers` generates and Outlines masks.

    It is the logits processor of that generation: the scores of the next token come in; out goes the token to
    take, one that Outlines allows, found by the same rules as in the fast path.

    Attributes
    ----------
    context : WholePrompt
        The prompt.
    engine : OutlinesEngine
        The model.
    """

    context: WholePrompt
    engine: OutlinesEngine = field(kw_only=True)
    _prompt: int = 0
    _returned: float = 0.0
    """When the generation last went on."""
    _forward: dict[str, Any] = field(default_factory=dict)
    """What the pass before this token cost."""
    _mask: Mask = field(init=False)
    _processor: OutlinesLogitsProcessor = field(init=False)

    def run(self) -> Work[str]:
        """Decode to the end of the text and return it; what it asks of the model is answered at once.

        Raises
        ------
        MaskError
            When Outlines and the mask of the fast path differ, or the model's context is too short.
        """
        self._prompt = len(self.context)
        self._mask, self._processor = Mask(self.tokenizer, self.schema), self.engine.processor(self.schema)
        self._returned = time.perf_counter()
        # Outlines' mask kernel is a torch.compile function: 11 s at the first token, and a C++ compiler.
        with torch.compiler.set_stance("force_eager"):
            generated = self.engine.generate(tuple(self.context.ids), self)
        if generated != [*self.ids, self.tokenizer.eos]:
            raise MaskError("the text did not end within the model's context")
        yield from ()
        return self.data.decode("utf-8")

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """Return scores in which only the token to take is left."""
        place = input_ids.shape[1] - self._prompt
        self._forward = {
            "forward_us": 1e6 * (time.perf_counter() - self._returned),
            "forward_tokens": 1 if place else self._prompt,
        }
        allowed = outlines_allowed(self._processor, input_ids, self.tokenizer)
        if place == len(self.ids):
            allowed = self._decide(scores[0], allowed)
        token = self.ids[place] if place < len(self.ids) else self.tokenizer.eos
        if token not in allowed:
            raise MaskError(f"Outlines does not allow token {token} here")
        if self._unscored:  # level full: the tokens of a forced run pass here one by one
            self._record_waiting(scores[0].float().cpu())
        self._returned = time.perf_counter()
        return torch.full_like(scores, -torch.inf).index_fill_(
            1, torch.tensor([token], device=scores.device), 0.0
        )

    def _predict(self, allowed: TokenIds, *, keep: bool = True) -> Work[tuple[torch.Tensor, dict[str, Any]]]:
        logits = yield Predict(self.context, allowed, whole=self.record is not None)
        return logits, self._forward

    def _record_waiting(self, scores: torch.Tensor) -> None:
        waiting, allowed = self._unscored.pop(0)
        scored = distribution(self.tokenizer, scores, allowed, waiting.token_id, self.level.top)
        assert self.record
        self.record(waiting.model_copy(update=scored | self._forward))

    def _decide(self, scores: torch.Tensor, allowed: TokenIds) -> TokenIds:
        """Extend the text by its next run of tokens; return what Outlines allows as the first of them."""
        self._referee(allowed)
        if self._mask.finished:
            return allowed
        if (schema := self._narrower(self._mask)) is not None:
            allowed = self._enter(schema)
            self._referee(allowed)
        self._answer(self._advance(self._mask), scores)
        return allowed

    def _answer(self, work: Work[None], scores: torch.Tensor) -> None:
        """Run what decodes on, with the scores of the generation that is under way as its prediction."""
        answer: torch.Tensor | None = None
        while True:
            try:
                query = work.send(answer)  # type: ignore[arg-type]
            except StopIteration:
                return
            if not isinstance(query, Predict):
                (answer,) = self.engine.language_model.answer([query])
            else:
                answer = scores.float() if query.whole else scores.float()[torch.from_numpy(query.allowed)]

    def _referee(self, allowed: TokenIds) -> None:
        if not np.array_equal(allowed, self._mask.allowed()):
            raise MaskError("Outlines and the mask of the fast path allow different tokens")

    def _enter(self, schema: Schema) -> TokenIds:
        """Go on under a schema, after the text so far; return what Outlines allows next."""
        self._mask = Mask(self.tokenizer, schema)
        self._mask.consume(self.ids)
        self._processor = self.engine.processor(schema)
        for end in range(len(self.ids) + 1):
            allowed = outlines_allowed(self._processor, torch.tensor([self.ids[:end]]), self.tokenizer)
        return allowed


def outlines_allowed(processor: OutlinesLogitsProcessor, ids: torch.Tensor, tokenizer: Tokenizer) -> TokenIds:
    """Return the ids of the tokens that an Outlines processor allows next, ascending.

    Parameters
    ----------
    processor : OutlinesLogitsProcessor
        The processor. It takes the last token in at each call but its first, so call it once a token.
    ids : int tensor, shape (1, tokens)
        The tokens so far.
    tokenizer : Tokenizer
        The model's tokenizer.
    """
    # Not the model's scores: Outlines masks in place, and what was -inf before would pass for masked.
    scores = processor(ids.cpu(), torch.zeros(1, tokenizer.size))
    return torch.isfinite(scores[0]).nonzero().squeeze(1).numpy()


def hf_tokenizer(tokenizer: Tokenizer) -> Any:
    """Return the tokenizer for `transformers`, its special tokens renamed as in ours."""
    fast: Any = PreTrainedTokenizerFast
    return fast(
        tokenizer_object=tokenizer._tokenizer, eos_token=tokenizer._tokenizer.id_to_token(tokenizer.eos)
    )
