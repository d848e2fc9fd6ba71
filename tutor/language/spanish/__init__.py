"""Spanish: conjugation, a ranked bilingual lexicon, and glosses of simple clauses."""
