"""Hand-written steps, good and bad: the checker must tell them apart."""

import json
from typing import Any

import pytest

from tutor.grounding import check_step
from tutor.language.scope import ScopeReason
from tutor.planner.reasons import statements
from tutor.planner.steps import Observed, ToolCall
from tutor.tools import lookup_spanish
from tutor.tools.base import ToolError, ToolResult
from tutor.tools.registry import call

SENTENCE = 'He goed to "school" and she don’t likes it; they could to swim.'


def observe(*calls: tuple[str, dict[str, Any]] | ToolResult) -> list[Observed]:
    observed = []
    for number, item in enumerate(calls, start=1):
        if isinstance(item, ToolResult):
            observed.append(Observed(number, ToolCall(tool="lookup_spanish", args={}), "", item))
        else:
            result = call(*item)
            assert not isinstance(result, ToolError), result
            observed.append(Observed(number, ToolCall(tool=item[0], args=item[1]), "", result))
    return observed


def conjugate(verb: str, tense: str, person: str, **flags: bool) -> tuple[str, dict[str, Any]]:
    return "conjugate", {"verb": verb, "tense": tense, "person": person, **flags}


def dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def tool_call(tool: str, **args: Any) -> str:
    return dump({"next": "tool_call", "tool": tool, "args": args})


def answer(
    corrected: str | None = None,
    rationale: list[str] | None = None,
    gloss: str | None = None,
    in_scope: bool = True,
) -> str:
    content = {
        "corrected": corrected,
        "rationale": rationale or [],
        "spanish_gloss": gloss,
        "in_scope": in_scope,
    }
    return dump({"next": "final_answer", "answer": content})


def reasons(observed: list[Observed], step: int, *forms: str) -> list[str]:
    """The first statement about each form that a step supports."""
    supported = [item for item in statements(step, observed[step - 1].result) if item.evidence]
    return [
        next(item.en for item in supported if item.evidence and item.evidence.form == form) for form in forms
    ]


def guarantees(observed: list[Observed], text: str, sentence: str = SENTENCE) -> set[str]:
    return {violation.guarantee for violation in check_step(sentence, observed, text)}


SPANISH = lookup_spanish.Result(
    word="school",
    entries=(lookup_spanish.Entry(lemma="school", pos="noun", translations=("escuela", "colegio")),),
    clause="Él fue a la escuela.",
)
OBSERVED = observe(
    conjugate("go", "past_simple", "3sg"),
    conjugate("like", "present_simple", "3sg", negative=True),
    ("lookup_irregular_verb", {"verb": "swim"}),
    ("check_subject_verb_agreement", {"subject": "she", "verb": "don’t likes"}),
    SPANISH,
    ToolError(error="no verb"),
)
WENT = SENTENCE.replace("goed", "went")
WENT_REASON = reasons(OBSERVED, 1, "went")

GOOD = {
    "conjugate": tool_call("conjugate", verb="go", tense="past_simple", person="3sg"),
    "all arguments": tool_call(
        "conjugate", verb="have", tense="present_perfect", person="1pl", negative=True, question=False
    ),
    "a modal of the sentence": tool_call("conjugate", verb="can", tense="past_simple", person="3pl"),
    "irregular": tool_call("lookup_irregular_verb", verb="swim"),
    "be is always at hand": tool_call("lookup_irregular_verb", verb="be"),
    "agreement": tool_call("check_subject_verb_agreement", subject="He", verb="goed"),
    "agreement, whole group": tool_call("check_subject_verb_agreement", subject="she", verb="don’t likes"),
    "agreement, long subject": tool_call(
        "check_subject_verb_agreement", subject='goed to "school" and she', verb="could to swim"
    ),
    "spanish of a span": tool_call("lookup_spanish", word='to "school"'),
    "spanish of a form": tool_call("lookup_spanish", word="had gone"),
    "spanish of the sentence": tool_call("lookup_spanish", word=SENTENCE),
    "spanish of a corrected sentence": tool_call("lookup_spanish", word=WENT),
    "unchanged": answer(),
    "unchanged with a reason and a gloss": answer(None, WENT_REASON, "colegio"),
    "one change": answer(WENT, WENT_REASON),
    "a clause as gloss": answer(WENT, WENT_REASON, "Él fue a la escuela."),
    "three changes": answer(
        WENT.replace("don’t likes", "doesn’t like").replace("could to swim", "swam"),
        [*WENT_REASON, *reasons(OBSERVED, 2, "doesn't like"), *reasons(OBSERVED, 3, "swam")],
    ),
    "out of scope": answer(None, [next(iter(ScopeReason)).value], None, False),
}


@pytest.mark.parametrize("name", GOOD)
def test_a_good_step_passes(name: str) -> None:
    assert check_step(SENTENCE, OBSERVED, GOOD[name]) == []


FINE = GOOD["conjugate"]
G1 = {
    "not JSON": FINE[:-1],
    "two objects": FINE + FINE,
    "spaced": FINE.replace(",", ", "),
    "line end": FINE + "\n",
    "a key twice": FINE.replace('"next"', '"next":"tool_call","next"'),
    "a key more": FINE.replace('"next"', '"thought":"","next"'),
    "keys out of order": dump({"tool": "conjugate", "next": "tool_call", "args": {}}),
    "arguments out of order": tool_call("conjugate", tense="past_simple", verb="go", person="3sg"),
    "no step at all": "null",
    "a list": "[]",
    "neither call nor answer": FINE.replace("tool_call", "thought"),
    "no arguments": dump({"next": "tool_call", "tool": "conjugate"}),
    "an answer's key missing": GOOD["unchanged"].replace(',"in_scope":true', ""),
    "an answer's key more": GOOD["unchanged"].replace('"in_scope"', '"sure":true,"in_scope"'),
    "a number for a flag": GOOD["unchanged"].replace("true", "1"),
    "a text for the reasons": GOOD["unchanged"].replace("[]", '""'),
    "half a surrogate pair": tool_call("lookup_spanish", word="@").replace("@", "\\ud83d"),
}
G2 = {
    "unknown tool": tool_call("translate", word="school"),
    "unknown argument": tool_call("lookup_irregular_verb", verb="go", depth=3),
    "missing argument": tool_call("conjugate", verb="go", tense="past_simple"),
    "unknown tense": tool_call("conjugate", verb="go", tense="past", person="3sg"),
    "a flag as text": tool_call("conjugate", verb="go", tense="base", person="3sg", negative="yes"),
    "verb not in the sentence": tool_call("conjugate", verb="write", tense="past_simple", person="3sg"),
    "modal not in the sentence": tool_call("conjugate", verb="must", tense="present_simple", person="3sg"),
    "learner form as lemma": tool_call("lookup_irregular_verb", verb="goed"),
    "irregular verb not in the sentence": tool_call("lookup_irregular_verb", verb="choose"),
    "no verb group": tool_call("check_subject_verb_agreement", subject="He", verb="goed to"),
    "verb group corrected": tool_call("check_subject_verb_agreement", subject="He", verb="went"),
    "verb group with a straight apostrophe": tool_call(
        "check_subject_verb_agreement", subject="she", verb="don't likes"
    ),
    "subject not in the sentence": tool_call("check_subject_verb_agreement", subject="We", verb="goed"),
    "part of a word": tool_call("check_subject_verb_agreement", subject="schoo", verb="goed"),
    "too long a subject": tool_call(
        "check_subject_verb_agreement", subject=SENTENCE.partition("it;")[0].strip(), verb="goed"
    ),
    "empty subject": tool_call("check_subject_verb_agreement", subject="", verb="goed"),
    "spanish of another word": tool_call("lookup_spanish", word="house"),
    "spanish of a learner form not there": tool_call("lookup_spanish", word="swimmed"),
    "spanish of an ungrounded sentence": tool_call("lookup_spanish", word=WENT.replace("it", "them")),
}
G3 = {
    "word invented": answer(WENT.replace("it", "them"), WENT_REASON),
    "another learner form": answer(SENTENCE.replace("could to swim", "swimmed"), WENT_REASON),
    "form that no tool returned": answer(SENTENCE.replace("could", "can"), WENT_REASON),
    "Spanish": answer(SENTENCE.replace("school", "escuela"), WENT_REASON),
    "form of another lemma": answer(SENTENCE.replace("goed", "swam"), reasons(OBSERVED, 3, "swam")),
    "more after the end": answer(WENT + " OK", WENT_REASON),
    "equal to the sentence": answer(SENTENCE, WENT_REASON),
    "out of scope, yet corrected": answer(WENT, [next(iter(ScopeReason)).value], None, False),
}
G4 = {
    "no reason": answer(WENT),
    "reason of another form": answer(WENT, reasons(OBSERVED, 1, "goes")),
    "reason of another group": answer(WENT, reasons(OBSERVED, 2, "doesn't like")),
    "one of two changes without a reason": answer(WENT.replace("could to swim", "swam"), WENT_REASON),
    "reason of another step": answer(WENT, [WENT_REASON[0].replace("Step 1", "Step 3")]),
    "free text": answer(WENT, ["It sounds better."]),
    "free text beside a reason": answer(WENT, [*WENT_REASON, "It sounds better."]),
    "free text for no change": answer(None, ["Looks fine."]),
    "a reason twice": answer(WENT, WENT_REASON * 2),
    "more reasons than eight": answer(None, [item.en for item in statements(1, OBSERVED[0].result)][:9]),
    "out of scope without a reason": answer(None, [], None, False),
    "out of scope with a reason of the trace": answer(None, WENT_REASON, None, False),
    "out of scope for a made-up reason": answer(None, ["too hard"], None, False),
    "scope reason in scope": answer(None, [next(iter(ScopeReason)).value]),
}
G5 = {
    "gloss that nobody returned": answer(WENT, WENT_REASON, "Él fue al colegio."),
    "English for a gloss": answer(None, [], "school"),
    "the error as gloss": answer(None, [], "no verb"),
    "no gloss known": answer(None, [], "none"),
    "part of a gloss": answer(None, [], "escuel"),
    "gloss out of scope": answer(None, [next(iter(ScopeReason)).value], "escuela", False),
}
BAD = [
    (guarantee, name, text)
    for guarantee, cases in {"G1": G1, "G2": G2, "G3": G3, "G4": G4, "G5": G5}.items()
    for name, text in cases.items()
]


@pytest.mark.parametrize(("guarantee", "name", "text"), BAD, ids=[name for _, name, _ in BAD])
def test_a_bad_step_breaks_its_guarantee(guarantee: str, name: str, text: str) -> None:
    assert guarantee in guarantees(OBSERVED, text)


def test_without_observations_nothing_can_be_corrected_explained_or_glossed() -> None:
    assert guarantees([], answer()) == set()
    assert guarantees([], answer(WENT, WENT_REASON, "escuela")) == {"G3", "G4", "G5"}


def test_errors_count_as_steps_but_support_nothing() -> None:
    observed = observe(ToolError(error="went"), conjugate("go", "past_simple", "3sg"))
    assert guarantees(observed, answer(WENT, reasons(observed, 2, "went"))) == set()
    assert guarantees(observed, answer(WENT, WENT_REASON)) == {"G4"}
    assert "G5" in guarantees(observed, answer(None, [], "went"))
