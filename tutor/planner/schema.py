"""The JSON schema of one planner step, built from the sentence and the observations so far (G1 to G5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from tutor.decoding.mask import Schema
from tutor.language.morphology import NON_FINITE, Person, Tense
from tutor.language.scope import ScopeReason
from tutor.language.tokens import Token, tokenize
from tutor.language.verb_groups import group_text, verb_groups
from tutor.planner.coverage import LOOKS, SPAN_WORDS, Group, unseen
from tutor.planner.lattice import MAX_CHANGES, Lattice, Replacement, lattice
from tutor.planner.reasons import Statement, statements
from tutor.planner.steps import Observed
from tutor.tools.base import Evidence
from tutor.tools.check_subject_verb_agreement import Result as Agreement
from tutor.tools.lookup_spanish import Result as SpanishResult

ALWAYS_VERBS = ("be", "do", "have")
_Cell = tuple[int, str, str, str]


@dataclass(frozen=True)
class StepSchema:
    """What the next step of a run may say.

    Attributes
    ----------
    sentence : str
        The sentence.
    observed : tuple of Observed
        The tool calls so far.
    tools : tuple of str
        Names of the tools that may be called.
    scope_reasons : tuple of ScopeReason
        The scope reasons that hold for the sentence; if there is one, the answer can only be "out of scope".
    looks : int
        Calls after which the run may answer though a verb group was not looked at.
    """

    sentence: str
    observed: tuple[Observed, ...]
    tools: tuple[str, ...]
    scope_reasons: tuple[ScopeReason, ...] = ()
    looks: int = LOOKS

    @cached_property
    def lattice(self) -> Lattice:
        """The texts that the observations allow as the correction."""
        return lattice(self.sentence, self.observed)

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens of the sentence."""
        return tokenize(self.sentence)

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """Every statement that the observations support."""
        return tuple(found for step in self.observed for found in statements(step.number, step.result))

    @cached_property
    def _places(self) -> dict[_Cell, list[int]]:
        """Where in `statements` each cell of a paradigm is spoken of."""
        found: dict[_Cell, list[int]] = {}
        for place, statement in enumerate(self.statements):
            if statement.evidence:
                found.setdefault(_cell(statement.step, statement.evidence), []).append(place)
        return found

    def schema(self) -> Schema:
        """Return the schema of the whole step: the union of the tool calls and the final answers."""
        if self.scope_reasons:
            return _root([_final(self._out_of_scope())])
        if looks := self._next_looks():
            return _root(looks)
        if (glossed := self._glossed()) is not None:
            return _root([_final(self._unchanged())]) if glossed == self.sentence else self.narrowed(glossed)
        finals = [_final(self._unchanged())]
        if self.lattice.replacements:
            finals.insert(0, _final(self._corrected()))
        return _root([*self._tool_calls(), *finals])

    def _glossed(self) -> str | None:
        """Return the text of the lattice that was looked up in Spanish: it is the answer, and all is there that this holds."""
        words = (str(step.call.args["word"]) for step in self.observed if step.call.tool == "lookup_spanish")
        return next(filter(self.lattice.holds, words), None)

    def narrowed(self, corrected: str) -> Schema:
        """Return the schema once the correction is known: each changed group is cited by a reason of its own (G4).

        Every text of it is a text of `schema`, so that decoding may go on under it after the correction.
        """
        changed = self.lattice.explain(corrected)
        slots = _one_reason_each([self._reasons(item) for item in changed])
        return _root([_final(_answer(
            {"const": corrected}, [{"enum": [reason.en for reason in slot]} for slot in slots], self._gloss(corrected), True
        ))])  # fmt: skip

    def _reasons(self, replacement: Replacement) -> list[Statement]:
        """Return the statements that give a replacement: of each step the first, which is about what was asked for."""
        cells = {_cell(source.step, source.evidence) for source in replacement.sources}
        places = sorted({place for cell in cells for place in self._places.get(cell, ())})
        first: dict[int, Statement] = {}
        for statement in map(self.statements.__getitem__, places):
            first.setdefault(statement.step, statement)
        return list(first.values())

    def _corrected(self) -> Schema:
        reasons = {"enum": list(dict.fromkeys(
            found.en for item in self.lattice.replacements for found in self._reasons(item)
        ))}  # fmt: skip
        answer = _answer(
            {"type": "string", "pattern": self.lattice.pattern(changed=True)}, [], self._gloss(), True
        )
        answer["properties"]["rationale"] = {
            "type": "array", "items": reasons, "minItems": 1, "maxItems": MAX_CHANGES
        }  # fmt: skip
        return answer

    def _unchanged(self) -> Schema:
        """Null, with what each step says of the sentence as it stands."""
        norms = f" {' '.join(token.norm for token in self.tokens)} "
        agreement = {step.number for step in self.observed if isinstance(step.result, Agreement)}
        as_written = [
            found
            for found in self.statements
            if found.evidence is None
            or (
                f" {found.evidence.form} " in norms
                # That "go" is a base form does not tell why "he go" was left.
                and not (found.step in agreement and found.evidence.slot in NON_FINITE)
            )
        ]
        first = {found.step: found for found in reversed(as_written)}
        slots = [{"const": first[step].en} for step in sorted(first)][:MAX_CHANGES]
        return _answer({"type": "null"}, slots, self._gloss(self.sentence), True)

    def _out_of_scope(self) -> Schema:
        reasons = [{"enum": [reason.value for reason in self.scope_reasons]}]
        return _answer({"type": "null"}, reasons, {"type": "null"}, False)

    def _gloss(self, text: str | None = None) -> Schema:
        """Return null or what `lookup_spanish` returned; just the gloss of the answer's own text, if that was looked up."""
        found = [step.result for step in self.observed if isinstance(step.result, SpanishResult)]
        own = [result.gloss() for result in found if result.word == text and result.gloss()]
        return (
            {"const": own[0]}
            if own
            else _enum([None, *(each for result in found for each in result.translations())])
        )

    def _tool_calls(self) -> list[Schema]:
        """Return every call: once all groups were looked at, any of them may be looked at again, otherwise."""
        groups = verb_groups(self.tokens)
        lemmas = [*ALWAYS_VERBS, *(lemma for group in groups for lemma in group.lemmas)]
        written = [group_text(self.sentence, self.tokens, group) for group in groups]
        conjugate = _conjugate(
            lemmas, _enum(Person), {"negative": {"const": True}, "question": {"const": True}}
        )
        return [*self._calls([conjugate], lemmas, written), *self._spanish()]

    def _next_looks(self) -> list[Schema]:
        """Return the looks at the next group that waits for one; at any of them, if there are more than looks left."""
        waiting = unseen(self.sentence, self.tokens, self.observed, self.looks)
        if len(self.observed) + len(waiting) > self.looks:
            return self._looks(waiting)
        return next(filter(None, (self._looks([group]) for group in waiting)), [])

    def _looks(self, waiting: Sequence[Group]) -> list[Schema]:
        """Return the calls that tell something of a group, with what the sentence says of it as their arguments.

        The paradigm of its verb, if it is no word; agreement, if it has a subject to agree with, and nothing else if it does
        not agree; else the forms in its person, polarity and order.
        """
        conjugate, agreement = [], []
        unknown = [each for each in waiting if each.non_word and "lookup_irregular_verb" in self.tools]
        for group in (each for each in waiting if each not in unknown):
            if group.subject and "check_subject_verb_agreement" in self.tools:
                agreement.append(
                    _object({"subject": {"const": group.subject}, "verb": {"const": group.text}})
                )
                if group.disagrees:
                    continue
            persons = _enum([group.person] if group.person else Person)
            required = {name: {"const": True} for name in ("negative", "question") if getattr(group, name)}
            conjugate.append(_conjugate(group.lemmas, persons, {}, required))
        lemmas = [lemma for group in unknown for lemma in group.lemmas]
        calls = {
            "conjugate": conjugate,
            "lookup_irregular_verb": [_object({"verb": _enum(lemmas)})] if lemmas else [],
            "check_subject_verb_agreement": agreement,
        }
        return self._named(calls)

    def _calls(self, conjugate: list[Schema], lemmas: Iterable[str], written: Iterable[str]) -> list[Schema]:
        subject, texts = _enum(spans_of(self.sentence, self.tokens)), _enum(written)
        calls = {"conjugate": conjugate, "lookup_irregular_verb": [_object({"verb": _enum(lemmas)})]}
        if subject["enum"] and texts["enum"]:
            calls["check_subject_verb_agreement"] = [_object({"subject": subject, "verb": texts})]
        return self._named(calls)

    def _named(self, calls: dict[str, list[Schema]]) -> list[Schema]:
        return [_call(name, args) for name in self.tools for args in calls.get(name, ())]

    def _spanish(self) -> list[Schema]:
        forms = (evidence.form for step in self.observed for evidence in step.evidence)
        words = _enum([*spans_of(self.sentence, self.tokens), *forms])
        whole = {"type": "string", "pattern": self.lattice.pattern()}
        args = _object({"word": {"anyOf": [words, whole] if words["enum"] else [whole]}})
        return [_call(name, args) for name in self.tools if name == "lookup_spanish"]


def spans_of(sentence: str, tokens: Sequence[Token]) -> list[str]:
    """Return the spans of a sentence that begin and end with a word and hold up to `SPAN_WORDS` words, as written."""
    words = [token for token in tokens if token.is_word]
    spans = (
        sentence[words[i].start : words[j].end]
        for i in range(len(words))
        for j in range(i, min(i + SPAN_WORDS, len(words)))
    )
    return list(dict.fromkeys(spans))


def _cell(step: int, evidence: Evidence) -> _Cell:
    # The person is left out: a step has one, and a statement that does not depend on it does not name it.
    return step, evidence.lemma, evidence.form, evidence.slot


def _one_reason_each(options: Iterable[list[Statement]]) -> list[list[Statement]]:
    """Return one set of statements a changed group, the sets disjoint, so that no reason can repeat.

    Two groups that only share statements share one entry, which then cites both.
    """
    slots: list[list[Statement]] = []
    for reasons in options:
        fresh = [found for found in reasons if not any(found in slot for slot in slots)]
        if fresh:
            slots.append(fresh)
            continue
        index = next(i for i, slot in enumerate(slots) if any(found in slot for found in reasons))
        slots[index] = [found for found in slots[index] if found in reasons]
    return slots


def _enum(values: Iterable[str | None]) -> Schema:
    return {"enum": list(dict.fromkeys(values))}


def _conjugate(
    lemmas: Iterable[str],
    person: Schema,
    optional: dict[str, Schema],
    required: dict[str, Schema] | None = None,
) -> Schema:
    required = required or {}
    tenses = [tense for tense in Tense if not ("question" in required and tense in NON_FINITE)]
    always = {"verb": _enum(lemmas), "tense": _enum(tenses), "person": person, **required}
    return _object({**always, **optional}, required=list(always))


def _call(name: str, args: Schema) -> Schema:
    return _object({"next": {"const": "tool_call"}, "tool": {"const": name}, "args": args})


def _root(branches: list[Schema]) -> Schema:
    return {"x-guidance": {"whitespace_flexible": False}, "anyOf": branches}


def _final(answer: Schema) -> Schema:
    return _object({"next": {"const": "final_answer"}, "answer": answer})


def _answer(corrected: Schema, reasons: list[Schema], gloss: Schema, in_scope: bool) -> Schema:
    rationale: Schema = {"type": "array", "minItems": len(reasons), "maxItems": len(reasons), "items": False}
    if reasons:
        rationale["prefixItems"] = reasons
    return _object(
        {
            "corrected": corrected,
            "rationale": rationale,
            "spanish_gloss": gloss,
            "in_scope": {"const": in_scope},
        }
    )


def _object(properties: dict[str, Schema], required: Sequence[str] | None = None) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties if required is None else required),
        "additionalProperties": False,
    }
