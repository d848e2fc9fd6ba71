import pytest

from tutor.language.morphology import Person
from tutor.language.subject_number import persons
from tutor.language.tokens import tokenize


@pytest.mark.parametrize(
    ("subject", "numbers"),
    [
        ("The list of items", "sg"),
        ("A number of people", "pl"),
        ("The number of people", "sg"),
        ("One of my friends", "sg"),
        ("Each of the boys", "sg"),
        ("Most of the water", "sg"),
        ("Most of the students", "pl"),
        ("None of them", "either"),
        ("Everyone in the houses", "sg"),
        ("My brother and my sister", "pl"),
        ("The bag of apples and pears", "sg"),
        ("Either the dogs or the cat", "either"),
        ("The team", "either"),
        ("The police", "pl"),
        ("The news", "sg"),
        ("Mathematics", "sg"),
        ("These scissors", "pl"),
        ("His advice", "sg"),
        ("The childrens", "pl"),
        ("Many informations", "pl"),
        ("Ten dollars", "either"),
        ("Two cats", "pl"),
        ("Reading books", "sg"),
        ("To travel", "sg"),
        ("What they want", "either"),
        ("The rich", "pl"),
        ("The boys standing over there", "pl"),
        ("The boy who likes dogs", "sg"),
        ("The United States", "sg"),
        ("There are many problems", "pl"),
        ("which", "either"),
    ],
)
def test_number_of_third_person_subjects(subject: str, numbers: str) -> None:
    found = persons(tokenize(subject))
    expected = {
        "sg": {Person.third_sg},
        "pl": {Person.third_pl},
        "either": {Person.third_sg, Person.third_pl},
    }
    assert found[0] in expected[numbers]
    if numbers != "pl":
        assert set(found) == expected[numbers]


@pytest.mark.parametrize(
    ("subject", "person"),
    [
        ("I", Person.first_sg),
        ("You", Person.second_sg),
        ("We", Person.first_pl),
        ("My friend and I", Person.first_pl),
        ("You and your sister", Person.second_pl),
    ],
)
def test_first_and_second_person(subject: str, person: Person) -> None:
    assert persons(tokenize(subject))[0] is person


def test_a_subject_without_words_is_undecided() -> None:
    assert len(persons(tokenize("..."))) == 2
