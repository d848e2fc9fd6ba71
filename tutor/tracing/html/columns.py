"""A run as the page reads it: one list for each field of its tokens, every text once."""

from __future__ import annotations

import codecs
import math
from itertools import pairwise
from statistics import fmean
from typing import Any, TypeVar

from tutor.tracing.files import RunTrace, StepTrace
from tutor.tracing.html.lattice import lattice
from tutor.tracing.records import Alternative, ChoiceRecord, TokenProbability, TokenRecord
from tutor.tracing.view import call_text

T = TypeVar("T")
_LEAST = -1e6  # stands for the logarithm of zero, which JSON cannot hold
_ORIGINS = ("decided", "forced_grammar", "forced_canonical")


def run_data(run: RunTrace) -> dict[str, Any]:
    """Return what the page shows of a run, as plain JSON values."""
    columns = _Columns()
    steps = []
    weighed: dict[tuple[Alternative, ...], int] = {}
    for step in run.steps:
        first = columns.length
        columns.add(step.tokens)
        choices = [_choice(choice, run.header.sentence, weighed) for choice in step.choices]
        steps.append(_step(step) | {"first": first, "count": len(step.tokens), "choices": choices})
    final = run.final
    return {
        "id": run.header.sentence_id,
        "sentence": run.header.sentence,
        "status": final.status if final else "broken off",
        "marked": _marked(run),
        "facts": run.header.model_dump(mode="json", exclude_none=True)
        | ({"final": final.model_dump(mode="json", exclude_none=True)} if final else {}),
        "steps": steps,
    } | columns.data()


def index_row(data: dict[str, Any]) -> dict[str, Any]:
    """Return the row of a run in the list of runs, from its data."""
    blocked = [mass for mass in data["tokens"]["blocked"] if mass is not None]
    seconds = sum(
        (step["seconds"] or 0) + ((step["observation"] or {}).get("seconds") or 0) for step in data["steps"]
    )
    return {
        "id": data["id"],
        "sentence": data["sentence"][:200],
        "status": data["status"],
        "tokens": len(data["tokens"]["word"]),
        "refused": round(fmean(blocked), 4) if blocked else 0,
        "seconds": round(seconds, 6),
    }


def _step(step: StepTrace) -> dict[str, Any]:
    record, observation = step.step, step.observation
    parsed = record.parsed if record else {}
    decided = sum(token.origin == "decided" for token in step.tokens)
    return {
        "number": step.number,
        **_labels(parsed, finished=record is not None),
        "decided": record.decided if record else decided,
        "forced": record.forced if record else len(step.tokens) - decided,
        "prompt": record.prompt_tokens if record else None,
        "cached": record.cached_tokens if record else None,
        "seconds": record.seconds if record else None,
        "text": record.text if record and not step.tokens else "",
        "observation": observation
        and {
            "text": observation.text,
            "failed": "error" in observation.result,
            "seconds": observation.seconds,
        },
    }


def _labels(parsed: dict[str, Any], *, finished: bool) -> dict[str, str]:
    match parsed:
        case {"next": "tool_call", "tool": tool, "args": args}:
            return {"label": call_text(tool, args), "short": tool}
        case {"next": "final_answer"}:
            return {"label": "final answer", "short": "answer"}
    name = "text" if finished else "unfinished"
    return {"label": name, "short": name}


def _choice(
    choice: ChoiceRecord, sentence: str, weighed: dict[tuple[Alternative, ...], int]
) -> dict[str, Any]:
    """Return a choice; `weighed` has the step of each choice so far, so that a page shows none twice."""
    first = weighed.setdefault(choice.alternatives, choice.step)
    data: dict[str, Any] = {"path": choice.path, "us": choice.forward_us}
    if first != choice.step:
        return data | {"same": first}
    rows = [
        {name: getattr(each, name) for name in ("text", "fluency", "error_model", "probability", "chosen")}
        | {"score": each.score if math.isfinite(each.score) else None}
        for each in sorted(choice.alternatives, key=lambda each: -each.probability)
    ]
    return data | {"parts": lattice(choice.alternatives, sentence), "alternatives": rows}


def _marked(run: RunTrace) -> list[tuple[str, str]]:
    """Return the sentence in pieces: kept, cut out and put in."""
    sentence = run.header.sentence
    edits = run.final.correction.get("edits", ()) if run.final else ()
    pieces, end = [], 0
    for edit in edits:
        pieces += [
            ("same", sentence[end : edit["start"]]),
            ("cut", edit["original"]),
            ("same", " "),
            ("new", edit["replacement"]),
        ]
        end = edit["end"]
    return [*pieces, ("same", sentence[end:])]


class _Index(dict[T, int]):
    """Things by their place in a list that grows."""

    def __missing__(self, thing: T) -> int:
        self[thing] = len(self)
        return self[thing]


class _Columns:
    """The tokens of a run, field by field."""

    def __init__(self) -> None:
        self._words, self._paths = _Index[tuple[int, str]](), _Index[str]()
        self._tokens: list[dict[str, Any]] = []
        self._raw: dict[int, str] = {}
        self._pieces: dict[int, str] = {}
        self._top: list[TokenProbability] = []
        self._ends = [0]

    @property
    def length(self) -> int:
        """Number of tokens so far."""
        return len(self._tokens)

    def add(self, tokens: list[TokenRecord]) -> None:
        """Add the tokens of a step."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        for token in tokens:
            data = token.text.encode() if token.raw is None else bytes.fromhex(token.raw)
            if (piece := decoder.decode(data)) != token.text:
                self._pieces[self.length] = piece
            if token.raw is not None:
                self._raw[self.length] = token.raw
            self._top += _rivals(token)
            self._ends.append(len(self._top))
            self._tokens.append(self._row(token))

    def _row(self, token: TokenRecord) -> dict[str, Any]:
        refused = token.best_blocked.probability if token.best_blocked else 0
        return {
            "word": self._words[token.token_id, token.text],
            "path": self._paths[token.path],
            "origin": _ORIGINS.index(token.origin),
            "allowed": token.allowed,
            "before": _digits(token.logprob_before),
            "after": _digits(token.logprob_after),
            "blocked": _digits(token.blocked_mass),
            "refused": _digits(refused),
            "entropyBefore": _digits(token.entropy_before),
            "entropyAfter": _digits(token.entropy_after),
            "forward": _digits(token.forward_us),
            "mask": _digits(token.mask_us),
            "cached": 1 if token.cached else 0,
        }

    def data(self) -> dict[str, Any]:
        """Return the columns."""
        names = self._row(TokenRecord(token_id=0, text="", path="$", origin="decided"))
        return {
            "tokens": {name: [row[name] for row in self._tokens] for name in names},
            "top": {
                "counts": [end - start for start, end in pairwise(self._ends)],
                "word": [self._words[each.token_id, each.text] for each in self._top],
                "p": [_digits(each.probability) for each in self._top],
                "allowed": [int(each.allowed) for each in self._top],
            },
            "ids": [token for token, _ in self._words],
            "texts": [text for _, text in self._words],
            "paths": list(self._paths),
            "raw": self._raw,
            "pieces": self._pieces,
        }


def _rivals(token: TokenRecord) -> list[TokenProbability]:
    top = list(token.top or ())
    return top + [each for each in (token.best_blocked, token.best_rival) if each and each not in top]


def _digits(value: float | None) -> float | None:
    """Return a number with as many digits as a screen can show."""
    if value is None:
        return None
    short = float(f"{max(value, _LEAST):.4g}")
    return int(short) if short.is_integer() else short
