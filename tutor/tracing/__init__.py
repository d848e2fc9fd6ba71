"""Trace records, their writer and reader, and the terminal view."""
