"""``tutor serve``: keep the model warm behind a small HTTP server."""

from __future__ import annotations

from typing import Annotated

import typer

from tutor.cli.correct import Device, Engine, Model

Host = Annotated[
    str, typer.Option(metavar="ADDRESS", help="Where to listen; only this machine unless given.")
]
Port = Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")]
MaxBody = Annotated[int, typer.Option(min=1, metavar="BYTES", help="Largest request body.")]
MaxRequests = Annotated[int, typer.Option(min=1, metavar="N", help="Requests under way at a time.")]
Timeout = Annotated[float, typer.Option(min=0.1, metavar="S", help="Seconds that a request may take.")]


def serve(
    host: Host = "127.0.0.1",
    port: Port = 8000,
    max_body: MaxBody = 1 << 20,
    max_requests: MaxRequests = 64,
    timeout: Timeout = 120.0,
    model: Model = None,
    device: Device = "auto",
    engine: Engine = "tutor",
) -> None:
    """Answer HTTP requests: POST /correct, GET /healthz, GET /readyz."""
    try:
        from tutor.serving.app import Limits
        from tutor.serving.server import serve as run
    except ModuleNotFoundError as error:
        raise RuntimeError(f"{error.name} is not installed: pip install 'tutor[serve]'") from None

    from tutor.agent.tutor import Tutor

    run(
        lambda: Tutor.load(model, device=device, engine=engine),
        host,
        port,
        Limits(max_body, max_requests, timeout),
        lambda address: typer.echo(f"listening on {address}; the model is being loaded", err=True),
    )
