"""The terminal view of a trace: steps, arguments, observations and, on demand, every decision and what stands out."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from tutor.tracing.anomalies import Anomaly
from tutor.tracing.files import RunTrace, StepTrace
from tutor.tracing.records import RAW_LOGITS, ChoiceRecord, TokenProbability, TokenRecord

_HIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_SCALE = ((0.1, "green"), (0.5, "yellow"), (0.9, "dark_orange"), (1.1, "red"))
"""Blocked mass below which a token has the colour."""

_RIVALS = 4
"""Candidates that a row of tokens names."""


def printable(text: str) -> str:
    """Return the text with control and direction characters made visible, one character for each.

    What a trace or a sentence holds must not steer the terminal that shows it.
    """
    return _HIDDEN.sub(_visible, text)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 run``, ``2 runs``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _visible(hidden: re.Match[str]) -> str:
    code = ord(hidden[0])
    return chr(0x2400 + code) if code < 0x20 else "\N{REPLACEMENT CHARACTER}"


def call_text(tool: str, args: Mapping[str, Any]) -> str:
    """Return a tool call as one would write it: ``conjugate(verb="go", tense="past_simple")``."""
    inside = ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in args.items())
    return printable(f"{tool}({inside})")


def within(path: str | None, wanted: str | None) -> bool:
    """Return whether a path of the JSON is a wanted one or below it; without a wanted one all are."""
    if wanted is None or path is None:
        return wanted is None
    return path == wanted or path.startswith((f"{wanted}.", f"{wanted}["))


def show_run(
    run: RunTrace,
    console: Console,
    *,
    tokens: bool = False,
    step: int | None = None,
    path: str | None = None,
) -> None:
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
    path : str, optional
        Of the tokens and choices show only those at this path of the JSON or below it.
    """
    header = run.header
    show_title(run, console)
    facts = [
        f"{header.model.name} {header.model.sha256[:8]}".strip(),
        f"tutor {header.versions.get('tutor', '?')}",
    ]
    if header.sampler_position == RAW_LOGITS:  # a recorder cannot know how tokens are sampled
        facts.append("greedy" if header.seed is None else f"sampled, seed {header.seed}")
    console.print(Text(printable(", ".join(facts)), "dim"))
    if tokens:
        console.print(_legend(console))
    for part in run.steps:
        if step in (None, part.number):
            _show_step(part, console)
            if tokens:
                _show_tokens(part, console, path)
    if step is None:
        _show_end(run, console)


def show_anomalies(run: RunTrace, found: Sequence[Anomaly], console: Console) -> None:
    """Print what stands out in a run, a line each."""
    show_title(run, console)
    for each in found:
        where = "" if each.step is None else f"step {each.step}"
        if each.token is not None:
            where += f", token {each.token}"
        place = f" at {printable(each.path)}" if each.path else ""
        line = Text.assemble((f"{each.kind:<14}", "yellow"), f" {where}{place}: {printable(each.message)}")
        console.print(Padding(line, (0, 0, 0, 2), expand=False))
    if not found:
        console.print("  nothing stands out", style="dim")


def show_title(run: RunTrace, console: Console) -> None:
    """Print the name and the sentence of a run."""
    name = printable(run.header.sentence_id)
    console.print(Text.assemble((f"run {name}", "bold"), f"  {printable(run.header.sentence)}"))


def _legend(console: Console) -> Text:
    scale = Text()
    if console.color_system is not None and not console.no_color:
        limits = [Text(f"under {limit:.0%}" if limit < 1 else "more", style) for limit, style in _SCALE]
        scale = Text.assemble(
            (", coloured by the probability that the mask blocked: ", "dim"), Text(" ").join(limits)
        )
    return Text.assemble(("‹decided›", "dim"), scale, ("; ‹‹chosen as a whole››; the rest forced", "dim"))


def _show_step(part: StepTrace, console: Console) -> None:
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


def _show_tokens(part: StepTrace, console: Console, path: str | None) -> None:
    tokens = [token for token in part.tokens if within(token.path, path)]
    if tokens:
        console.print(Padding(_strip(tokens), (0, 0, 0, 2), expand=False))
        console.print(_token_table(tokens))
    for choice in part.choices:
        if within(choice.path, path):
            console.print(_choice_table(choice))


def _strip(tokens: Sequence[TokenRecord]) -> Text:
    """Return the text of tokens, marked and coloured by how each came to be."""
    strip = Text()
    for kind, group in groupby(tokens, key=lambda token: "joint" if token.joint else token.origin):
        for token in group if kind == "decided" else ():
            strip.append(f"‹{printable(token.text)}›", f"bold {_colour(token.blocked_mass)}")
        others = [(printable(token.text), _colour(token.blocked_mass) or "dim") for token in group]
        marks = ("‹‹", "››") if kind == "joint" else ("", "")
        strip.append(marks[0]).append_tokens(others).append(marks[1])
    return strip


def _colour(blocked: float | None) -> str:
    return "" if blocked is None else next(style for limit, style in _SCALE if blocked < limit)


def _headline(part: StepTrace) -> str:
    if part.step is None:
        return "unfinished: " + printable(part.text)
    match part.step.parsed:
        case {"next": "tool_call", "tool": tool, "args": args}:
            return call_text(tool, args)
        case {"next": "final_answer", "answer": answer}:
            lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in answer.items()]
            return "final answer" + "".join(f"\n        {printable(line)}" for line in lines)
    return "text: " + printable(part.text)


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
    table = _table("path", "token", "allowed", "before", "after", "blocked", "refused (x), rivals")
    for kind, group in groupby(tokens, key=_kind):
        if kind:
            table.add_row(*_together_row(kind, list(group)), style="dim")
        else:
            for token in group:
                table.add_row(*_decided_row(token))
    return Padding(table, (0, 0, 0, 2), expand=False)


def _kind(token: TokenRecord) -> str:
    """Return how tokens came to be that share a row; none for one with a row of its own, weighed by the model."""
    if token.logprob_before is not None and token.origin == "decided":
        return ""
    return "chosen" if token.joint else "forced"


def _together_row(kind: str, run: list[TokenRecord]) -> Iterator[str]:
    yield printable(run[0].path)
    yield printable("".join(token.text for token in run))
    yield kind
    wished = [token for token in run if token.best_blocked is not None]
    if wished:
        worst = max(wished, key=lambda token: token.blocked_mass or 0.0)
        yield from (
            "",
            "",
            f"{worst.blocked_mass:.1%}",
            f"at {json.dumps(worst.text, ensure_ascii=False)}: {_rivals(worst)}",
        )


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
    first = [candidate for candidate in (token.best_blocked, token.best_rival) if candidate is not None]
    known = {token.token_id, *(candidate.token_id for candidate in first)}
    shown = first + [candidate for candidate in token.top or () if candidate.token_id not in known]
    return Text(", ").join(_candidate(candidate) for candidate in shown[:_RIVALS])


def _candidate(candidate: TokenProbability) -> Text:
    text = f"{printable(json.dumps(candidate.text, ensure_ascii=False))} {_share(candidate.probability)}"
    return Text(text) if candidate.allowed else Text(f"x {text}", "red")


def _percent(logprob: float | None) -> str:
    return "" if logprob is None else _share(math.exp(logprob))


def _share(probability: float) -> str:
    return "<0.1%" if 0 < probability < 0.0005 else f"{probability:.1%}"


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
