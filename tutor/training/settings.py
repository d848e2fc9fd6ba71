"""The settings of `tutor train`: the shipped ones of ``train.toml``, with those of a file of one's own laid over them."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from tutor.agent.tutor import MODEL
from tutor.paths import models_dir
from tutor.training.descent import Config


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Data(_Section):
    """Files of clean sentences, and how many pairs and traces to make of them."""

    sentences: list[Path]
    pairs: int
    traces: int


class Sets(_Section):
    """Evaluation sets, whether their corrections are run as right sentences, and how many sentences of each; 0 for all."""

    sets: list[Path]
    targets: bool
    limit: int


class Calibrate(_Section):
    """Features of the choice to leave out."""

    without: list[str]


class Evaluate(Sets):
    """Sets to measure, and which of them are scored together."""

    together: dict[str, list[str]]


class Settings(_Section):
    """All settings; ``train.toml`` says what each one means."""

    seed: int
    base: Path
    adapter: Path | None
    data: Data
    finetune: Config
    weigh: Sets
    calibrate: Calibrate
    evaluate: Evaluate


def shipped() -> str:
    """Return the text of the shipped settings."""
    return (files("tutor.training") / "train.toml").read_text("utf-8")


def load(path: Path | None = None) -> Settings:
    """Return the shipped settings, changed as a file says.

    Raises
    ------
    ValueError
        If the file is no TOML, names a setting that does not exist, or gives a value of the wrong kind.
    """
    values = tomllib.loads(shipped())
    folder = Path()
    if path is not None:
        try:
            own = tomllib.loads(path.read_text("utf-8"))
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error
        values, folder = _laid_over(values, own), path.parent
    if unknown := values["finetune"].keys() - ({field.name for field in fields(Config)} - {"seed"}):
        raise ValueError(f"{path}: finetune has no setting {min(unknown)!r}")
    values["finetune"]["seed"] = values["seed"]
    values["base"] = values["base"] or models_dir() / MODEL
    values["adapter"] = values["adapter"] or None
    try:
        found = Settings.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        raise ValueError(f"{path}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    return _absolute(found, folder)


def _laid_over(values: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    merged = dict(values)
    for name, value in own.items():
        both = isinstance(value, dict) and isinstance(values.get(name), dict)
        merged[name] = _laid_over(values[name], value) if both else value
    return merged


def _absolute(settings: Settings, folder: Path) -> Settings:
    def of(paths: list[Path]) -> list[Path]:
        return [(folder / path.expanduser()).resolve() for path in paths]

    parts = {
        "base": of([settings.base])[0],
        "adapter": of([settings.adapter])[0] if settings.adapter else None,
        "data": settings.data.model_copy(update={"sentences": of(settings.data.sentences)}),
        "weigh": settings.weigh.model_copy(update={"sets": of(settings.weigh.sets)}),
        "evaluate": settings.evaluate.model_copy(update={"sets": of(settings.evaluate.sets)}),
    }
    return settings.model_copy(update=parts)
