"""Write the model card from measured figures: ``card.md`` is its text, `tutor eval` and calibration give the numbers.

``python -m tutor.training.card --model DIR --scores scores.json --calibration calibration.json [--config train.toml]``
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from string import Template

from tutor.decoding.weights import write_manifest
from tutor.training.settings import Settings, load
from tutor.training.tables import calibration_text, calls_table, edits_table, runs_table, types_table

_NOT_MEASURED = "Not measured in this run."


def write_card(model: Path, scores: Path, calibration: Path | None, settings: Settings) -> None:
    """Write ``README.md`` of a model folder.

    Parameters
    ----------
    model : Path
        The model folder.
    scores : Path
        What `tutor eval` measured.
    calibration : Path or None
        What calibration measured, if the choice was fitted.
    settings : Settings
        The settings of the training.
    """
    measured = json.loads(scores.read_text("utf-8"))["sets"]
    fitted = json.loads(calibration.read_text("utf-8")) if calibration else None
    text = Template((files("tutor.training") / "card.md").read_text("utf-8")).substitute(
        name=model.name,
        training=_training(settings),
        edits=edits_table(measured),
        types=types_table(measured),
        calls=calls_table(measured),
        runs=runs_table(measured),
        calibration=calibration_text(fitted) if fitted else _NOT_MEASURED,
    )
    (model / "README.md").write_text(text, "utf-8")


def _training(settings: Settings) -> str:
    data = settings.data
    values = ", ".join(f"{name} {value}" for name, value in asdict(settings.finetune).items())
    return f"{data.pairs} sentence pairs, {data.traces} oracle traces; {values}."


def main() -> None:
    """Write the card from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--scores", type=Path, required=True, help="scores.json of tutor eval")
    parser.add_argument("--calibration", type=Path, help="calibration.json of tutor.training.calibrate")
    parser.add_argument("--config", type=Path, help="configuration of the training")
    args = parser.parse_args()
    write_card(args.model, args.scores, args.calibration, load(args.config))
    write_manifest(args.model)


if __name__ == "__main__":
    main()
