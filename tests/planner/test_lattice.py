import random
import re

import pytest

from tutor.language.tokens import tokenize
from tutor.planner.lattice import MAX_CHANGES, Lattice, lattice
from tutor.planner.steps import Observed, ToolCall, dump_step
from tutor.tools.registry import call


def observe(*calls: tuple[str, dict[str, object]]) -> tuple[Observed, ...]:
    """Return the observations of real tool calls."""
    steps = [ToolCall(tool=tool, args=args) for tool, args in calls]
    return tuple(
        Observed(number, step, dump_step(step), call(step.tool, step.args))
        for number, step in enumerate(steps, start=1)
    )


def conjugate(
    verb: str, person: str = "3sg", tense: str = "past_simple", **extra: bool
) -> tuple[str, dict[str, object]]:
    return "conjugate", {"verb": verb, "tense": tense, "person": person, **extra}


def texts(found: Lattice) -> set[str]:
    return {found.apply([item]) for item in found.replacements}


@pytest.mark.parametrize(
    ("sentence", "calls", "corrected"),
    [
        ("He goed to school.", [conjugate("go")], "He went to school."),
        ("I will going to the store.", [conjugate("go", "1sg")], "I will go to the store."),
        ("I am agree.", [conjugate("agree", "1sg")], "I agree."),
        ("He can to swim.", [conjugate("swim")], "He can swim."),
        ("She not like it.", [conjugate("like", negative=True)], "She does not like it."),
        ("She don't like it.", [conjugate("do")], "She doesn't like it."),
        ("They’re go home.", [conjugate("go", "3pl")], "They’re going home."),
        ("There is many books.", [conjugate("be", "3pl")], "There are many books."),
        ("Did he went home?", [conjugate("go")], "Did he go home?"),
        ("Are you agree?", [conjugate("do", "2sg")], "Do you agree?"),
        ("Soon we have to move.", [conjugate("have", "1pl")], "Soon we will have to move."),
        ("You should of asked.", [conjugate("have", "2sg")], "You should have asked."),
        ("You couldn't of known.", [conjugate("know", "2sg", negative=True)], "You couldn't have known."),
        ("I am concern about it.", [conjugate("concern", "1sg")], "I am concerned about it."),
        ("She was hoping on one leg.", [conjugate("hop")], "She was hopping on one leg."),
        ("GOED he home?", [conjugate("go")], "WENT he home?"),
        ("Runned he home?", [conjugate("run")], "Ran he home?"),
    ],
)
def test_a_form_that_a_tool_returned_may_replace_the_group(
    sentence: str, calls: list[tuple[str, dict[str, object]]], corrected: str
) -> None:
    assert corrected in texts(lattice(sentence, observe(*calls)))


def test_without_evidence_only_the_sentence_itself_is_allowed() -> None:
    found = lattice("He goed to school.", observe(("lookup_spanish", {"word": "school"})))
    assert not found.replacements
    assert re.fullmatch(found.pattern(), "He goed to school.")


def test_a_form_of_another_lemma_is_no_replacement() -> None:
    assert not lattice("He goed to school.", observe(conjugate("come"))).replacements


def test_learner_forms_and_errors_are_no_evidence() -> None:
    found = lattice("He went home.", observe(("lookup_irregular_verb", {"verb": "go"}), conjugate("xyzzy")))
    assert not any("goed" in text for text in texts(found))


def test_no_replacement_adds_or_loses_a_negation() -> None:
    calls = observe(conjugate("like", negative=True), conjugate("like"))
    for text in texts(lattice("She did not liked it.", calls)):
        assert "not" in text or "n't" in text
    assert not any("not" in text or "n't" in text for text in texts(lattice("She liked it.", calls)))


SENTENCES = [
    "He goed and she have went home.",
    "I will going to the store because they wants it.",
    "She don't likes “to swim” (or to ran) [here] + $5.",
    "The list of items are long\\wide; it's |very| ^good^.",
]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_pattern_and_explain_agree_on_random_walks_through_the_lattice(sentence: str) -> None:
    verbs = ("go", "have", "want", "like", "swim", "run", "be", "do")
    found = lattice(sentence, observe(*[conjugate(verb) for verb in verbs]))
    rng = random.Random(7)
    pattern = re.compile(found.pattern())
    for _ in range(50):
        chosen = []
        for item in rng.sample(found.replacements, k=min(4, len(found.replacements))):
            if all(item.last < other.first or item.first > other.last for other in chosen):
                chosen.append(item)
        text = found.apply(chosen)
        assert pattern.fullmatch(text)
        assert found.apply(found.explain(text)) == text
        assert len(found.explain(text)) <= len(chosen)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_text_outside_the_lattice_has_no_explanation(sentence: str) -> None:
    found = lattice(sentence, observe(conjugate("go")))
    for text in (sentence + "!", sentence[1:], sentence.replace("the", "a") + " ", ""):
        with pytest.raises(ValueError, match="not in the lattice"):
            found.explain(text)
        assert not re.fullmatch(found.pattern(), text)


def test_overlapping_replacements_are_refused() -> None:
    found = lattice("I will going.", observe(conjugate("go", "1sg")))
    whole = next(item for item in found.replacements if item.first == 1)
    head = next(item for item in found.replacements if item.first == 2)
    with pytest.raises(ValueError, match="overlap"):
        found.apply([whole, head])


def test_offsets_and_tokens_of_a_replacement_name_the_same_span() -> None:
    sentence = "She can’t to goes."
    tokens = tokenize(sentence)
    for item in lattice(sentence, observe(conjugate("go"), conjugate("do"))).replacements:
        assert (item.start, item.end) == (tokens[item.first].start, tokens[item.last].end)


def test_a_text_that_several_replacements_make_is_explained_by_the_shortest() -> None:
    found = lattice("She don't like it.", observe(conjugate("do"), conjugate("like", negative=True)))
    (item,) = found.explain("She doesn't like it.")
    assert found.sentence[item.start : item.end] == "do"
    assert found.alternatives()["She doesn't like it."] == item


@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_pattern_of_changes_leaves_out_the_sentence_alone(sentence: str) -> None:
    found = lattice(
        sentence, observe(*[conjugate(verb) for verb in ("go", "have", "want", "like", "run", "be", "do")])
    )
    changed = re.compile(found.pattern(changed=True))
    assert not changed.fullmatch(sentence)
    for item in found.replacements:
        assert changed.fullmatch(found.apply([item]))
    first, last = found.replacements[0], found.replacements[-1]
    assert changed.fullmatch(found.apply([first, last]))


def test_no_more_groups_change_than_can_have_a_reason_each() -> None:
    sentence = " and ".join(["she go home"] * 20) + "."
    found = lattice(sentence, observe(conjugate("go")))
    assert len({item.group.head for item in found.replacements}) == MAX_CHANGES
