"""Measured figures as Markdown tables, in percent; brackets hold the bootstrap interval of 95%."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tutor.evaluation.scores import KINDS, Counts

Json = dict[str, Any]


def _table(head: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _percent(rate: Json) -> str:
    return f"{100 * rate['value']:.1f}"


def _with_interval(rate: Json) -> str:
    return f"{_percent(rate)} [{100 * rate['low']:.1f}, {100 * rate['high']:.1f}]"


def _due(scores: Json) -> int:
    return int(scores["counts"]["tp"] + scores["counts"]["fn"])


def edits_table(sets: dict[str, Json]) -> str:
    """Return precision, recall, F0.5, sentences to the letter and false alarms of each set, in Markdown."""

    def rows() -> Iterator[list[str]]:
        for name, found in sets.items():
            edits = found["edits"]
            rates = [edits["all"][rate] for rate in ("precision", "recall", "f05")]
            shown = [*map(_percent, rates[:2]), _with_interval(rates[2])] if _due(edits["all"]) else ["-"] * 3
            alarms = _with_interval(edits["false_alarms"]) if edits["false_alarms"] else "-"
            yield [name, str(edits["sentences"]), *shown, _percent(edits["exact"]), alarms]

    return _table(["set", "n", "P", "R", "F0.5 [95%]", "exact", "right sentences changed"], rows())


def types_table(sets: dict[str, Json]) -> str:
    """Return F0.5 by type of edit, with the number of edits due, in Markdown."""

    def rows() -> Iterator[list[str]]:
        for name, found in sets.items():
            edits = found["edits"]
            scores = [*(edits["by_kind"][kind] for kind in KINDS), edits["other"]]
            if _due(edits["all"]):
                yield [name, *(f"{_percent(s['f05'])} ({_due(s)})" if _due(s) else "-" for s in scores)]

    return _table(["set", *KINDS, "not tense"], rows())


def calls_table(sets: dict[str, Json]) -> str:
    """Return tool choice and arguments on oracle traces, in Markdown."""

    def rows() -> Iterator[list[str]]:
        for name, found in sets.items():
            if calls := found["calls"]:
                score = calls["all"]
                yield [
                    name,
                    str(score["states"]),
                    _with_interval(score["tool"]),
                    _with_interval(score["arguments"]),
                ]

    return _table(["set", "states", "tool choice", "arguments"], rows())


def runs_table(sets: dict[str, Json]) -> str:
    """Return steps, stop reasons and calibration of the edits made, in Markdown."""

    def rows() -> Iterator[list[str]]:
        for name, found in sets.items():
            stopped, confidence = found["runs"]["stopped_by"], found["confidence"]
            reasons = ("final_answer", "step_cap", "duplicate_action", "error")
            shares = [_percent(stopped[reason]) if reason in stopped else "0.0" for reason in reasons]
            error = f"{confidence['error']['value']:.3f} ({confidence['edits']})" if confidence else "-"
            yield [name, f"{found['runs']['steps']['value']:.1f}", *shares, error]

    return _table(
        ["set", "tool calls", "answered", "cap", "loop", "error", "calibration error (edits)"], rows()
    )


def calibration_text(fitted: Json) -> str:
    """Return what calibration measured: its error, what other thresholds give, what each feature buys."""
    n = ", ".join(f"{count} of {name}" for name, count in fitted["sentences"].items())
    reliability = fitted["reliability"]
    parts = [f"Fitted on {n}; all figures below are of held-out folds."]
    if reliability:
        error = reliability["error"]
        parts.append(
            f"Expected calibration error of the likeliest edit of each stretch: {error['value']:.3f} "
            f"[{error['low']:.3f}, {error['high']:.3f}], {reliability['edits']} edits."
        )
    parts.append(_settings_table(fitted))
    if fitted["features"]:
        parts.append(_features_table(fitted["features"]))
    return "\n\n".join(parts)


def ablation_table(points: Sequence[Json]) -> str:
    """Return what variants of the training reach on held-out pairs, with an error and without, in Markdown."""
    groups = ("with an error", "without")

    def rows() -> Iterator[list[str]]:
        for point in points:
            trained = (
                [f"{point['parameters'] / 1e6:.1f} M", f"{point['seconds']:.1f}"]
                if point["step"]
                else ["-"] * 2
            )
            against = "{value:+.4f} [{low:+.4f}, {high:+.4f}]".format(**point["against"])
            judged = [
                text
                for found in (point[group] for group in groups)
                for text in (
                    f"{found['loss']['value']:.4f}",
                    _percent(found["decisions"]),
                    _with_interval(found["sentences"]),
                )
            ]
            yield [point["name"], str(point["step"]), *trained, against, *judged]

    head = ["variant", "steps", "trained", "s a step", "loss against the reference [95%]"]
    for group in groups:
        head += [f"{group} (n = {points[0][group]['n']}): loss", "decisions right", "sentences right [95%]"]
    return _table(head, rows())


def _settings_table(fitted: Json) -> str:
    def rows() -> Iterator[list[str]]:
        for row in fitted["settings"]:
            alarms = ", ".join(
                f"{name} {changed} of {n}" for name, (changed, n) in row["false_alarms"].items()
            )
            mark = "**" if row == fitted["shipped"] else ""
            rates = (*_rates(row["counts"]), _rates(row["other"])[2])
            yield [
                f"{mark}{row['min_confidence']:.2f}{mark}",
                *(f"{100 * r:.1f}" for r in rates),
                alarms or "-",
            ]

    return _table(["min_confidence", "P", "R", "F0.5", "not tense", "right sentences changed"], rows())


def _rates(counts: Json) -> tuple[float, float, float]:
    found = Counts(**counts)
    return found.precision, found.recall, found.f()


def _features_table(features: list[Json]) -> str:
    def rows() -> Iterator[list[str]]:
        for row in sorted(features, key=lambda each: -float(each["loss"])):
            yield [f"`{row['feature']}`", f"{row['loss']:+.4f}", _with_interval(row["f05"])]

    return _table(["without", "loss rises by (nats a stretch)", "F0.5 falls by [95%]"], rows())
