"""The grammatical categories of the verb: person, and the cells of the conjugation table."""

from enum import StrEnum


class Person(StrEnum):
    """Person and number of a subject."""

    first_sg = "1sg"
    second_sg = "2sg"
    third_sg = "3sg"
    first_pl = "1pl"
    second_pl = "2pl"
    third_pl = "3pl"


class Tense(StrEnum):
    """A cell of the conjugation table: finite tenses, modal groups, non-finite forms, passives."""

    base = "base"
    to_infinitive = "to_infinitive"
    gerund = "gerund"
    past_participle = "past_participle"
    present_simple = "present_simple"
    past_simple = "past_simple"
    future_simple = "future_simple"
    conditional = "conditional"
    present_continuous = "present_continuous"
    past_continuous = "past_continuous"
    future_continuous = "future_continuous"
    present_perfect = "present_perfect"
    past_perfect = "past_perfect"
    future_perfect = "future_perfect"
    conditional_perfect = "conditional_perfect"
    present_perfect_continuous = "present_perfect_continuous"
    past_perfect_continuous = "past_perfect_continuous"
    can = "can"
    could = "could"
    may = "may"
    might = "might"
    must = "must"
    should = "should"
    could_have = "could_have"
    should_have = "should_have"
    must_have = "must_have"
    might_have = "might_have"
    perfect_infinitive = "perfect_infinitive"
    perfect_base = "perfect_base"
    continuous_base = "continuous_base"
    passive_base = "passive_base"
    passive_to_infinitive = "passive_to_infinitive"
    passive_gerund = "passive_gerund"
    passive_participle = "passive_participle"
    present_passive = "present_passive"
    past_passive = "past_passive"
    future_passive = "future_passive"
    conditional_passive = "conditional_passive"
    present_perfect_passive = "present_perfect_passive"
    past_perfect_passive = "past_perfect_passive"
    present_continuous_passive = "present_continuous_passive"
    past_continuous_passive = "past_continuous_passive"
    can_passive = "can_passive"
    could_passive = "could_passive"
    should_passive = "should_passive"
    must_passive = "must_passive"
    may_passive = "may_passive"
    might_passive = "might_passive"


NON_FINITE = frozenset(
    {
        Tense.base,
        Tense.to_infinitive,
        Tense.gerund,
        Tense.past_participle,
        Tense.perfect_infinitive,
        Tense.perfect_base,
        Tense.continuous_base,
        Tense.passive_base,
        Tense.passive_to_infinitive,
        Tense.passive_gerund,
        Tense.passive_participle,
    }
)
"""Cells that agree with no subject and cannot ask a question."""
