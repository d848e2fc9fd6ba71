"""The command line. `main` is the entry point of the ``tutor`` script."""

from tutor.cli.app import main

__all__ = ["main"]
