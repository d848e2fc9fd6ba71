"""Training examples: token sequences with the positions at which decoding has a choice, and what may compete there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tutor.decoding.forest import Forest
from tutor.decoding.mask import Mask, Schema
from tutor.decoding.tokenizer import Tokenizer
from tutor.language.morphology import Person, Tense
from tutor.language.tokens import tokenize
from tutor.language.verb_groups import analyse, verb_groups
from tutor.planner.coverage import is_inverted
from tutor.planner.lattice import Lattice, Replacement, lattice
from tutor.planner.prompt import observation_prompt, rewrite_prompt, sentence_prompt
from tutor.planner.schema import StepSchema
from tutor.planner.steps import Observed, ToolCall, dump_step
from tutor.tools.base import ToolError
from tutor.tools.registry import call, tools


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice under the mask: the prediction at `position` is among `allowed`, and `allowed[gold]` is right."""

    position: int
    allowed: tuple[int, ...]
    gold: int


@dataclass(frozen=True, slots=True)
class Example:
    """A token sequence and its decisions."""

    ids: tuple[int, ...]
    decisions: tuple[Decision, ...]


def full_lattice(sentence: str) -> Lattice:
    """Return the lattice of a planner that asks for everything."""
    return lattice(sentence, full_observations(sentence))


def full_observations(sentence: str, before: int = 0) -> list[Observed]:
    """Return the steps that ask for everything, after some others: each likely group's table, and be, do and have."""
    tokens = tokenize(sentence)
    wanted: dict[tuple[str, str, bool, bool], None] = {}
    for group in verb_groups(tokens):
        if not group.likely:
            continue
        reading = analyse(tokens, group)
        person = (reading.person or Person.third_sg).value
        other = "3pl" if person == "3sg" else "3sg"
        negative, question = reading.negative and not group.is_auxiliary, is_inverted(group, reading)
        verbs = ("be", "do", "have", *group.lemmas) if group.is_auxiliary else group.lemmas
        for verb in verbs:
            for who in (person, other):
                wanted[verb, who, negative, question] = None
    observed: list[Observed] = []
    for verb, who, negative, question in wanted:
        order = {"negative": negative, "question": question}
        args = {"verb": verb, "tense": Tense.present_simple.value, "person": who, **order}
        step = made(ToolCall(tool="conjugate", args=args), before + len(observed) + 1)
        if not isinstance(step.result, ToolError):
            observed.append(step)
    return observed


def gold_replacements(found: Lattice, target: str) -> tuple[Replacement, ...] | None:
    """Return the replacements that make the target of the sentence, or None when the lattice lacks it."""
    try:
        return found.explain(target)
    except ValueError:
        return None


def _rivals(found: Lattice, gold: Sequence[Replacement]) -> list[str]:
    """Return the texts that differ from the target in one place: another replacement, or an error left."""
    texts = [found.apply([other for other in gold if other is not item]) for item in gold]
    for item in found.replacements:
        if item not in gold:
            kept = [other for other in gold if other.last < item.first or other.first > item.last]
            texts.append(found.apply([*kept, item]))
    return texts


def choice_example(tokenizer: Tokenizer, source: str, target: str) -> Example | None:
    """Return the example of choosing the correction of a sentence among the texts of its full lattice.

    Parameters
    ----------
    tokenizer : Tokenizer
        The model's tokenizer.
    source, target : str
        What the learner wrote, and the right sentence; the same for one without an error.

    Returns
    -------
    Example or None
        None when the lattice lacks the target or has no alternative.
    """
    found = full_lattice(source)
    gold = gold_replacements(found, target)
    if gold is None or not found.replacements:
        return None
    texts = [f" {text}" for text in dict.fromkeys([target, *_rivals(found, gold)])]
    prompt = tokenizer.encode(rewrite_prompt(source))
    forest = Forest()
    paths = [forest.add([prompt[-1], *ids]) for ids in tokenizer.encode_batch(texts)]
    branching = forest.branching()
    decisions = []
    for offset, node in enumerate(paths[0][:-1]):
        if node in branching:
            nodes = branching[node]
            allowed = tuple(forest.ids[child] for child in nodes)
            decisions.append(Decision(len(prompt) - 1 + offset, allowed, nodes.index(paths[0][offset + 1])))
    ids = (*prompt[:-1], *(forest.ids[node] for node in paths[0]))
    return Example(ids, tuple(decisions))


def policy_example(
    tokenizer: Tokenizer, source: str, target: str, calls: Sequence[ToolCall]
) -> Example | None:
    """Return the example of a run up to its final answer: which step comes next, which tool, which arguments.

    Parameters
    ----------
    tokenizer : Tokenizer
        The model's tokenizer.
    source, target : str
        What the learner wrote, and the right sentence.
    calls : sequence of ToolCall
        The oracle's calls, in order.

    Returns
    -------
    Example or None
        None when a call is not allowed by the mask of its state.
    """
    ids = tokenizer.encode(sentence_prompt(source))
    decisions: list[Decision] = []
    observed: list[Observed] = []
    for step in calls:
        found = call_decisions(tokenizer, source, observed, step, len(ids))
        if found is None:
            return None
        decisions += found
        observed.append(made(step, len(observed) + 1))
        ids += tokenizer.encode(observed[-1].text)
        ids += tokenizer.encode(observation_prompt(observed[-1].result.prompt_text()))
    ending = tokenizer.encode('{"next":"final_answer')
    found = _decisions(tokenizer, _schema(source, observed), ending, len(ids))
    return None if found is None else Example((*ids, *ending), (*decisions, *found))


def made(step: ToolCall, number: int) -> Observed:
    """Return a call as a step of a run, with what the tool answers."""
    return Observed(number, step, dump_step(step), call(step.tool, step.args))


def call_decisions(
    tokenizer: Tokenizer, source: str, observed: Sequence[Observed], step: ToolCall, offset: int
) -> list[Decision] | None:
    """Return the choices of a call after some steps, its text beginning at an offset; None if the mask does not allow it."""
    text = dump_step(step)
    found = _decisions(tokenizer, _schema(source, observed), tokenizer.encode(text), offset)
    if found is None or step.tool != "lookup_spanish":
        return found
    word = len(tokenizer.encode(text.partition('"word"')[0]))  # chosen as a whole
    return [decision for decision in found if decision.position < offset + word - 1]


def _schema(source: str, observed: Sequence[Observed]) -> Schema:
    return StepSchema(source, tuple(observed), tuple(tools())).schema()


def _decisions(tokenizer: Tokenizer, schema: Schema, tokens: list[int], offset: int) -> list[Decision] | None:
    """Return the choices along a token sequence that begins at an offset of the context."""
    mask = Mask(tokenizer, schema)
    decisions = []
    index = 0
    while index < len(tokens):
        forced = mask.forced()
        if forced and forced == tokens[index : index + len(forced)]:
            mask.consume(forced)
            index += len(forced)
            continue
        allowed = mask.allowed().tolist()
        if tokens[index] not in allowed:
            return None
        if len(allowed) > 1:
            decisions.append(Decision(offset + index - 1, tuple(allowed), allowed.index(tokens[index])))
        mask.consume(tokens[index : index + 1])
        index += 1
    return decisions
