"""``tutor tools`` and ``tutor tool NAME``: the registry by hand."""

from __future__ import annotations

import json
from enum import Enum
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from tutor.tools.base import Tool


def list_tools(
    json_output: Annotated[bool, typer.Option("--json", help="Print one JSON array.")] = False,
) -> None:
    """List the tools with the JSON schemas of their arguments."""
    from tutor.tools.registry import tools

    listing = [
        {"name": tool.name, "description": tool.description, "parameters": tool.arguments.model_json_schema()}
        for tool in tools().values()
    ]
    if json_output:
        typer.echo(json.dumps(listing, ensure_ascii=False))
        return
    for entry in listing:
        typer.echo(f"{entry['name']}: {entry['description']}")
        typer.echo(f"{json.dumps(entry['parameters'], ensure_ascii=False)}\n")


class ToolGroup(TyperGroup):
    """One command for each registered tool, made when it is asked for: ``tutor --help`` loads no tool."""

    def list_commands(self, _ctx: Any) -> list[str]:
        """Return the names of the tools."""
        from tutor.tools.registry import tools

        return list(tools())

    def get_command(self, _ctx: Any, name: str) -> Any:
        """Return the command that calls the tool of that name, or ``None``."""
        from tutor.tools.registry import tools

        tool = tools().get(name)
        return None if tool is None else _command(tool)


def _command(tool: Tool) -> Any:
    def run(**args: object) -> None:
        from tutor.tools.base import ToolError
        from tutor.tools.registry import call

        result = call(tool.name, args)
        if isinstance(result, ToolError):
            typer.echo(f"error: {result.error}", err=True)
            raise typer.Exit(1)
        typer.echo(_indented(result.model_dump(mode="json")))

    parameters = [_parameter(name, field) for name, field in tool.arguments.model_fields.items()]
    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    single = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    single.command(tool.name, help=tool.description)(run)
    return typer.main.get_command(single)


def _parameter(name: str, field: FieldInfo) -> Parameter:
    """Return a field of a tool's arguments as an option of the command line."""
    kind, text, metavar = field.annotation, field.description or name, None
    if isinstance(kind, type) and issubclass(kind, Enum):
        text, metavar = f"{text}: {', '.join(each.value for each in kind)}", name.upper()
    option = typer.Option(f"--{name.replace('_', '-')}", help=text, metavar=metavar)
    default = Parameter.empty if field.is_required() else field.default
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option])


def _indented(value: object, indent: str = "") -> str:
    """Write JSON with each member of an object on a line of its own, and lists on one."""
    if not isinstance(value, dict) or not value:
        return json.dumps(value, ensure_ascii=False)
    inner = indent + "  "
    members = (f"{inner}{json.dumps(key)}: {_indented(each, inner)}" for key, each in value.items())
    return "{\n" + ",\n".join(members) + f"\n{indent}}}"
