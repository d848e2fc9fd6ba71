import pytest
from jsonschema import Draft202012Validator

from tests.planner.test_lattice import conjugate, observe
from tutor.language.tokens import tokenize
from tutor.planner.coverage import groups, unseen
from tutor.planner.schema import StepSchema
from tutor.planner.steps import Observed
from tutor.tools.registry import tools

SENTENCE = "He goed home and they was happy."


def left(*observed: Observed, looks: int = 6) -> list[str]:
    return [group.lemmas[0] for group in unseen(SENTENCE, tokenize(SENTENCE), observed, looks)]


def test_each_likely_group_waits_until_it_was_looked_at() -> None:
    assert left() == ["go", "be"]
    assert left(*observe(("lookup_irregular_verb", {"verb": "go"}))) == ["be"]
    assert left(*observe(("check_subject_verb_agreement", {"subject": "they", "verb": "was"}))) == ["go"]
    assert left(*observe(conjugate("go"), conjugate("be", person="3pl"))) == []


@pytest.mark.parametrize(
    ("sentence", "look", "left"),
    [
        ("He is not tired but his eyes is.", ("He", "is"), ["is"]),
        ("He is tired and he is cold.", ("he", "is"), ["is"]),
        ("It is late and it is cold.", ("it", "is"), ["is"]),
        ("I am late and the boys is late.", ("the boys", "is"), ["am"]),
    ],
)
def test_agreement_is_looked_at_for_each_subject(
    sentence: str, look: tuple[str, str], left: list[str]
) -> None:
    observed = observe(("check_subject_verb_agreement", {"subject": look[0], "verb": look[1]}))
    assert [group.text for group in unseen(sentence, tokenize(sentence), observed, looks=6)] == left


@pytest.mark.parametrize(
    ("sentence", "args", "left"),
    [
        ("He went and she went.", {"verb": "go", "person": "3sg"}, []),
        ("He went and they went.", {"verb": "go", "person": "3sg"}, ["went"]),
        ("He went but she did not went.", {"verb": "go", "person": "3sg"}, ["did not went"]),
        ("He went, did she went?", {"verb": "go", "person": "3sg", "question": True}, ["went", "did"]),
    ],
)
def test_forms_are_looked_at_for_each_person_polarity_and_order(
    sentence: str, args: dict[str, object], left: list[str]
) -> None:
    observed = observe(("conjugate", {"tense": "past_simple", **args}))
    assert [group.text for group in unseen(sentence, tokenize(sentence), observed, looks=6)] == left


@pytest.mark.parametrize(
    ("sentence", "asks"),
    [
        ("Does she go home?", [False, True]),
        ("Where have you ever been?", [False, True]),
        ("She has never gone home.", [False, False]),
        ("What you are doing?", [False]),
        ("Is he happy?", [False]),
    ],
)
def test_a_group_asks_where_its_subject_stands_behind_the_auxiliary(sentence: str, asks: list[bool]) -> None:
    assert [group.question for group in groups(sentence, tokenize(sentence))] == asks


def test_a_failed_call_counts_as_a_look_so_that_no_group_waits_for_ever() -> None:
    sentence = "Yes, he can."
    failed = observe(("conjugate", {"verb": "can", "tense": "gerund", "person": "3sg"}))
    assert failed[0].evidence == ()
    assert groups(sentence, tokenize(sentence))
    assert unseen(sentence, tokenize(sentence), failed, looks=6) == ()


def test_after_so_many_calls_nothing_waits() -> None:
    assert left(*observe(conjugate("do")), looks=1) == []


def test_an_auxiliary_of_the_run_belongs_to_its_head() -> None:
    sentence = "She have been gone."
    (group,) = groups(sentence, tokenize(sentence))
    assert group.lemmas == ("go",)
    assert group.text == "have been gone"


def test_an_auxiliary_that_stands_apart_is_looked_at_by_itself_but_for_a_modal() -> None:
    sentence = "Do your brother live here?"
    assert [group.lemmas[0] for group in groups(sentence, tokenize(sentence))] == ["do", "live"]
    sentence = "Can your brother lives here?"
    assert [group.lemmas[0] for group in groups(sentence, tokenize(sentence))] == ["live"]


def final(corrected: str | None) -> object:
    answer = {"corrected": corrected, "rationale": [], "spanish_gloss": None, "in_scope": True}
    return {"next": "final_answer", "answer": answer}


def test_no_answer_and_no_gloss_before_each_likely_group_was_looked_at() -> None:
    schema = StepSchema(SENTENCE, observe(conjugate("go")), tuple(tools())).schema()
    assert not any(
        "answer" in branch["properties"] or branch["properties"]["tool"]["const"] == "lookup_spanish"
        for branch in schema["anyOf"]
    )
    assert not Draft202012Validator(schema).is_valid(final(None))


@pytest.mark.parametrize(
    ("sentence", "args", "allowed"),
    [
        ("They had gone.", {"verb": "go", "tense": "past_perfect", "person": "3pl"}, True),
        ("They had gone.", {"verb": "go", "tense": "past_perfect", "person": "3sg"}, False),
        ("He did not liked it.", {"verb": "like", "tense": "present_simple", "person": "3sg"}, False),
        (
            "He did not liked it.",
            {"verb": "like", "tense": "present_simple", "person": "3sg", "negative": True},
            True,
        ),
    ],
)
def test_a_look_takes_person_and_polarity_from_the_sentence(
    sentence: str, args: dict[str, object], allowed: bool
) -> None:
    schema = StepSchema(sentence, (), tuple(tools())).schema()
    step = {"next": "tool_call", "tool": "conjugate", "args": args}
    assert Draft202012Validator(schema).is_valid(step) == allowed


@pytest.mark.parametrize(
    ("sentence", "subject", "verb"),
    [
        ("The list of items are long.", "The list of items", "are"),
        ("Does Mary love him?", "Mary", "Does"),
        ("He have gone home.", "He", "have gone"),
        ("He went home.", None, None),
        ("He can goes home.", None, None),
    ],
)
def test_agreement_is_asked_of_the_finite_word_and_its_own_subject(
    sentence: str, subject: str | None, verb: str | None
) -> None:
    schema = StepSchema(sentence, (), tuple(tools())).schema()
    calls = [
        branch["properties"]["args"]["properties"]
        for branch in schema["anyOf"]
        if branch["properties"]["tool"]["const"] == "check_subject_verb_agreement"
    ]
    assert [call["subject"]["const"] for call in calls] == ([subject] if subject else [])
    assert [call["verb"]["const"] for call in calls] == ([verb] if verb else [])


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The dog bark.", {"check_subject_verb_agreement"}),
        ("The dogs bark.", {"check_subject_verb_agreement", "conjugate"}),
        ("The dog barked.", {"conjugate"}),
        ("The dog goed.", {"lookup_irregular_verb"}),
    ],
)
def test_the_tools_for_a_look_are_those_that_tell_something_of_the_group(
    sentence: str, expected: set[str]
) -> None:
    schema = StepSchema(sentence, (), tuple(tools())).schema()
    assert {branch["properties"]["tool"]["const"] for branch in schema["anyOf"]} == expected


@pytest.mark.parametrize(
    ("sentence", "verbs"),
    [
        ("Neither the judge nor the witness swore last Tuesday.", ["swear"]),
        ("The rain may last the whole week.", ["last"]),
        ("The lessons last two hours.", ["last"]),
    ],
)
def test_last_before_a_day_is_no_verb(sentence: str, verbs: list[str]) -> None:
    assert [group.lemmas[0] for group in groups(sentence, tokenize(sentence))] == verbs


def test_a_base_form_right_behind_a_verb_is_not_asked_for_agreement() -> None:
    sentence = "He wants buy a motorbike."
    assert [group.subject for group in groups(sentence, tokenize(sentence))] == ["He", None]


@pytest.mark.parametrize(
    "sentence",
    [
        "I wish he were taller.",
        "If it were cheap, I would buy it.",
        "The doctor recommends that she stay in bed.",
        "If any help is needed please call me.",
        "The prices are as follows.",
        "The garden shows by the artists are popular.",
        "The television show is boring.",
        "Does a story like this make sense?",
        "A few hours is enough.",
        "The rest are at home.",
    ],
)
def test_what_is_right_does_not_disagree(sentence: str) -> None:
    assert not any(group.disagrees for group in groups(sentence, tokenize(sentence)))


@pytest.mark.parametrize(
    ("sentence", "wrong"),
    [
        ("The list of books are long.", "are"),
        ("My aunt sell flowers.", "sell"),
        ("The television shows is boring.", "is"),
        ("He want to go.", "want"),
        ("I know that the cook need a knife.", "need"),
        ("What does the boxes contain?", "does"),
    ],
)
def test_what_is_wrong_disagrees(sentence: str, wrong: str) -> None:
    assert [group.text for group in groups(sentence, tokenize(sentence)) if group.disagrees] == [wrong]
