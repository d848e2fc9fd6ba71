"""What several tests share: the shipped tokenizer, loaded once."""

import pytest

from tutor.decoding.tokenizer import Tokenizer
from tutor.paths import models_dir


@pytest.fixture(scope="session")
def tokenizer() -> Tokenizer:
    return Tokenizer(models_dir() / "tutor-135m")
