"""Read one planner step as strictly as it must have been written (G1)."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_SPACE = re.compile(r"\s")


class NotStrictError(ValueError):
    """The text is not the JSON of a step: not valid, a key twice, or more than one way to write it."""


def read(text: str) -> Any:
    """Parse compact JSON without duplicate keys and without half surrogate pairs.

    Parameters
    ----------
    text : str
        The whole text of a step.

    Returns
    -------
    object
        Dictionaries keep the order of their keys.

    Raises
    ------
    NotStrictError
        What is wrong with it.
    """
    try:
        value = json.loads(text, object_pairs_hook=_without_repeats, parse_constant=_refuse)
    except RecursionError as error:
        raise NotStrictError("nested too deeply") from error
    except json.JSONDecodeError as error:
        raise NotStrictError(f"not JSON: {error}") from error
    if _SPACE.search(_STRING.sub("", text)):
        raise NotStrictError("white space between the tokens of the JSON")
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise NotStrictError("half a surrogate pair") from error
    return value


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise NotStrictError(f"a key is given twice in {[key for key, _ in pairs]}")
    return dict(pairs)


def _refuse(constant: str) -> NoReturn:
    raise NotStrictError(f"{constant} is not JSON")
