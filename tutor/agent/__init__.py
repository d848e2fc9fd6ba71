"""The ReAct loop and the correction that it returns."""
