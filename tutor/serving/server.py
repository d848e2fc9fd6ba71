"""The server process: a socket, the application, and an end that loses no answer."""

from __future__ import annotations

import socket
from collections.abc import Callable

import uvicorn

from tutor.serving.app import Limits, create_app
from tutor.serving.desk import Corrector, Desk

_GRACE = 30
_CONNECTIONS = 16
"""Connections for each request that may be under way: those above are closed at once."""


def serve(
    load: Callable[[], Corrector], host: str, port: int, limits: Limits, listening: Callable[[str], None]
) -> None:
    """Serve until a signal comes; requests that are under way are answered first.

    Parameters
    ----------
    load : callable
        Loads the tutor, while the server listens already.
    host, port : str, int
        Where to listen; port 0 takes a free one.
    limits : Limits
        What the server takes.
    listening : callable
        Is told the address as soon as connections are accepted.

    Raises
    ------
    OSError
        When the address cannot be used.
    Exception
        What `load` raised.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family) as listener:
        desk = Desk(load)
        config = uvicorn.Config(
            create_app(desk, limits, failed=lambda: setattr(server, "should_exit", True)),
            log_level="error",
            access_log=False,
            server_header=False,
            limit_concurrency=_CONNECTIONS * limits.requests,
            timeout_graceful_shutdown=_GRACE,
        )
        server = uvicorn.Server(config)
        name = f"[{host}]" if ":" in host else host
        listening(f"http://{name}:{listener.getsockname()[1]}")
        server.run(sockets=[listener])
    if desk.loaded.done() and (error := desk.loaded.exception()):
        raise error
