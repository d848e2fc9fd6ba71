"""The terminal view of a trace: steps, arguments, observations and, on demand, every decision."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from tutor.tracing.files import RunTrace, StepTrace
from tutor.tracing.records import ChoiceRecord, TokenProbability, TokenRecord

_HIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """Return the text with control and direction characters made visible, one character for each.

    What a trace or a sentence holds must not steer the terminal that shows it.
    """
    return _HIDDEN.sub(_visible, text)


def _visible(hidden: re.Match[str]) -> str:
    code = ord(hidden[0])
    return chr(0x2400 + code) if code < 0x20 else "\N{REPLACEMENT CHARACTER}"


def call_text(tool: str, args: Mapping[str, Any]) -> str:
    """Return a tool call as one would write it: ``conjugate(verb="go", tense="past_simple")``."""
    inside = ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in args.items())
    return printable(f"{tool}({inside})")


def show_run(run: RunTrace, console: Console, *, tokens: bool = False, step: int | None = None) -> None:
    """Print one run.

    Parameters
    ----------
    run : RunTrace
        The run to show.
    console : Console
        Where to print.
    tokens : bool
        Whether to print the decisions of each step as well.
    step : int, optional
        Show only the step of that number.
    """
    header = run.header
    console.print(Text.assemble((f"run {header.sentence_id}", "bold"), f"  {printable(header.sentence)}"))
    sampling = "greedy" if header.seed is None else f"sampled, seed {header.seed}"
    version = header.versions.get("tutor", "?")
    model = f"{header.model.name} {header.model.sha256[:8]}, tutor {version}, {sampling}"
    console.print(Text(printable(model), "dim"))
    for part in run.steps:
        if step in (None, part.number):
            _show_step(part, console, tokens=tokens)
    if step is None:
        _show_end(run, console)


def _show_step(part: StepTrace, console: Console, *, tokens: bool) -> None:
    console.print()
    console.print(Text.assemble((f"step {part.number}", "bold"), "  ", _headline(part)))
    if part.observation is not None:
        failed = "error" in part.observation.result
        answer = Text(f"-> {printable(part.observation.text)}", "red" if failed else "green")
        console.print(Padding(answer, (0, 0, 0, 8), expand=False))
    if (step := part.step) is not None:
        cost = (
            f"{step.decided + step.forced} tokens: {step.decided} decided, {step.forced} forced; "
            f"prompt {step.prompt_tokens}, {step.cached_tokens} of them cached"
        )
        if step.seconds is not None:
            cost += f"; {step.seconds:.2f} s"
        console.print(Padding(Text(cost, "dim"), (0, 0, 0, 8), expand=False))
    if tokens:
        if part.tokens:
            console.print(_token_table(part.tokens))
        for choice in part.choices:
            console.print(_choice_table(choice))


def _headline(part: StepTrace) -> str:
    if part.step is None:
        return "unfinished: " + printable("".join(token.text for token in part.tokens))
    parsed = part.step.parsed
    if parsed.get("next") == "tool_call":
        return call_text(parsed["tool"], parsed["args"])
    answer = parsed.get("answer", parsed)
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in answer.items()]
    return printable("final answer") + "".join(f"\n        {printable(line)}" for line in lines)


def _show_end(run: RunTrace, console: Console) -> None:
    console.print()
    if run.final is None:
        console.print(Text("end     the trace breaks off here", "yellow"))
    else:
        console.print(Text.assemble(("end", "bold"), f"     {run.final.status} ({run.final.stop_reason})"))


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim")
    for name in columns:
        right = name in ("allowed", "before", "after", "blocked", "fluency", "error", "score", "prob.")
        table.add_column(name, justify="right" if right else "left", overflow="fold", no_wrap=right)
    return table


def _token_table(tokens: list[TokenRecord]) -> Padding:
    table = _table("path", "token", "allowed", "before", "after", "blocked", "best blocked (x), top")
    for forced, group in groupby(tokens, key=lambda token: token.origin != "decided"):
        if forced:
            table.add_row(*_forced_row(list(group)), style="dim")
        else:
            for token in group:
                table.add_row(*_decided_row(token))
    return Padding(table, (0, 0, 0, 2), expand=False)


def _forced_row(run: list[TokenRecord]) -> Iterator[str]:
    yield printable(run[0].path)
    yield printable("".join(token.text for token in run))
    yield "forced"


def _decided_row(token: TokenRecord) -> Iterator[str | Text]:
    yield printable(token.path)
    yield Text(printable(token.text), "bold")
    yield "" if token.allowed is None else str(token.allowed)
    yield _percent(token.logprob_before)
    yield _percent(token.logprob_after)
    blocked = token.blocked_mass
    yield "" if blocked is None else Text(f"{blocked:.1%}", "red" if blocked > 0.5 else "")
    yield _rivals(token)


def _rivals(token: TokenRecord) -> Text:
    refused = [] if token.best_blocked is None else [token.best_blocked]
    shown = refused + [candidate for candidate in token.top or () if candidate not in refused]
    return Text(", ").join(_candidate(candidate) for candidate in shown)


def _candidate(candidate: TokenProbability) -> Text:
    text = f"{printable(json.dumps(candidate.text, ensure_ascii=False))} {candidate.probability:.1%}"
    return Text(text) if candidate.allowed else Text(f"x {text}", "red")


def _percent(logprob: float | None) -> str:
    return "" if logprob is None else f"{math.exp(logprob):.1%}"


def _choice_table(choice: ChoiceRecord) -> Padding:
    table = _table("", printable(choice.path), "fluency", "error", "score", "prob.")
    for alternative in sorted(choice.alternatives, key=lambda each: -each.score):
        numbers = (alternative.fluency, alternative.error_model, alternative.score)
        table.add_row(
            "*" if alternative.chosen else "",
            printable(alternative.text),
            *("" if number is None else f"{number:.2f}" for number in numbers),
            f"{alternative.probability:.1%}",
            style="bold" if alternative.chosen else "",
        )
    return Padding(table, (0, 0, 0, 2), expand=False)
