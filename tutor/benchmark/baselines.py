"""What others would write: the same agent on `outlines` and `transformers.generate`, and plain generation.

The model is the tuned one, loaded once, by `transformers` alone. Each planner step is one generation over the whole prompt,
with its key-value cache, under the schema of that step; it stops as soon as the JSON is complete. In a batch each row has a
logits processor of its own, and prompts are padded on the left. The correction is decoded like everything else, token by token.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import outlines
import torch
from outlines.backends.llguidance import LLGuidanceBackend
from outlines.processors import OutlinesLogitsProcessor
from outlines.types import JsonSchema
from transformers import LogitsProcessorList, StoppingCriteriaList

from tutor.agent.react import STEP_CAP
from tutor.decoding.mask import Schema
from tutor.decoding.outlines_engine import hf_tokenizer
from tutor.decoding.reference import causal_lm
from tutor.decoding.tokenizer import Tokenizer
from tutor.language.scope import scope_reasons
from tutor.language.tokens import tokenize
from tutor.planner.planner import PlannerOptions
from tutor.planner.prompt import observation_prompt, sentence_prompt
from tutor.planner.schema import StepSchema
from tutor.planner.steps import FinalAnswer, Observed, parse_step
from tutor.tools.registry import call


@dataclass(slots=True)
class Run:
    """One sentence on its way through the agent."""

    sentence: str
    prompt: str = field(init=False)
    observed: list[Observed] = field(default_factory=list)
    ended: bool = False

    def __post_init__(self) -> None:
        """Begin the prompt."""
        self.prompt = sentence_prompt(self.sentence)

    def schema(self) -> Schema:
        """Return the schema of the next step."""
        reasons = scope_reasons(self.sentence, tokenize(self.sentence), "all")
        return StepSchema(self.sentence, tuple(self.observed), PlannerOptions().tools, reasons).schema()

    def take(self, text: str) -> None:
        """Act on a step: call its tool and extend the prompt, or end."""
        step = parse_step(text)
        if isinstance(step, FinalAnswer) or (self.observed and self.observed[-1].call == step):
            self.ended = True
            return
        number = len(self.observed) + 1
        self.observed.append(Observed(number, step, text, call(step.tool, step.args)))
        self.prompt += text + observation_prompt(self.observed[-1].result.prompt_text())
        self.ended = number == STEP_CAP


class GenerateBaselines:
    """Runs the baselines on one model.

    Parameters
    ----------
    folder : Path
        Model folder.
    device : torch.device
        Where to run.
    dtype : torch.dtype
        Number format of the forward pass.
    """

    def __init__(self, folder: Path, device: torch.device, dtype: torch.dtype) -> None:
        self.tokenizer = Tokenizer(folder)
        self._model = causal_lm(folder).to(device, dtype)
        self._limit: int = self._model.config.max_position_embeddings
        # A new `outlines.Generator` for each schema would build the tokenizer again, 2 s each time.
        self._backend = LLGuidanceBackend(
            outlines.from_transformers(self._model, hf_tokenizer(self.tokenizer))
        )

    def correct(self, sentences: Sequence[str]) -> int:
        """Run the agent over sentences, all of them together, and return how many tokens it wrote."""
        runs = [Run(sentence) for sentence in sentences]
        written = 0
        while open_runs := [run for run in runs if not run.ended]:
            # Compiling Outlines' mask kernel would cost 11 s; it saves less than a millisecond a token.
            with torch.compiler.set_stance("force_eager"):
                steps = self.steps(open_runs)
            for run, tokens in zip(open_runs, steps, strict=True):
                written += len(tokens)
                run.take(self.tokenizer.decode_bytes(tokens).decode("utf-8"))
        return written

    def write(self, sentences: Sequence[str], tokens: int) -> None:
        """Generate a number of tokens after each sentence's prompt, unmasked, all sentences together."""
        prompts = self.tokenizer.encode_batch([sentence_prompt(sentence) for sentence in sentences])
        self._generate(prompts, min_new_tokens=tokens, max_new_tokens=tokens)

    def steps(self, runs: Sequence[Run]) -> list[list[int]]:
        """Generate the next step of each run, all of them together, and return their tokens."""
        prompts = self.tokenizer.encode_batch([run.prompt for run in runs])
        rows = _Rows([self._processor(run.schema()) for run in runs], self.tokenizer)
        longest = max(map(len, prompts))
        self._generate(
            prompts,
            max_new_tokens=self._limit - longest,
            logits_processor=LogitsProcessorList([rows]),
            stopping_criteria=StoppingCriteriaList([rows.complete]),
        )
        return rows.tokens

    def _processor(self, schema: Schema) -> OutlinesLogitsProcessor:
        return self._backend.get_json_schema_logits_processor(JsonSchema(schema).schema)

    def _generate(self, prompts: Sequence[Sequence[int]], **options: Any) -> None:
        longest = max(map(len, prompts))
        ids = torch.full((len(prompts), longest), self.tokenizer.eos)
        attention = torch.zeros_like(ids)
        for row, prompt in enumerate(prompts):
            ids[row, longest - len(prompt) :] = torch.tensor(prompt)
            attention[row, longest - len(prompt) :] = 1
        device = self._model.device
        with torch.inference_mode():
            self._model.generate(
                ids.to(device), attention_mask=attention.to(device), do_sample=False,
                eos_token_id=self.tokenizer.eos, pad_token_id=self.tokenizer.eos, **options,
            )  # fmt: skip


class _Rows:
    """A logits processor that masks each row by its own, and the criterion that stops a row once its JSON is complete."""

    def __init__(self, processors: Sequence[OutlinesLogitsProcessor], tokenizer: Tokenizer) -> None:
        self._processors, self._tokenizer = processors, tokenizer
        self._ended = [False] * len(processors)
        self.tokens: list[list[int]] = [[] for _ in processors]

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """Return the scores, masked in place."""
        for row, processor in enumerate(self._processors):
            if not self._ended[row]:
                processor(input_ids[row : row + 1], scores[row : row + 1])
        return scores

    def complete(self, input_ids: torch.Tensor, scores: torch.Tensor, **_: Any) -> torch.Tensor:
        """Return, for each row, whether its JSON is complete."""
        for row, token in enumerate(input_ids[:, -1].tolist()):
            if not self._ended[row]:
                self.tokens[row].append(token)
                self._ended[row] = self._is_json(self.tokens[row])
        return torch.tensor(self._ended, device=input_ids.device)

    def _is_json(self, tokens: list[int]) -> bool:
        if not self._tokenizer.decode_bytes(tokens[-1:]).endswith(b"}"):
            return False
        try:
            json.loads(self._tokenizer.decode_bytes(tokens))
        except ValueError:
            return False
        return True
