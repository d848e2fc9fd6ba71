"""tutor: a grammar tutor whose decoding mask carries the grammar."""

__version__ = "0.1.0"
