"""What a mask does to a distribution, against the plain definitions."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tutor.decoding.distribution import distribution
from tutor.decoding.tokenizer import Tokenizer


@settings(deadline=None, max_examples=30)
@given(
    seed=st.integers(0, 2**32 - 1), open_=st.integers(1, 2000), all_but=st.booleans(), top=st.integers(1, 5)
)
def test_the_fields_are_those_of_the_definitions(
    tokenizer: Tokenizer, seed: int, open_: int, all_but: bool, top: int
) -> None:
    rng = np.random.default_rng(seed)
    size = tokenizer.size
    logits = torch.from_numpy(rng.normal(scale=4, size=size).astype("float32"))
    logits[rng.integers(0, size, 5)] = -torch.inf
    allowed = np.sort(rng.permutation(size)[: size - open_ if all_but else open_])
    token = int(rng.choice(allowed))
    found = distribution(tokenizer, logits, allowed, token, top)

    before = logits.double().softmax(0)
    mass = before[allowed].sum()
    assert found["allowed"] == len(allowed)
    assert found["blocked_mass"] == pytest.approx(float(1 - mass), abs=1e-5)
    after = before[allowed] / mass
    assert found["entropy_before"] == pytest.approx(float(torch.special.entr(before).sum()), abs=1e-4)
    assert found["entropy_after"] == pytest.approx(float(torch.special.entr(after).sum()), abs=1e-4)
    shut = torch.ones(size, dtype=torch.bool)
    shut[allowed] = False
    assert found["best_blocked"].probability == pytest.approx(float(before[shut].max()), rel=1e-3)
    assert not found["best_blocked"].allowed
    rivals = [place for place in allowed if place != token]
    assert (found["best_rival"] is None) == (not rivals)
    if rivals:
        assert found["best_rival"].token_id != token
        assert found["best_rival"].allowed
        assert found["best_rival"].probability == pytest.approx(float(before[rivals].max()), rel=1e-3)
    assert [each.probability for each in found["top"]] == pytest.approx(
        before.topk(top).values.tolist(), rel=1e-3
    )
    assert all(each.allowed == (each.token_id in allowed) for each in found["top"])
