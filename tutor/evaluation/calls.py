"""Tool choice and arguments: what the planner does at each state of an oracle's run, against what the oracle does there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from tutor.decoding.queries import Work, run_together
from tutor.evaluation.intervals import Draws, Interval, draws, interval, share
from tutor.evaluation.ledger import NamedItem
from tutor.evaluation.readers import Item
from tutor.language.scope import scope_reasons
from tutor.language.tokens import tokenize
from tutor.planner.planner import Planner, PlannerRun
from tutor.planner.steps import Observed, ToolCall, dump_step
from tutor.tools.registry import call

ANSWER = "final_answer"


class State(BaseModel):
    """One state of an oracle's run; None stands for the final answer.

    Attributes
    ----------
    oracle, planner : ToolCall or None
        What either does next.
    """

    model_config = ConfigDict(frozen=True)

    oracle: ToolCall | None
    planner: ToolCall | None

    @property
    def same_tool(self) -> bool:
        """Whether both call the same tool, or both answer."""
        return _tool(self.oracle) == _tool(self.planner)


class ComparedCalls(BaseModel):
    """The states of one sentence."""

    model_config = ConfigDict(frozen=True)

    set: str
    source: str
    states: tuple[State, ...]


def compare_calls(planner: Planner, items: Sequence[NamedItem], width: int = 32) -> Iterator[ComparedCalls]:
    """Yield what the planner, decoding greedily, does at each state of the oracle's runs; items without one are left out."""
    traced = [(name, item) for name, item in items if item.calls is not None]
    works = (_states(planner, item) for _, item in traced)
    for (name, item), states in zip(traced, run_together(planner.model, works, width), strict=True):
        yield ComparedCalls(set=name, source=item.source, states=states)


def _states(planner: Planner, item: Item) -> Work[tuple[State, ...]]:
    states: list[State] = []
    observed: list[Observed] = []
    run = _at(planner, item.source, observed)
    for wanted in (*(item.calls or ()), None):
        text, made = yield from run.step(tuple(observed))
        states.append(State(oracle=wanted, planner=made if isinstance(made, ToolCall) else None))
        if wanted is not None:
            result = call(wanted.tool, wanted.args)
            observed.append(Observed(len(observed) + 1, wanted, dump_step(wanted), result))
            if text == observed[-1].text:
                run.observe(result.prompt_text())
            else:
                run = _at(planner, item.source, observed)
    return tuple(states)


def _at(planner: Planner, source: str, observed: Sequence[Observed]) -> PlannerRun:
    """Return the planner's run as it stands after these steps."""
    run = planner.start(source, scope_reasons(source, tokenize(source)))
    for step in observed:
        run.take(step)
    return run


def _tool(step: ToolCall | None) -> str:
    return step.tool if step else ANSWER


@dataclass(frozen=True, slots=True)
class CallScore:
    """How often the planner does what the oracle does, over some states of the oracle's runs.

    Attributes
    ----------
    states : int
        How many states.
    tool : Interval
        Share of them at which it calls the same tool, or answers as well.
    arguments : Interval
        Share of the oracle's calls that it makes to the letter, tool and arguments.
    """

    states: int
    tool: Interval
    arguments: Interval


@dataclass(frozen=True, slots=True)
class CallScores:
    """The score over all states, and by what the oracle does."""

    all: CallScore
    by_tool: dict[str, CallScore]


def call_scores(rows: Sequence[ComparedCalls], *, seed: int = 0) -> CallScores | None:
    """Sum compared calls up, or return None if there are none; the bootstrap draws sentences."""
    if not rows:
        return None
    drawn = draws(len(rows), seed)
    tools = sorted({_tool(state.oracle) for row in rows for state in row.states})
    return CallScores(_score(rows, tools, drawn), {tool: _score(rows, [tool], drawn) for tool in tools})


def _score(rows: Sequence[ComparedCalls], tools: Sequence[str], drawn: Draws) -> CallScore:
    found = [[state for state in row.states if _tool(state.oracle) in tools] for row in rows]
    calls = [[state for state in states if state.oracle] for states in found]
    return CallScore(
        states=sum(map(len, found)),
        tool=interval([(sum(s.same_tool for s in states), len(states)) for states in found], share, drawn),
        arguments=interval(
            [(sum(s.planner == s.oracle for s in states), len(states)) for states in calls], share, drawn
        ),
    )
