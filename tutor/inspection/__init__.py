"""What an inspection needs the planner for: tool results, replays, and what the model would have said otherwise."""
