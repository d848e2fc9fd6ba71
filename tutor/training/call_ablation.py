"""What a thought before each call buys: runs told with and without, trained alike from the base.

``python -m tutor.training.call_ablation --traces FILE --out FILE`` trains on the runs and judges on held-out ones.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import torch

from tutor.agent.tutor import MODEL
from tutor.decoding.tokenizer import Tokenizer
from tutor.evaluation.intervals import draws, interval, share
from tutor.language.tokens import tokenize
from tutor.language.verb_groups import group_text, verb_groups
from tutor.paths import models_dir
from tutor.planner.prompt import observation_prompt, sentence_prompt
from tutor.planner.steps import Observed, ToolCall
from tutor.training.ablation import Learner, Variant, scaled
from tutor.training.descent import Config, batches
from tutor.training.examples import Decision, Example, call_decisions, made
from tutor.training.stream import HELD_OUT, rows

Row = dict[str, Any]

CONFIG = Config(first_layer=0, learning_rate=1.5e-3, batch=16, warmup=4, steps=40, seed=5)
_LONGEST, _JUDGED = 240, 150
_THOUGHTS = (" right", " wrong")


@dataclass(frozen=True, slots=True)
class Telling(Example):
    """A run as the model reads it.

    Attributes
    ----------
    calls : tuple of range
        Of each call, which decisions are its own.
    thoughts : tuple of int or None
        Of each call, the decision on the word that is thought before it, if one is.
    """

    calls: tuple[range, ...]
    thoughts: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Form:
    """A way to tell runs: with or without the thought, before the call about a verb group, that this is right or wrong."""

    name: str
    thought: bool = False


FORMS = (
    Form("no thought"),
    Form("a thought before each call", thought=True),
)


def is_wrong(row: Row, call: ToolCall) -> bool:
    """Tell whether a call is about a verb group that holds an error."""
    tokens, verb = tokenize(row["source"]), call.args["verb"]
    return any(
        edit["start"] < tokens[group.head].end and tokens[group.first].start < edit["end"]
        for group in verb_groups(tokens)
        if verb in group.lemmas or verb == group_text(row["source"], tokens, group)
        for edit in row["edits"]
    )


def telling(tokenizer: Tokenizer, row: Row, form: Form) -> Telling | None:
    """Return a run of a trace file in a form, or None when its mask does not allow a call."""
    steps = [ToolCall(**step) for step in row["steps"]]
    ids = tokenizer.encode(sentence_prompt(row["source"]))
    decisions: list[Decision] = []
    observed: list[Observed] = []
    calls: list[range] = []
    thoughts: list[int | None] = []
    for step in steps:
        thoughts.append(None)
        if form.thought and step is not steps[-1]:
            thoughts[-1] = len(decisions)
            ids += tokenizer.encode("Thought:")
            words = tuple(tokenizer.encode(word)[0] for word in _THOUGHTS)
            decisions.append(Decision(len(ids) - 1, words, is_wrong(row, step)))
            ids += [words[is_wrong(row, step)], *tokenizer.encode("\n")]
        found = call_decisions(tokenizer, row["source"], observed, step, len(ids))
        if found is None:
            return None
        calls.append(range(len(decisions), len(decisions) + len(found)))
        decisions += found
        observed.append(made(step, len(observed) + 1))
        ids += tokenizer.encode(observed[-1].text)
        ids += tokenizer.encode(observation_prompt(observed[-1].result.prompt_text()))
    return Telling(tuple(ids), tuple(decisions), tuple(calls), tuple(thoughts))


def tellings(model: Path, found: Iterable[Row], form: Form) -> Iterator[Telling]:
    """Yield the runs of a trace file in a form; the same runs for every form, as far as their masks allow them."""
    tokenizer = Tokenizer(model)
    for row in found:
        told = telling(tokenizer, row, form)
        if told and told.decisions and len(told.ids) <= _LONGEST:
            yield told


def other_thought(told: Telling, call: int) -> Telling:
    """Return a run in which the other word is thought before one call."""
    number = told.thoughts[call]
    if number is None:
        raise ValueError("nothing is thought before this call")
    decision = told.decisions[number]
    ids = list(told.ids)
    ids[decision.position + 1] = decision.allowed[1 - decision.gold]
    return replace(told, ids=tuple(ids))


def right_calls(learner: Learner, judged: Sequence[Telling]) -> list[tuple[int, int]]:
    """Return of each run how many calls are made to the letter, after its own thought and the right steps, and of how many."""
    right = [learner.decide(told) for told in judged]
    found = []
    for told, is_right in zip(judged, right, strict=True):
        count = 0
        for call, (own, thought) in enumerate(zip(told.calls, told.thoughts, strict=True)):
            mistaken = thought is not None and not is_right[thought]
            after = learner.decide(other_thought(told, call)) if mistaken else is_right
            count += all(after[number] for number in own)
        found.append((count, len(told.calls)))
    return found


def measure(model: Path, traces: Path, form: Form, config: Config, judged: int = _JUDGED) -> Row:
    """Train on runs told in a form, and return how many calls of held-out runs are right, with the interval of 95%."""
    with traces.open(encoding="utf-8") as lines:
        held_out = [json.loads(line) for line in islice(lines, HELD_OUT)]
    known = {row["target"] for row in held_out}
    new = (row for row in rows(traces) if row["target"] not in known)
    train = islice(tellings(model, new, form), config.steps * config.batch)
    learner = Learner(model, Variant(form.name, config))
    for batch in batches(list(train), config.batch, random.Random(config.seed)):
        learner.descent.descend(batch)
    counts = right_calls(learner, list(islice(tellings(model, held_out, form), judged)))
    return {"form": form.name, "runs": len(counts), "calls": sum(of for _, of in counts),
            "right": asdict(interval(counts, share, draws(len(counts))))}  # fmt: skip


def main() -> None:
    """Measure every form from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--traces", type=Path, required=True, help="oracle traces, from tutor.training.oracle"
    )
    parser.add_argument("--out", type=Path, required=True, help="JSON lines, one a form")
    parser.add_argument("--model", type=Path, default=models_dir() / MODEL, help="the base model's folder")
    parser.add_argument("--steps", type=int, default=CONFIG.steps, help="of each form")
    parser.add_argument("--judged", type=int, default=_JUDGED, help="held-out runs")
    args = parser.parse_args()
    config = scaled(CONFIG, args.steps)
    torch.manual_seed(CONFIG.seed)
    with args.out.open("w", encoding="utf-8") as file:
        for form in FORMS:
            line = json.dumps(measure(args.model, args.traces, form, config, args.judged))
            print(line, flush=True)
            file.write(line + "\n")


if __name__ == "__main__":
    main()
