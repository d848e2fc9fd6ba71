"""The tokenizer, with the text of special tokens made plain text.

A sentence may hold the text ``<|im_end|>``. Under the tokenizer's own names that text would turn into a control token in the
prompt and break the mask's matcher, so every special token is renamed to a string that nobody can write before the tokenizer
and the mask's tokenizer are built from one and the same JSON.
"""

from __future__ import annotations

import json
import secrets
from functools import cached_property
from pathlib import Path
from typing import Any

import tokenizers
from llguidance import LLTokenizer

from tutor.decoding.weights import WeightsError


def _rename_special_tokens(spec: dict[str, Any]) -> dict[str, Any]:
    nonce = secrets.token_hex(8)
    vocab = spec["model"]["vocab"]
    for added in spec["added_tokens"]:
        name = f"<|{nonce}:{added['id']}|>"
        vocab.pop(added["content"], None)
        vocab[name] = added["id"]
        added["content"] = name
    return spec


class Tokenizer:
    """Text to token ids and back, over one tokenizer for prompt and mask.

    Parameters
    ----------
    folder : Path
        Model folder with ``tokenizer.json`` and ``config.json``.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / "tokenizer.json"
        if not path.is_file():
            raise WeightsError(f"{path} is missing; give a folder in Hugging Face layout to --model")
        config = json.loads((folder / "config.json").read_text("utf-8"))
        eos = config.get("eos_token_id")
        self.eos: int = eos[0] if isinstance(eos, list) else eos
        self._json = json.dumps(_rename_special_tokens(json.loads(path.read_text("utf-8"))))
        self._tokenizer = tokenizers.Tokenizer.from_str(self._json)
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    @property
    def size(self) -> int:
        """Number of token ids."""
        return self._tokenizer.get_vocab_size()

    @cached_property
    def guidance(self) -> LLTokenizer:
        """The same tokenizer for llguidance."""
        return LLTokenizer(self._json, eos_token=self.eos)

    def encode(self, text: str) -> list[int]:
        """Return the canonical token ids of a text; no text makes a control token."""
        return self._tokenizer.encode(text, add_special_tokens=False).ids

    def unwritable(self, text: str) -> str | None:
        """Return the first character that no tokens of the vocabulary spell, or None."""
        if self.decode_bytes(self.encode(text)) == text.encode():
            return None
        return next(char for char in text if self.decode_bytes(self.encode(char)) != char.encode())

    def encode_batch(self, texts: list[str]) -> list[list[int]]:
        """Return the canonical token ids of several texts."""
        return [
            encoding.ids for encoding in self._tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        ]

    def decode_bytes(self, ids: list[int]) -> bytes:
        """Return the bytes that the tokens stand for, whole characters or not."""
        return self.guidance.decode_bytes(ids)
