import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutor.language.morphology import Person, Tense
from tutor.language.tokens import tokenize
from tutor.language.verb_groups import GroupAnalysis, VerbGroup, analyse, group_text, verb_groups

PIECES = "the boy who he she there is are have will can to not go goes goed went like and that , . ? 's n't"


def groups(sentence: str) -> dict[str, VerbGroup]:
    """Return the likely groups of main verbs by their text."""
    tokens = tokenize(sentence)
    found = [group for group in verb_groups(tokens) if group.likely and not group.is_auxiliary]
    return {group_text(sentence, tokens, group): group for group in found}


def reading(sentence: str, text: str) -> tuple[GroupAnalysis, str | None]:
    tokens = tokenize(sentence)
    analysis = analyse(tokens, groups(sentence)[text])
    if analysis.subject is None:
        return analysis, None
    first, end = analysis.subject
    return analysis, sentence[tokens[first].start : tokens[end - 1].end]


@settings(deadline=None)  # the first call loads the lexicon
@given(st.lists(st.sampled_from(PIECES.split()), max_size=14).map(" ".join) | st.text(max_size=60))
def test_groups_of_any_text_are_well_formed(sentence: str) -> None:
    tokens = tokenize(sentence)
    found = verb_groups(tokens)
    assert [group.head for group in found] == sorted({group.head for group in found})
    for group in found:
        assert 0 <= group.first <= group.head < len(tokens)
        assert group.lemmas
        assert group.first == group.head or not group.is_auxiliary
        subject = analyse(tokens, group).subject
        assert subject is None or 0 <= subject[0] < subject[1] <= len(tokens)


@pytest.mark.parametrize(
    ("sentence", "run"),
    [
        ("I will going to the shop.", "will going"),
        ("My sister can to swim.", "can to swim"),
        ("I am agree with you.", "am agree"),
        ("We not like cheese.", "not like"),
        ("She didn't went there.", "didn't went"),
        ("They don't likes it.", "don't likes"),
        ("Pedro has ate the cake.", "has ate"),
        ("He must to can goes home.", "must to can goes"),
        ("It is been broken twice.", "is been broken"),
        ("She wants to sings.", "to sings"),
    ],
)
def test_a_run_covers_auxiliaries_to_and_not_before_the_head(sentence: str, run: str) -> None:
    assert run in groups(sentence)


@pytest.mark.parametrize("wrong", ["goed", "choosed", "writed", "beeing", "studing"])
def test_learner_forms_are_heads(wrong: str) -> None:
    assert wrong in groups(f"Yesterday she {wrong} a lot.")


@pytest.mark.parametrize(
    ("sentence", "noun"),
    [
        ("They went for a walk.", "walk"),
        ("The works of this painter are famous.", "works"),
        ("His answer was short.", "answer"),
        ("He opened the can slowly.", "can"),
        ("We need some help with the plan.", "plan"),
    ],
)
def test_nouns_that_look_like_verbs_are_unlikely(sentence: str, noun: str) -> None:
    assert noun not in groups(sentence)
    tokens = tokenize(sentence)
    assert noun in {group_text(sentence, tokens, group) for group in verb_groups(tokens)}


@pytest.mark.parametrize(
    "sentence", ["The gardeners smile.", "My cousin and her friends dance.", "The dogs bark and bite."]
)
def test_a_subject_finds_its_verb_even_if_it_looks_like_a_noun(sentence: str) -> None:
    assert groups(sentence)


def test_an_auxiliary_is_a_group_of_its_own() -> None:
    tokens = tokenize("Did he have gone?")
    found = {tokens[group.head].text: group.is_auxiliary for group in verb_groups(tokens) if group.likely}
    assert found == {"Did": True, "have": True, "gone": False}


@pytest.mark.parametrize("sentence", ["She has a car.", "They do the shopping.", "He is here."])
def test_main_verb_be_have_do_are_heads(sentence: str) -> None:
    assert len(groups(sentence)) == 1


@pytest.mark.parametrize(
    ("sentence", "text", "subject"),
    [
        ("The list of prices are too long.", "are", "The list of prices"),
        ("The teachers that helped the boy live here.", "live", "The teachers"),
        ("The teachers that helped the boy live here.", "helped", "The teachers"),
        ("The cakes the girls bake taste good.", "bake", "the girls"),
        ("The cakes the girls bake taste good.", "taste", "The cakes"),
        ("My brother and his wife live in Lima.", "live", "My brother and his wife"),
        ("My mother thinks the neighbours talks too much.", "talks", "the neighbours"),
        ("There is many reasons.", "is", "many reasons"),
        ("Where is my shoes?", "is", "my shoes"),
        ("Does your parents work here?", "work", "your parents"),
        ("He comes home and watch television.", "watch", "He"),
        ("What she says are true.", "are", "What she says"),
        ("Swimming in the rivers are dangerous.", "are", "Swimming in the rivers"),
        ("The people in the small house next to the church sings.", "sings", "The people in the small house"),
    ],
)
def test_subjects_are_found(sentence: str, text: str, subject: str) -> None:
    found = reading(sentence, text)[1]
    assert found is not None
    assert found.startswith(subject)


@pytest.mark.parametrize(
    ("sentence", "text", "tense", "person", "negative"),
    [
        ("I will going home.", "will going", Tense.future_simple, Person.first_sg, False),
        ("She didn't went.", "didn't went", Tense.past_simple, Person.third_sg, True),
        ("We am agree.", "am agree", Tense.present_simple, Person.first_pl, False),
        (
            "He has been working.",
            "has been working",
            Tense.present_perfect_continuous,
            Person.third_sg,
            False,
        ),
        ("They were seen.", "were seen", Tense.past_passive, Person.third_pl, False),
        ("The door can be opened.", "can be opened", Tense.can_passive, Person.third_sg, False),
        ("You should have told me.", "should have told", Tense.should_have, Person.second_sg, False),
        ("I want to goes.", "to goes", Tense.to_infinitive, None, False),
    ],
)
def test_tense_person_and_polarity(
    sentence: str, text: str, tense: Tense, person: Person | None, negative: bool
) -> None:
    found = reading(sentence, text)[0]
    assert (found.tense, found.person, found.negative) == (tense, person, negative)


def test_the_finite_word_of_a_question_stands_apart() -> None:
    sentence = "Does she likes it?"
    assert reading(sentence, "likes")[0].finite == 0


@pytest.mark.parametrize(
    ("sentence", "text", "person"),
    [
        ("They painting the fence.", "painting", Person.third_pl),
        ("I broken my arm.", "broken", Person.first_sg),
        ("The dogs barking all night.", "barking", Person.third_pl),
        ("The dogs barking outside are hers.", "barking", None),
    ],
)
def test_a_verb_that_lacks_its_auxiliary_has_the_person_of_the_subject_before_it(
    sentence: str, text: str, person: Person | None
) -> None:
    found = reading(sentence, text)[0]
    assert (found.person, found.finite, found.subject) == (person, None, None)


@pytest.mark.parametrize(
    ("sentence", "text", "finite"),
    [
        ("Thank you for help me.", "help", False),
        ("She is interested in draw portraits.", "draw", False),
        ("The people I work with know me.", "know", True),
        ("The city they come from has a port.", "has", True),
    ],
)
def test_a_base_form_right_behind_a_preposition_is_not_finite_unless_that_belongs_to_a_verb(
    sentence: str, text: str, finite: bool
) -> None:
    assert (reading(sentence, text)[0].finite is not None) == finite
