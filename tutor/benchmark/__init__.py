"""How fast the tutor is, against what others would write and against what the machine can do."""
