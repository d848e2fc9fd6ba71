"""The benchmark as a whole: what is measured, in which order, and the ratios."""

from __future__ import annotations

import platform
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from statistics import fmean, median, quantiles

import torch

from tutor.agent.state import Correction
from tutor.agent.tutor import MODEL, Options, Tutor
from tutor.benchmark.agreement import agreement, traced
from tutor.benchmark.counting import CountedModel, Counts
from tutor.benchmark.machine import Machine, Shapes, measure
from tutor.benchmark.parts import PartSampler
from tutor.benchmark.ratios import Figures, ratios
from tutor.benchmark.sentences import sentences
from tutor.decoding.model import TransformersModel
from tutor.paths import models_dir
from tutor.planner.choice import ChoiceWeights

Progress = Callable[[str], None]

_LENGTHS = ((1, 8), (9, 16), (17, 24), (25, 40), (41, 400))


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure.

    Attributes
    ----------
    sentences : int
        Sentences of each batch run.
    alone : int
        Of these, those that are also run one at a time.
    baseline : int
        Of these, those that the baselines run one at a time; 0 leaves the baselines out.
    widths : tuple of int
        Sentences under way at a time in the batch runs.
    baseline_widths : tuple of int
        Batch sizes of the baselines, ascending; the first that helps no more is the last that is tried.
    cold_starts : int
        Fresh processes.
    device : str
        ``"auto"``, ``"cpu"`` or ``"cuda"``.
    model : Path or None
        Model folder; the shipped one by default.
    file : Path or None
        Sentences instead of the benchmark's own.
    """

    sentences: int = 200
    alone: int = 50
    baseline: int = 6
    widths: tuple[int, ...] = (8, 32, 128)
    baseline_widths: tuple[int, ...] = (8, 16, 32)
    cold_starts: int = 3
    device: str = "auto"
    model: Path | None = None
    file: Path | None = None

    @property
    def folder(self) -> Path:
        """The model folder."""
        return self.model or models_dir() / MODEL

    def texts(self, n: int) -> list[str]:
        """Return the first sentences."""
        return sentences(n, self.file)


def run(plan: Plan, progress: Progress = lambda what: None) -> Figures:
    """Measure and return every figure, as plain data for JSON.

    Parameters
    ----------
    plan : Plan
        What to measure.
    progress : callable
        Is told what comes next.

    Returns
    -------
    dict
        ``setting``, ``machine``, ``cold_start``, ``latency``, ``batch`` (one entry a width), ``memory``, ``agreement``,
        ``baselines`` and ``ratios``, which `ratios` describes. Times are in seconds.
    """
    bench = _Bench(plan, progress)
    figures: Figures = {"setting": bench.setting(), "cold_start": bench.cold_start()}
    figures["machine"] = bench.machine_figures()
    figures["latency"] = bench.latency()
    figures["batch"] = [bench.batch(width) for width in plan.widths]
    figures["agreement"] = bench.agreement()
    figures["memory"] = {"peak_bytes": _peak_memory()}
    figures["baselines"] = bench.baselines() if plan.baseline else None
    figures["ratios"] = ratios(figures)
    return figures


class _Bench:
    """The model that is measured, and what the measurements share."""

    def __init__(self, plan: Plan, progress: Progress) -> None:
        self._plan, self._progress = plan, progress
        progress("loading the model")
        started = time.perf_counter()
        loaded = TransformersModel(plan.folder, plan.device)
        self._load_s = time.perf_counter() - started
        self.device, self.dtype = loaded.device, loaded.dtype
        self._weights = ChoiceWeights.load(plan.folder)
        self._model = CountedModel(loaded)
        self._tutor = Tutor(self._model, self._weights, folder=plan.folder)
        self._alone: list[Correction] = []
        self._times: list[float] = []
        self._together: list[Correction] = []

    def setting(self) -> Figures:
        plan = self._plan
        return {
            "model": plan.folder.name, "device": str(self.device), "dtype": str(self.dtype).removeprefix("torch."),
            "threads": torch.get_num_threads(), "machine": platform.processor() or platform.machine(),
            "sentences": plan.sentences, "alone": plan.alone, "baseline": plan.baseline,
            "versions": {name: version(name) for name in ("torch", "transformers", "outlines", "llguidance")},
        }  # fmt: skip

    def cold_start(self) -> Figures | None:
        """Time whole processes from the shell: interpreter, imports, weights, one correction of six words."""
        plan = self._plan
        if not plan.cold_starts:
            return None
        command = [sys.executable, "-m", "tutor", "correct", "--json", "--model", str(plan.folder)]
        command += ["--device", plan.device, "He goed to school last week."]
        walls, processors = [], []
        for number in range(plan.cold_starts):
            self._progress(f"cold start {number + 1} of {plan.cold_starts}")
            started, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            walls.append(time.perf_counter() - started)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            processors.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
        return {"n": plan.cold_starts, "wall_s": min(walls), "cpu_s": min(processors), "load_s": self._load_s}

    def machine_figures(self) -> Figures:
        found = self._machine
        return {"gemm_flops_per_s": found.flops, "bandwidth_bytes_per_s": found.bandwidth}

    def latency(self) -> Figures:
        self._tutor.correct(self._plan.texts(1)[0])
        counts = self._model.start()
        texts = self._plan.texts(self._plan.alone)
        with PartSampler() as sampler:
            for number, text in enumerate(texts, start=1):
                self._progress(f"one at a time: {number} of {len(texts)}")
                started = time.perf_counter()
                self._alone.append(self._tutor.correct(text))
                self._times.append(time.perf_counter() - started)
        return {
            "n": len(texts), "seconds": sum(self._times), "p50_s": median(self._times), "p95_s": _p95(self._times),
            "mean_s": fmean(self._times), "by_words": _by_words(texts, self._times),
            **self._cost(counts, sum(self._times), len(texts), streaming=True), "parts": sampler.shares(),
        }  # fmt: skip

    def batch(self, width: int) -> Figures:
        texts = self._plan.texts(self._plan.sentences)
        counts = self._model.start()
        started = time.perf_counter()
        self._together = []
        with PartSampler() as sampler:
            for number, found in enumerate(self._tutor.correct_many(texts, Options(), width=width), start=1):
                self._progress(f"{width} at a time: {number} of {len(texts)}")
                self._together.append(found)
            seconds = time.perf_counter() - started
        return {
            "width": width, "n": len(texts), "seconds": seconds, "sentences_per_s": len(texts) / seconds,
            **self._cost(counts, seconds, len(texts), streaming=False), "parts": sampler.shares(),
        }  # fmt: skip

    def agreement(self) -> Figures | None:
        """Compare the last batch run with one at a time."""
        shared = min(len(self._alone), len(self._together))
        if not shared:
            return None
        self._progress("comparing answers")
        return agreement(
            self._tutor, self._alone[:shared], self._together[:shared], self._weights.min_confidence
        )

    def baselines(self) -> Figures:
        from tutor.benchmark.baselines import GenerateBaselines  # imports Outlines

        plan = self._plan
        texts = plan.texts(plan.baseline)
        self._progress("counting the tokens that we write")
        steps = [step.step for found in traced(self._tutor, texts) for step in found.steps if step.step]
        decided, forced = sum(step.decided for step in steps), sum(step.forced for step in steps)
        tokens = max(1, round((decided + forced) / len(texts)))
        self._progress("loading the baselines' model")
        baselines = GenerateBaselines(plan.folder, self.device, self.dtype)
        return {
            "ours_alone_p50_s": median(self._times[: len(texts)]),
            "ours_written": {"n": len(texts), "decided": decided, "forced": forced, "steps": len(steps)},
            "outlines_generate": self._baseline("outlines", baselines.correct),
            "plain_generate": self._baseline("plain generate", lambda some: baselines.write(some, tokens)),
        }

    def _baseline(self, name: str, work: Callable[[Sequence[str]], int | None]) -> Figures:
        plan = self._plan
        texts = plan.texts(plan.baseline)
        times = []
        for number, text in enumerate(texts, start=1):
            self._progress(f"{name}, one at a time: {number} of {len(texts)}")
            times.append(_timed(lambda text=text: work([text])))  # type: ignore[misc]
        alone = {"n": len(texts), "p50_s": median(times), "sentences_per_s": len(texts) / sum(times)}
        batches: list[Figures] = []
        best: float = alone["sentences_per_s"]
        for width in plan.baseline_widths:
            self._progress(f"{name}, {width} together")
            rate = width / _timed(lambda width=width: work(plan.texts(width)))  # type: ignore[misc]
            batches.append({"width": width, "sentences_per_s": rate})
            if rate < best:
                break
            best = rate
        return {"alone": alone, "batches": batches, "best_sentences_per_s": best}

    def _cost(self, counts: Counts, seconds: float, n: int, *, streaming: bool) -> Figures:
        return {
            "floor_s": self._machine.floor(self._shapes, counts.forwards, streaming=streaming),
            "model_share": counts.seconds / seconds,
            "tokens": {
                "processed": counts.processed, "cached": counts.cached, "decided": counts.decided,
                "scored": counts.scored, "forwards": len(counts.forwards), "processed_per_sentence": counts.processed / n,
            },
        }  # fmt: skip

    @cached_property
    def _shapes(self) -> Shapes:
        return Shapes.read(self._plan.folder)

    @cached_property
    def _machine(self) -> Machine:
        self._progress("measuring the machine")
        return measure(self._shapes, self.device, self.dtype)


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _p95(times: Sequence[float]) -> float:
    return quantiles(times, n=20, method="inclusive")[-1] if len(times) > 1 else times[0]


def _by_words(texts: Sequence[str], times: Sequence[float]) -> list[Figures]:
    found = []
    for low, high in _LENGTHS:
        some = [spent for text, spent in zip(texts, times, strict=True) if low <= len(text.split()) <= high]
        if some:
            found.append({"words": [low, high], "n": len(some), "p50_s": median(some)})
    return found


def _peak_memory() -> int:
    """Return the most memory that the process has held so far, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak
