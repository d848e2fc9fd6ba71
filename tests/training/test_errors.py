import re
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutor.training.auxiliary_slips import auxiliary_slips
from tutor.training.clauses import load_parser, verbs
from tutor.training.errors import Broken, break_sentence
from tutor.training.slips import agreement_slips, form_slips, inflection_slips
from tutor.training.tense_slips import tense_slips

SENTENCES = [
    "My cousins have lived in this village since 2012.",
    "The keys to the cupboard are on the table.",
    "She wants to buy a house near the river.",
    "They went to the market yesterday and bought some fish.",
    "If the bus is late, we will walk to the office.",
    "The bridge was built by the Romans.",
    "Did your uncle write this letter?",
    "He doesn't like swimming, but he enjoys running.",
    "I can't find my glasses.",
    "Stopping here is forbidden.",
    "He put the plate on the table last night.",
]


@pytest.fixture(scope="module")
def parsed() -> list[Any]:
    return list(load_parser().pipe(SENTENCES))


def slips(sentence: str) -> set[str]:
    """Return the sentence as each of its slips leaves it."""
    doc = load_parser()(sentence)
    found = [
        slip
        for verb in verbs(doc)
        for source in (agreement_slips, form_slips, inflection_slips, tense_slips, auxiliary_slips)
        for slip in source(verb)
    ]
    texts = (f"{doc[: slip.start]} {slip.wrong} {doc[slip.end :]}".strip() for slip in found)
    return {re.sub(r" (?=[.,?])", "", text) for text in texts}


def repaired(broken: Broken) -> str:
    text = broken.source
    for edit in reversed(broken.edits):
        assert text[edit.start : edit.end] == edit.wrong
        text = text[: edit.start] + edit.right + text[edit.end :]
    return text


@settings(deadline=None, max_examples=200)
@given(st.integers(0, len(SENTENCES) - 1), st.integers(0, 10**6), st.integers(0, 3), st.booleans())
def test_the_edits_turn_the_source_into_the_target(
    parsed: list[Any], place: int, seed: int, errors: int, noise: bool
) -> None:
    broken = break_sentence(parsed[place], Random(seed), errors=errors, noise=noise)
    assert repaired(broken) == broken.target
    assert len(broken.edits) <= errors
    assert (broken.source == broken.target) == (not broken.edits)
    assert all(edit.wrong.lower() != edit.right.lower() for edit in broken.edits)
    if not noise:
        assert broken.target == SENTENCES[place]


def test_the_same_seed_breaks_alike() -> None:
    first, second = (break_sentence(SENTENCES[3], Random(5), errors=2, noise=True) for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    ("sentence", "wrong"),
    [
        ("She can swim well.", "She can to swim well."),
        ("We want to leave now.", "We want leave now."),
        ("He enjoys reading novels.", "He enjoys to read novels."),
        ("They left without saying a word.", "They left without say a word."),
        ("She has gone home.", "She has went home."),
        ("The window was broken by the storm.", "The window was broke by the storm."),
        ("He went home yesterday.", "He goes home yesterday."),
        ("She is singing in the kitchen.", "She singing in the kitchen."),
        ("I have known him for ten years.", "I know him for ten years."),
        ("If it rains, we will stay here.", "If it will rain, we will stay here."),
        ("I thought that he would come.", "I thought that he will come."),
        ("The list of names is long.", "The list of names are long."),
        ("My brother agrees with you.", "My brother is agree with you."),
        ("The boys chose the red ball.", "The boys choosed the red ball."),
        ("She stopped the car.", "She stoped the car."),
        ("They are studying law.", "They are studing law."),
        ("Did he see you?", "Did he saw you?"),
        ("He will call tomorrow.", "He call tomorrow."),
        ("It is worth visiting the castle.", "It is worth to visit the castle."),
        ("She is interested in chemistry.", "She is interest in chemistry."),
        ("She is interested in chemistry.", "She is interesting in chemistry."),
        ("He is used to sleeping late.", "He is use to sleeping late."),
        ("I wish she were taller.", "I wish she was taller."),
        ("I wish we had a garden.", "I wish we have a garden."),
        ("If he had studied, he would have passed.", "If he would have studied, he would have passed."),
        ("She said that she would bring the cake.", "She said that she will bring the cake."),
        ("They should have asked us.", "They should of asked us."),
        ("Have you ever eaten snails?", "Have you ever ate snails?"),
        ("The oil can be bought here.", "The oil can buy here."),
        ("The rules are as follows.", "The rules are as follow."),
        ("We have known her since May.", "We know her since May."),
        ("We have known her since May.", "We have been knowing her since May."),
        ("The letter has been lost.", "The letter does been lost."),
    ],
)
def test_what_learners_write_is_among_the_slips(sentence: str, wrong: str) -> None:
    assert wrong in slips(sentence)


@pytest.mark.parametrize(
    ("sentence", "right_too"),
    [
        ("He went home.", "He goes home."),
        ("The team is ready.", "The team are ready."),
        ("He has got lost.", "He has gotten lost."),
        ("I like to swim.", "I like swimming."),
        ("She helped him to move.", "She helped him move."),
        ("He learned French.", "He learnt French."),
        ("He said that he was ill.", "He said that he is ill."),
        ("I thought that he was ill.", "I thought that he is ill."),
        ("If he was taller, he would win.", "If he were taller, he would win."),
        ("They suggest that he leave soon.", "They suggest that he leaves soon."),
        ("She was proud, but her son arrived yesterday.", "She is proud, but her son arrived yesterday."),
    ],
)
def test_what_would_be_right_as_well_is_no_slip(sentence: str, right_too: str) -> None:
    assert right_too not in slips(sentence)
