"""The tutor: a sentence in, a grounded correction out."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import count
from pathlib import Path
from typing import Self

from tutor.agent.correction import Language, build, failure
from tutor.agent.react import STEP_CAP, react
from tutor.agent.state import Correction
from tutor.decoding.model import TransformersModel
from tutor.decoding.queries import LanguageModel, Work, run_alone, run_together
from tutor.decoding.tokenizer import Tokenizer
from tutor.decoding.weights import sha256
from tutor.language.scope import Scope, scope_reasons
from tutor.language.tokens import tokenize
from tutor.paths import models_dir
from tutor.planner.choice import ChoiceWeights
from tutor.planner.coverage import LOOKS
from tutor.planner.planner import EngineName, Planner, PlannerOptions, Sink
from tutor.planner.prompt import sentence_prompt
from tutor.tools.registry import call
from tutor.tracing.files import TraceWriter
from tutor.tracing.records import FinalRecord, HeaderRecord, Level, ModelInfo, Record
from tutor.tracing.versions import versions

MODEL = "tutor-135m"
MAX_WORDS = 400
MAX_CHARACTERS = 4000


@dataclass(frozen=True, slots=True)
class Options:
    """How to correct.

    Attributes
    ----------
    lang : str
        Language of reasons and messages, ``"en"`` or ``"es"``.
    scope : str
        ``"all"`` of English, or what a ``"beginner"`` course teaches.
    min_confidence : float or None
        Probability from which an edit is made; None is the model's own default.
    max_steps : int
        Steps of a run at most, 1 to 8.
    seed : int or None
        Sample with this seed; None decodes greedily.
    """

    lang: Language = "en"
    scope: Scope = "all"
    min_confidence: float | None = None
    max_steps: int = STEP_CAP
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class _Recording:
    """Where the records of a run go, how much they hold, and how many sentences are under way with it."""

    sink: Sink
    level: Level
    width: int


class Tutor:
    """Corrects sentences with one model.

    Parameters
    ----------
    model : LanguageModel
        The model.
    weights : ChoiceWeights
        How the choice of the correction weighs its evidence.
    planner : PlannerOptions
        How the planner decodes.
    folder : Path or None
        The model's folder, for the header of a trace.
    """

    def __init__(
        self,
        model: LanguageModel,
        weights: ChoiceWeights | None = None,
        planner: PlannerOptions | None = None,
        folder: Path | None = None,
    ) -> None:
        self._weights = weights or ChoiceWeights()
        self._planner = Planner(model, self._weights, planner or PlannerOptions())
        self._folder = folder

    @classmethod
    def load(cls, model: Path | None = None, device: str = "auto", engine: EngineName = "tutor") -> Self:
        """Load a model folder, the shipped one by default.

        Raises
        ------
        WeightsError
            When the folder is no model folder or the device is missing.
        """
        folder = model or models_dir() / MODEL
        with ThreadPoolExecutor(1) as pool:
            lexicons = pool.submit(_read_lexicons)  # half of the time of loading, on another core
            loaded = TransformersModel(folder, device)
            lexicons.result()
        return cls(loaded, ChoiceWeights.load(folder), PlannerOptions(engine=engine), folder)

    def correct(
        self,
        sentence: str,
        options: Options = Options(),
        trace: TraceWriter | None = None,
        sentence_id: str = "1",
    ) -> Correction:
        """Correct one sentence.

        Parameters
        ----------
        sentence : str
            Up to 400 words and 4,000 characters.
        options : Options
            How to correct.
        trace : TraceWriter, optional
            Receives the records of the run.
        sentence_id : str
            Name of the sentence in the trace.
        """
        recording = _Recording(trace.write, trace.level, 1) if trace else None
        return run_alone(self._planner.model, self._correct(sentence, options, sentence_id, recording))

    def correct_many(
        self,
        sentences: Iterable[str],
        options: Options = Options(),
        *,
        ids: Iterable[str] | None = None,
        trace: TraceWriter | None = None,
        width: int = 32,
    ) -> Iterator[Correction]:
        """Correct sentences together, in order; the answers come as soon as they and those before them are there.

        Parameters
        ----------
        sentences : iterable of str
            Read as the work goes on, never far ahead.
        options : Options
            How to correct.
        ids : iterable of str, optional
            Names of the sentences in the trace; ``"1"``, ``"2"``, ... without them.
        trace : TraceWriter, optional
            Receives the records, run after run.
        width : int
            Sentences under way at a time.
        """
        names = ids if ids is not None else map(str, count(1))
        works = (
            self._traced(sentence, options, name, trace.level if trace else Level.off, width)
            for sentence, name in zip(sentences, names, strict=False)
        )
        for correction, records in run_together(self._planner.model, works, width):
            for record in records:
                trace.write(record)  # type: ignore[union-attr]
            yield correction

    def _traced(
        self, sentence: str, options: Options, name: str, level: Level, width: int
    ) -> Work[tuple[Correction, list[Record]]]:
        """Correct a sentence and keep its records until its turn to be written comes."""
        records: list[Record] = []
        recording = None if level is Level.off else _Recording(records.append, level, width)
        correction = yield from self._correct(sentence, options, name, recording)
        return correction, records

    def _correct(
        self, sentence: str, options: Options, name: str, recording: _Recording | None
    ) -> Work[Correction]:
        started = time.perf_counter()
        if recording:
            recording.sink(self._header(sentence, name, options, recording.width))
        message = _refusal(sentence, self._planner.model.tokenizer)
        if message:
            correction = failure(sentence, message)
        else:
            correction = yield from self._run(sentence, options, recording, started)
        if recording:
            recording.sink(FinalRecord(
                status=correction.status, stop_reason=correction.stop_reason,
                correction=correction.model_dump(mode="json"),
            ))  # fmt: skip
        return correction

    def _run(
        self, sentence: str, options: Options, recording: _Recording | None, started: float
    ) -> Work[Correction]:
        reasons = scope_reasons(sentence, tokenize(sentence), options.scope)
        planner = self._planner.start(
            sentence,
            reasons,
            seed=options.seed,
            min_confidence=options.min_confidence,
            looks=min(LOOKS, options.max_steps - 1),
            level=recording.level if recording else Level.off,
        )
        run = yield from react(planner, sentence, options.max_steps, recording.sink if recording else None)
        changed = run.answer is not None and run.answer.corrected is not None
        weighed = (yield from planner.choice(tuple(run.observed))).alternatives if changed else ()
        return build(run, weighed, options.lang, time.perf_counter() - started)

    def _header(self, sentence: str, sentence_id: str, options: Options, width: int) -> HeaderRecord:
        weights = hashlib.sha256(self._weights.model_dump_json().encode()).hexdigest()[:16]
        config = asdict(options) | asdict(self._planner.options) | {"choice_sha256": weights, "width": width}
        if isinstance(model := self._planner.model, TransformersModel):
            config |= {"device": str(model.device), "dtype": str(model.dtype)}
        return HeaderRecord(
            sentence_id=sentence_id, sentence=sentence, created=datetime.now(UTC).isoformat(),
            versions=versions(), model=model_info(self._folder),
            prompt_sha256=hashlib.sha256(sentence_prompt("").encode()).hexdigest(),
            seed=options.seed, config=config,
        )  # fmt: skip


def _read_lexicons() -> None:
    """Make the tables that the first sentence would have to wait for."""
    sentence = "He goed."  # a word that no table has is looked up in all of them
    scope_reasons(sentence, tokenize(sentence))
    call("lookup_spanish", {"word": sentence})


def _refusal(sentence: str, tokenizer: Tokenizer) -> str | None:
    """Return why a sentence cannot be run, or None."""
    try:
        sentence.encode("utf-8")
    except UnicodeEncodeError as error:
        return f"character {error.start + 1} is half of a surrogate pair; give valid Unicode text"
    if not sentence.strip():
        return "the sentence is empty"
    if len(sentence) > MAX_CHARACTERS:
        return f"the sentence has {len(sentence)} characters; at most {MAX_CHARACTERS} are read: split it"
    words = sum(token.is_word for token in tokenize(sentence))
    if words > MAX_WORDS:
        return f"the sentence has {words} words; at most {MAX_WORDS} are read: split it"
    if char := tokenizer.unwritable(json.dumps(sentence, ensure_ascii=False)):
        return f"the model's vocabulary cannot spell the character U+{ord(char):04X}; leave it out"
    return None


@cache
def model_info(folder: Path | None) -> ModelInfo:
    """Return the name of a model folder and the digests of what was loaded from it."""
    if folder is None:
        return ModelInfo(name="none", sha256="", tokenizer_sha256="")
    weights = sorted(folder.rglob("*.safetensors"))
    digest = hashlib.sha256("".join(sha256(path) for path in weights).encode()).hexdigest()
    return ModelInfo(name=folder.name, sha256=digest, tokenizer_sha256=sha256(folder / "tokenizer.json"))
