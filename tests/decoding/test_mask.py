import json
import re

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tutor.decoding import mask as mask_module
from tutor.decoding.mask import Mask, MaskError, Schema, canary
from tutor.decoding.tokenizer import Tokenizer


def walk(tokenizer: Tokenizer, schema: Schema, seed: int) -> str:
    """Decode a schema with uniformly random choices among the allowed tokens."""
    generator = torch.Generator().manual_seed(seed)
    mask, ids = Mask(tokenizer, schema), []
    while not mask.finished:
        tokens = mask.forced()
        if not tokens:
            allowed = mask.allowed()
            tokens = [int(allowed[int(torch.randint(len(allowed), (), generator=generator))])]
        mask.consume(tokens)
        ids += tokens
    return tokenizer.decode_bytes(ids).decode()


@settings(max_examples=60, deadline=None)
@given(words=st.lists(st.text(st.characters(codec="utf-8", max_codepoint=0x3FFFF), min_size=1, max_size=9), min_size=1),
       seed=st.integers(0, 2**31))  # fmt: skip
def test_an_anchored_pattern_lets_exactly_its_texts_through(
    tokenizer: Tokenizer, words: list[str], seed: int
) -> None:
    pattern = "|".join(re.sub(r"([\\.+*?()|\[\]{}^$])", r"\\\1", word) for word in words)
    text = walk(tokenizer, {"type": "string", "pattern": f"^(?:{pattern})$"}, seed)
    assert json.loads(text) in words


def test_a_token_that_the_schema_forbids_is_refused(tokenizer: Tokenizer) -> None:
    mask = Mask(tokenizer, {"const": "yes"})
    with pytest.raises(MaskError):
        mask.consume(tokenizer.encode('"no"'))


def test_a_schema_that_does_not_compile_is_an_error_not_an_open_mask(tokenizer: Tokenizer) -> None:
    with pytest.raises(MaskError):
        Mask(tokenizer, {"type": "string", "pattern": "^("})


def test_the_canary_passes_where_masks_constrain(tokenizer: Tokenizer) -> None:
    canary(tokenizer)


def test_the_canary_refuses_a_mask_that_lets_everything_through(
    tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    import numpy as np

    monkeypatch.setattr(mask_module.Mask, "allowed", lambda self: np.arange(tokenizer.size))
    with pytest.raises(MaskError, match="not applied"):
        canary(tokenizer)
