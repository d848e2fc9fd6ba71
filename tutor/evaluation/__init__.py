"""Measuring corrections against references: files of sentences, and scores by ERRANT."""
