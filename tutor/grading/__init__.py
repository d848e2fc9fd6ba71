"""Grading a corpus: rows in, a ledger of finished shards, files of results out."""
