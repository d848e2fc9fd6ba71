import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import tutor

PACKAGE = Path(tutor.__file__).parent

# What each part may import besides itself: the arrows of the layout, all of which point downwards.
BELOW: dict[str, set[str]] = {
    "paths": set(),
    "language": {"paths"},
    "tools": {"language", "paths"},
    "tracing": set(),
    "decoding": {"paths", "tracing"},
    "planner": {"decoding", "language", "paths", "tools", "tracing"},
    "agent": {"decoding", "language", "paths", "planner", "tools", "tracing"},
    "grounding": {"language", "planner", "tools"},
    "selfcheck": {"agent", "decoding", "grounding", "language", "paths", "planner", "tools", "tracing"},
    "evaluation": {"agent", "decoding", "language", "paths", "planner", "tools", "tracing"},
    "training": {"agent", "decoding", "evaluation", "language", "paths", "planner", "tools", "tracing"},
    "inspection": {"agent", "decoding", "grounding", "language", "paths", "planner", "tools", "tracing"},
    "grading": {"agent", "decoding", "evaluation", "language", "paths", "planner", "tools", "tracing"},
    "serving": {"agent"},
    "benchmark": {"agent", "decoding", "language", "paths", "planner", "tools", "tracing"},
    "cli": {
        "agent",
        "benchmark",
        "decoding",
        "evaluation",
        "grading",
        "inspection",
        "language",
        "paths",
        "planner",
        "selfcheck",
        "serving",
        "tools",
        "tracing",
        "training",
    },
    "__main__": {"cli"},
    "__init__": set(),
}


MODULES = sorted(PACKAGE.rglob("*.py"))


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[list[str]]:
    """Yield what a module imports from tutor, as the parts of the dotted name, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import hides where it points"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for root, *rest in (name.split(".") for name in names):
            if root == "tutor" and rest and rest[0] != "__version__":
                yield rest


def test_dependencies_point_downwards() -> None:
    assert len(MODULES) > 20
    upwards = [
        f"{path.relative_to(PACKAGE)} imports tutor.{name}"
        for path in MODULES
        for name, *_ in imports(path)
        if name not in BELOW[part_of(path)] | {part_of(path)}
    ]
    assert upwards == []


def test_the_referee_knows_nothing_of_the_schema_it_checks() -> None:
    known = {
        rest[0]
        for path in MODULES
        if part_of(path) == "grounding"
        for name, *rest in imports(path)
        if name == "planner"
    }
    assert known <= {"reasons", "steps"}


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["correct", "--help"],
        ["eval", "--help"],
        ["train", "--help"],
        ["trace", "show", "--help"],
        ["trace", "export", "--help"],
    ],
)
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    script = (
        "import sys\nfrom tutor.cli import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
        "heavy = {'torch', 'transformers', 'outlines', 'numpy', 'llguidance', 'spellchecker'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True
    )
    assert "Usage" in done.stdout
    assert done.stderr.strip() == "[]"
