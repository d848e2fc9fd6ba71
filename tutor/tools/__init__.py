"""The tools that the planner may call, one file each, and their registry."""
