from collections import Counter
from collections.abc import Sequence

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.planner.test_lattice import conjugate, observe
from tutor.decoding.queries import Context, Predict, Query, run_alone
from tutor.decoding.tokenizer import Tokenizer
from tutor.planner.choice import ChoiceWeights, Chooser, features, stretches
from tutor.planner.lattice import lattice
from tutor.planner.scores import CANDIDATES, LIKELY, Scores, score


class Prefers:
    """A model that finds one text likelier than every other."""

    def __init__(self, tokenizer: Tokenizer, text: str, dislike: float = -3.0) -> None:
        self.tokenizer, self._dislike = tokenizer, dislike
        self._wanted = set(tokenizer.encode(f" {text}"))

    def context(self) -> Context:
        raise NotImplementedError

    def answer(self, queries: Sequence[Query]) -> list[torch.Tensor]:
        return [self._scores(query) for query in queries]

    def _scores(self, query: Query) -> torch.Tensor:
        assert not isinstance(query, Predict)
        return torch.tensor([0.0 if token in self._wanted else self._dislike for token in query.forest.ids])


SENTENCE = "He goed home and they was happy."
OBSERVED = observe(conjugate("go"), conjugate("be", "3pl"))
PLAIN = ChoiceWeights(bias=0.0, weights={"fluency": 1.0, "error_model": 1.0})


def test_the_likeliest_alternative_of_each_stretch_is_chosen(tokenizer: Tokenizer) -> None:
    model = Prefers(tokenizer, "He went home and they were happy.")
    choice = run_alone(model, Chooser(tokenizer, PLAIN).choose(lattice(SENTENCE, OBSERVED), OBSERVED))
    assert choice.corrected == "He went home and they were happy."
    assert [edit.replacement.text for edit in choice.edits] == ["went", "were"]


def test_the_unchanged_sentence_is_an_alternative_too(tokenizer: Tokenizer) -> None:
    model = Prefers(tokenizer, SENTENCE)
    choice = run_alone(model, Chooser(tokenizer, PLAIN).choose(lattice(SENTENCE, OBSERVED), OBSERVED))
    assert choice.corrected is None
    assert not choice.edits


def test_a_higher_threshold_never_adds_an_edit(tokenizer: Tokenizer) -> None:
    model, chooser = Prefers(tokenizer, "He went home and they were happy."), Chooser(tokenizer, PLAIN)
    found = lattice(SENTENCE, OBSERVED)
    counts = [
        len(run_alone(model, chooser.choose(found, OBSERVED, min_confidence=p)).edits)
        for p in (0.0, 0.5, 0.9, 0.999, 1.0)
    ]
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] == 0


def test_a_sampled_choice_depends_on_its_seed_alone(tokenizer: Tokenizer) -> None:
    model, chooser = Prefers(tokenizer, SENTENCE), Chooser(tokenizer, PLAIN)
    found = lattice(SENTENCE, OBSERVED)

    def sampled(seed: int) -> str | None:
        generator = torch.Generator().manual_seed(seed)
        return run_alone(model, chooser.choose(found, OBSERVED, generator=generator)).corrected

    assert [sampled(seed) for seed in range(5)] == [sampled(seed) for seed in range(5)]


def test_rivals_share_a_stretch_exactly_when_their_spans_touch_the_same_word() -> None:
    found = lattice("I will going home and he goed.", observe(conjugate("go")))
    groups = stretches([Scores(item, 0.0, 0.0) for item in found.replacements])
    spans = [
        {index for s in group for index in range(s.replacement.first, s.replacement.last + 1)}
        for group in groups
    ]
    assert spans == [{1, 2}, {6}]


def test_the_likely_replacements_of_each_verb_group_are_scored_for_fluency(tokenizer: Tokenizer) -> None:
    found = lattice(SENTENCE, OBSERVED)
    scored = run_alone(Prefers(tokenizer, SENTENCE), score(tokenizer, found))
    counts = Counter(item.replacement.group.head for item in scored)
    assert set(counts) == {item.group.head for item in found.replacements}
    assert max(counts.values()) == CANDIDATES < len(found.replacements)
    assert all(item.error_model >= LIKELY for item in scored)


def test_what_the_error_model_finds_unlikely_is_not_weighed(tokenizer: Tokenizer) -> None:
    model = Prefers(tokenizer, SENTENCE, dislike=2 * LIKELY)
    scored = run_alone(model, score(tokenizer, lattice(SENTENCE, OBSERVED)))
    assert [item.replacement.text for item in scored] == ["go"]  # it is spelled with tokens of "goed" alone


def test_scores_of_a_replacement_are_the_difference_to_the_sentence(tokenizer: Tokenizer) -> None:
    found = lattice(SENTENCE, OBSERVED)
    for item in run_alone(Prefers(tokenizer, SENTENCE), score(tokenizer, found)):
        assert item.fluency <= 0.0
        assert item.error_model <= 0.0


@pytest.mark.parametrize(("verb", "disagrees"), [("go", {"goes"}), ("goes", set())])
def test_what_answers_a_disagreement_is_marked(verb: str, disagrees: set[str]) -> None:
    sentence = f"He {verb} home."
    observed = observe(("check_subject_verb_agreement", {"subject": "He", "verb": verb}))
    found = lattice(sentence, observed)
    rows = {item.text: features(found, observed, Scores(item, 0.0, 0.0)) for item in found.replacements}
    assert {text for text, row in rows.items() if row["disagrees"]} == disagrees


def test_the_likeliest_edit_is_made_from_the_threshold_on() -> None:
    weights = ChoiceWeights(min_confidence=0.5)
    assert weights.decide([0.1, 0.5]) == 1
    assert weights.decide([0.3, 0.4, 0.25]) is None


@given(st.floats(-40, 40), st.floats(-40, 40))
def test_scores_are_clipped_and_fluency_has_a_second_slope(fluency: float, error_model: float) -> None:
    observed = observe(conjugate("go"))
    found = lattice("He go home.", observed)
    row = features(found, observed, Scores(found.replacements[0], fluency, error_model))
    assert row["fluency"] == max(-20.0, min(20.0, fluency))
    assert row["fluency_above"] == max(row["fluency"] - 6.0, 0.0)
    assert row["error_model"] == max(-20.0, min(20.0, error_model))
