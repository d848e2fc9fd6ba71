from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def tree() -> Iterator[str]:
    """Yield the paths of the README's tree; each level is two spaces further in."""
    path: list[str] = []
    for line in README.split("## The tree")[1].split("\n## ")[0].splitlines():
        if line.strip():
            path[(len(line) - len(line.lstrip()) - 4) // 2 :] = [line.split()[0].rstrip("/")]
            yield "/".join(path)


def test_ci_runs_the_test_command_of_the_readme() -> None:
    (command,) = [line.strip() for line in README.splitlines() if "pytest" in line]
    assert command in (ROOT / ".ci" / "run").read_text().splitlines()


def test_the_tree_has_a_line_for_each_module() -> None:
    modules = {
        str(path.relative_to(ROOT)) for path in (ROOT / "tutor").rglob("*.py") if path.name != "__init__.py"
    }
    listed = [path for path in tree() if path.startswith("tutor/") and path.endswith(".py")]
    assert sorted(listed) == sorted(modules)
