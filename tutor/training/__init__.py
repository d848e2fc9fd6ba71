"""Data generation, fine-tuning and evaluation."""
