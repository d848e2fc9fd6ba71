"""The queries of many runs in one forward pass say what each would say alone, and what plain `transformers` says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tiny import tiny_model
from tutor.decoding.forest import Forest
from tutor.decoding.model import TransformersModel
from tutor.decoding.queries import Context, Decide, Fluency, Predict, Query

TOKENS = st.lists(st.integers(5, 60), min_size=1, max_size=12)
SEQUENCES = st.lists(TOKENS, min_size=1, max_size=6)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> TransformersModel:
    folder: Path = tmp_path_factory.mktemp("tiny")
    return TransformersModel(tiny_model(folder), "cpu", torch.float32)


def forest_of(sequences: list[list[int]]) -> Forest:
    forest = Forest()
    for sequence in sequences:
        forest.add([3, *sequence])
    return forest


def context_of(model: TransformersModel, ids: list[int]) -> Context:
    context = model.context()
    context.append(ids)
    return context


def plain_logits(model: TransformersModel, ids: list[int]) -> torch.Tensor:
    with torch.inference_mode():
        logits: torch.Tensor = model.causal_lm(torch.tensor([ids])).logits[0]
    return logits


@settings(max_examples=25, deadline=None)
@given(sequences=SEQUENCES)
def test_fluency_is_what_the_plain_model_says_of_each_sequence(
    model: TransformersModel, sequences: list[list[int]]
) -> None:
    forest = Forest()
    paths = [forest.add([3, *sequence]) for sequence in sequences]
    (found,) = model.answer([Fluency(forest)])
    for sequence, path in zip(sequences, paths, strict=True):
        expected = plain_logits(model, [3, *sequence]).log_softmax(-1)[:-1]
        chosen = expected.gather(1, torch.tensor(sequence).unsqueeze(1)).squeeze(1)
        torch.testing.assert_close(found[path[1:]], chosen, atol=1e-4, rtol=0)
        assert found[path[0]] == 0


@settings(max_examples=25, deadline=None)
@given(sequences=SEQUENCES)
def test_decisions_are_normalised_among_siblings_and_free_where_there_is_no_rival(
    model: TransformersModel, sequences: list[list[int]]
) -> None:
    forest = forest_of(sequences)
    (found,) = model.answer([Decide(forest)])
    branching = forest.branching()
    for nodes in branching.values():
        torch.testing.assert_close(found[nodes].exp().sum(), torch.tensor(1.0))
    rivals = {node for nodes in branching.values() for node in nodes}
    assert all(found[node] == 0 for node in range(len(forest)) if node not in rivals)


@settings(max_examples=25, deadline=None)
@given(texts=st.lists(st.tuples(TOKENS, TOKENS, TOKENS), min_size=1, max_size=5), sequences=SEQUENCES)
def test_queries_answered_together_are_answered_as_alone(
    model: TransformersModel, texts: list[tuple[list[int], list[int], list[int]]], sequences: list[list[int]]
) -> None:
    allowed = np.array([7, 8, 9])
    together = [context_of(model, prompt) for prompt, _, _ in texts]
    forest = forest_of(sequences)
    for part in (0, 1, 2):
        if part:
            for context, text in zip(together, texts, strict=True):
                context.append(text[part])
        queries: list[Query] = [Predict(context, allowed) for context in together]
        *found, decided, fluent = model.answer([*queries, Decide(forest), Fluency(forest)])
        for text, logits in zip(texts, found, strict=True):
            ids = [token for piece in text[: part + 1] for token in piece]
            torch.testing.assert_close(logits, plain_logits(model, ids)[-1][allowed], atol=1e-4, rtol=0)
        alone = [model.answer([query])[0] for query in (Decide(forest), Fluency(forest))]
        torch.testing.assert_close([decided, fluent], alone, atol=1e-4, rtol=0)
    assert all(
        context.cached == len(context) == sum(map(len, text))
        for context, text in zip(together, texts, strict=True)
    )


@settings(max_examples=25, deadline=None)
@given(prompt=TOKENS, more=TOKENS, sequences=SEQUENCES, data=st.data())
def test_a_choice_behind_what_a_context_has_run_is_the_choice_without_it(
    model: TransformersModel,
    prompt: list[int],
    more: list[int],
    sequences: list[list[int]],
    data: st.DataObject,
) -> None:
    forest, context = (
        forest_of([[*prompt, *sequence] for sequence in sequences]),
        context_of(model, [3, *prompt]),
    )
    model.answer([Predict(context, np.array([7, 8]), keep=data.draw(st.booleans()))])
    shared = data.draw(st.integers(0, 1 + len(prompt)))
    found, plain = model.answer([Decide(forest, context, shared), Decide(forest)])
    torch.testing.assert_close(found, plain, atol=1e-4, rtol=0)
    context.append(more)
    (after,) = model.answer([Predict(context, np.array([7, 8]))])
    torch.testing.assert_close(after, plain_logits(model, [3, *prompt, *more])[-1][[7, 8]], atol=1e-4, rtol=0)


def test_allowed_tokens_get_the_same_logits_with_and_without_the_whole_vocabulary(
    model: TransformersModel,
) -> None:
    allowed = np.array([4, 17, 40_000])
    some, whole = model.answer(
        [Predict(context_of(model, [5, 6]), allowed, whole=whole) for whole in (False, True)]
    )
    assert torch.equal(whole[allowed], some)
    assert len(whole) == model.causal_lm.config.vocab_size


def test_the_memory_of_contexts_is_used_again_and_given_back(model: TransformersModel) -> None:
    sizes = set()
    for _ in range(3):
        contexts = [context_of(model, [5, 6, 7] * 100) for _ in range(4)]
        model.answer([Predict(context, np.array([1])) for context in contexts])
        sizes.add(len(model._cache.keys[0]))
        del contexts
    assert len(sizes) == 1
    assert min(sizes) >= 1200
    assert model._cache.keys[0].numel() == 0
