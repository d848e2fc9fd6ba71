"""The registry: the tools by name, and the one way to call them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from pydantic import ValidationError

from tutor.tools import check_subject_verb_agreement, conjugate, lookup_irregular_verb, lookup_spanish
from tutor.tools.base import Tool, ToolError, ToolResult


@cache
def tools() -> Mapping[str, Tool]:
    """Return every tool by name, in the order in which the schema lists them."""
    modules = (conjugate, lookup_irregular_verb, check_subject_verb_agreement, lookup_spanish)
    return {module.TOOL.name: module.TOOL for module in modules}


def call(name: str, args: Mapping[str, object]) -> ToolResult:
    """Call a tool and return its result; a failure comes back as a `ToolError`, never as an exception.

    Parameters
    ----------
    name : str
        Name of a registered tool.
    args : mapping
        Its arguments, validated against the tool's argument model.

    Returns
    -------
    ToolResult
        The tool's own result, or a `ToolError` that says what was wrong.
    """
    tool = tools().get(name)
    if tool is None:
        return ToolError(error=f"no tool named {name!r}; the tools are {', '.join(tools())}")
    try:
        return tool.run(tool.arguments.model_validate(args))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return ToolError(error=f"{where}: {first['msg']}")
    except ValueError as error:
        return ToolError(error=str(error))
