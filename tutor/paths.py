"""Where the data folders lie: inside the installed package, or beside it in a checkout."""

from importlib.resources import files
from pathlib import Path


def _data_dir(name: str) -> Path:
    package = Path(str(files("tutor")))
    installed = package / name
    return installed if installed.is_dir() else package.parent / name


def corpus_dir() -> Path:
    """Return the folder of lexicons and hand-written sentences."""
    return _data_dir("corpus")


def models_dir() -> Path:
    """Return the folder of shipped weights."""
    return _data_dir("models")
