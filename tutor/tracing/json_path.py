"""Where in a growing JSON text one stands: the path that a token record names."""

from __future__ import annotations

from typing import Literal

Place = Literal["key", "string", "value", "separator"]
"""In a key; in a string that is a value; where a value begins; or in the punctuation between."""


def json_path(text: str) -> str:
    """Return where the beginning of a JSON text stands, as `JsonPath` does piece by piece."""
    path = JsonPath()
    path.feed(text)
    return str(path)


class JsonPath:
    """Follows a JSON text as it is written, piece by piece.

    A piece may end anywhere, even in an escape. Where the text is no JSON the path means nothing, but following it is safe.

    Examples
    --------
    >>> path = JsonPath()
    >>> path.feed('{"args":{"verb":"g')
    >>> str(path)
    '$.args.verb'
    """

    def __init__(self) -> None:
        self._frames: list[str | int | None] = []  # a key, an index, or None where a key is due
        self._key: list[str] | None = None  # letters of the key being written
        self._in_string = False
        self._escaped = False
        self._last = ""  # structure character before which one stands

    @property
    def place(self) -> Place:
        """What the next character is part of."""
        if self._in_string:
            return "string" if self._key is None else "key"
        if self._last in ("", ":", "[") or (self._last == "," and isinstance(self._frames[-1], int)):
            return "value"
        return "separator"

    def feed(self, text: str) -> None:
        """Follow one more piece of the text."""
        for char in text:
            if self._in_string:
                self._in_string_char(char)
            else:
                self._structure_char(char)

    def __str__(self) -> str:
        """Return the path of the value being written, ``$`` at the top and between members."""
        parts = ["$"]
        for frame in self._frames:
            if isinstance(frame, int):
                parts.append(f"[{frame}]")
            elif frame is not None:
                parts.append(f".{frame}" if frame.isidentifier() else f"['{frame}']")
        return "".join(parts)

    def _in_string_char(self, char: str) -> None:
        if self._escaped:
            self._escaped = False
        elif char == "\\":
            self._escaped = True
        elif char == '"':
            self._in_string = False
            if self._key is not None:
                self._frames[-1] = "".join(self._key)
                self._key = None
            return
        if self._key is not None:
            self._key.append(char)

    def _structure_char(self, char: str) -> None:
        self._last = char
        if char == '"':
            self._in_string = True
            if self._frames and self._frames[-1] is None:
                self._key = []
        elif char == "{":
            self._frames.append(None)
        elif char == "[":
            self._frames.append(0)
        elif not self._frames:
            return
        elif char in "]}":
            self._frames.pop()
        elif char == ",":
            top = self._frames[-1]
            self._frames[-1] = top + 1 if isinstance(top, int) else None
