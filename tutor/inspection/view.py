"""The terminal view of what the model would have said otherwise."""

from __future__ import annotations

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from tutor.inspection.counterfactual import Counterfactual, Mask, Saying
from tutor.tracing.view import printable

_MASKS: dict[Mask, str] = {"none": "no mask", "schema": "form only", "grounded": "grounded"}


def show_counterfactual(found: Counterfactual, console: Console) -> None:
    """Print one state: what is said under each mask, and whether it holds."""
    console.print(Text(f"step {found.step}", "bold"))
    for saying in found.sayings:
        verdict = _verdict(saying)
        line = Text.assemble((f"{_MASKS[saying.mask]:<10}", "dim"), printable(saying.text), "  ", verdict)
        console.print(Padding(line, (0, 0, 0, 2), expand=False))


def _verdict(saying: Saying) -> Text:
    if not saying.step:
        return Text("not a step", "red")
    judged = "" if saying.right is None else ", right" if saying.right else ", wrong"
    if saying.grounded:
        return Text(f"grounded{judged}", "yellow" if saying.right is False else "green")
    first = saying.violations[0]
    return Text(printable(f"not grounded: {first.guarantee}, {first.message}{judged}"), "red")
