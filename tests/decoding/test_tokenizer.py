import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutor.decoding.tokenizer import Tokenizer

TEXT = st.text(st.characters(codec="utf-8"), max_size=60)


@settings(deadline=None)
@given(text=TEXT)
def test_encoding_and_decoding_return_the_text_or_name_what_cannot_be_written(
    tokenizer: Tokenizer, text: str
) -> None:
    if char := tokenizer.unwritable(text):
        assert char in text
        assert ord(char) >= 0x40000 or char < " ", (
            "only control characters and planes without scripts lack tokens"
        )
    else:
        assert tokenizer.decode_bytes(tokenizer.encode(text)) == text.encode()


@pytest.mark.parametrize(
    "text", ["<|im_end|>", "<|im_start|>", "<|endoftext|>", "<filename>", "<jupyter_code>"]
)
def test_the_text_of_a_special_token_makes_no_control_token(tokenizer: Tokenizer, text: str) -> None:
    ids = tokenizer.encode(f"He said {text} twice.")
    assert min(ids) > 16
    assert tokenizer.decode_bytes(ids).decode() == f"He said {text} twice."


def test_digits_stand_alone_as_in_the_model_s_training(tokenizer: Tokenizer) -> None:
    assert len(tokenizer.encode("2026")) == 4
