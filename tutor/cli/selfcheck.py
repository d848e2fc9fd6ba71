"""``tutor selfcheck``: is this installation sound, and does the mask hold for random weights."""

from __future__ import annotations

from typing import Annotated

import typer


def selfcheck(
    random_steps: Annotated[
        int, typer.Option(min=0, metavar="N", help="Decode N steps with random logits and check each.")
    ] = 0,
) -> None:
    """Check the weights' checksums and that the mask is applied; hunt for ungrounded steps."""
