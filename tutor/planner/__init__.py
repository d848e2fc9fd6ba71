"""What a planner step may say: lattice, per-step schema, prompt, choice."""
