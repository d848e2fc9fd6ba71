"""What every tool shares: arguments in, a result that states its evidence out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import BaseModel, ConfigDict


class Evidence(BaseModel):
    """One form that a tool returned as correct.

    Attributes
    ----------
    lemma : str
        The verb that the form belongs to, for example ``"go"``.
    form : str
        The form in lower case, words separated by single spaces: ``"has gone"``.
    slot : str
        The cell of the paradigm, a `Tense` value such as ``"past_simple"`` or ``"third_person"``.
    person : str or None
        The person the form was conjugated for, where that matters.
    """

    model_config = ConfigDict(frozen=True)

    lemma: str
    form: str
    slot: str
    person: str | None = None


class ToolResult(BaseModel):
    """What a tool found. Subclasses add their own fields."""

    model_config = ConfigDict(frozen=True)

    def evidence(self) -> tuple[Evidence, ...]:
        """Return the forms that this result states to be correct."""
        return self._evidence

    @cached_property
    def _evidence(self) -> tuple[Evidence, ...]:
        """Worked out once; a result that states forms overrides it."""
        return ()

    def prompt_text(self) -> str:
        """Return the observation as the model reads it, short."""
        raise NotImplementedError


class ToolError(ToolResult):
    """A call that could not be answered. Never evidence."""

    error: str

    def prompt_text(self) -> str:
        """Return the error message."""
        return f"error: {self.error}"


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool of the registry: a pure function with a pydantic argument model."""

    name: str
    description: str
    arguments: type[BaseModel]
    run: Callable[[Any], ToolResult]
