"""Masked decoding over a causal language model."""
