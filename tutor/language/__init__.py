"""English and Spanish: tokens, verb groups, morphology, agreement, glosses."""
