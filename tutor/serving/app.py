"""The HTTP interface: ``/correct``, ``/healthz`` and ``/readyz``, with limits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tutor.agent.state import Correction
from tutor.agent.tutor import Options
from tutor.serving.desk import Desk

MAX_SENTENCES = 128
_CORRECTIONS = TypeAdapter(list[Correction])


@dataclass(frozen=True, slots=True)
class Limits:
    """What the server takes.

    Attributes
    ----------
    body_bytes : int
        Size of a request's body; a larger one is answered with 413.
    requests : int
        Requests under way at a time; a further one is answered with 503.
    seconds : float
        Time of a request: to send its body (else 408), and to be answered (else 504).
    """

    body_bytes: int = 1 << 20
    requests: int = 64
    seconds: float = 120.0


class CorrectRequest(BaseModel):
    """The body of ``POST /correct``: one sentence or several, and the options of ``tutor correct``."""

    model_config = ConfigDict(extra="forbid", strict=True)

    sentence: str | None = None
    sentences: Annotated[list[str], Field(min_length=1, max_length=MAX_SENTENCES)] | None = None
    lang: Literal["en", "es"] = "en"
    scope: Literal["all", "beginner"] = "all"
    min_confidence: Annotated[float, Field(ge=0, le=1)] | None = None
    max_steps: Annotated[int, Field(ge=1, le=8)] = 8

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if (self.sentence is None) == (self.sentences is None):
            raise ValueError("give either 'sentence' or 'sentences'")
        return self

    def texts(self) -> list[str]:
        """Return the sentences."""
        return self.sentences if self.sentences is not None else [self.sentence or ""]

    def options(self) -> Options:
        """Return the options."""
        return Options(
            lang=self.lang, scope=self.scope, min_confidence=self.min_confidence, max_steps=self.max_steps
        )


def create_app(desk: Desk, limits: Limits = Limits(), failed: Callable[[], None] = lambda: None) -> Starlette:
    """Return the server as an ASGI application, which opens the desk when it starts and closes it when it ends.

    Parameters
    ----------
    desk : Desk
        Corrects.
    limits : Limits
        What the server takes.
    failed : callable
        Called when the tutor cannot be loaded.
    """

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        desk.loaded.add_done_callback(lambda loaded: failed() if loaded.exception() else None)
        desk.open()
        yield
        await asyncio.to_thread(desk.close)

    service = _Service(desk, limits)
    return Starlette(
        routes=[
            Route("/correct", service.correct, methods=["POST"]),
            Route("/healthz", service.health),
            Route("/readyz", service.ready),
        ],
        exception_handlers={HTTPException: _refuse, Exception: _fail},
        lifespan=lifespan,
    )


class _Service:
    def __init__(self, desk: Desk, limits: Limits) -> None:
        self._desk, self._limits = desk, limits
        self._under_way = 0

    async def health(self, request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def ready(self, request: Request) -> Response:
        self._check_ready()
        return JSONResponse({"status": "ready"})

    async def correct(self, request: Request) -> Response:
        self._check_ready()
        if self._under_way >= self._limits.requests:
            raise HTTPException(503, "too many requests at a time; try again", {"Retry-After": "1"})
        self._under_way += 1
        try:
            wanted = _parse(await self._body(request))
            answers = await self._answers(wanted)
        finally:
            self._under_way -= 1
        content = _CORRECTIONS.dump_json(answers) if wanted.sentence is None else answers[0].model_dump_json()
        return Response(content, media_type="application/json")

    def _check_ready(self) -> None:
        if not self._desk.is_ready:
            raise HTTPException(503, "the model is being loaded; try again", {"Retry-After": "2"})

    async def _body(self, request: Request) -> bytes:
        # A page of another site may send text/plain without asking; JSON it may not.
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise HTTPException(415, "send JSON, with the header 'Content-Type: application/json'")
        try:
            return await asyncio.wait_for(self._read(request), self._limits.seconds)
        except TimeoutError:
            raise HTTPException(408, "the body did not arrive in time", {"Connection": "close"}) from None
        except ClientDisconnect:
            raise HTTPException(400, "the client left") from None

    async def _read(self, request: Request) -> bytes:
        declared = request.headers.get("content-length", "0")
        body = bytearray()
        too_large = declared.isdecimal() and int(declared) > self._limits.body_bytes
        if not too_large:
            async for chunk in request.stream():
                body += chunk
                if too_large := len(body) > self._limits.body_bytes:
                    break
        if too_large:
            raise HTTPException(413, f"the body has more than {self._limits.body_bytes} bytes; split it")
        return bytes(body)

    async def _answers(self, wanted: CorrectRequest) -> list[Correction]:
        futures = [asyncio.wrap_future(each) for each in self._desk.submit(wanted.texts(), wanted.options())]
        try:
            return await asyncio.wait_for(asyncio.gather(*futures), self._limits.seconds)
        except TimeoutError:
            raise HTTPException(504, f"no answer within {self._limits.seconds:g} s; send less") from None
        except asyncio.CancelledError:
            if any(each.cancelled() for each in futures):  # by the desk, which closes
                raise HTTPException(503, "the server is stopping", {"Retry-After": "5"}) from None
            raise


def _parse(body: bytes) -> CorrectRequest:
    try:
        return CorrectRequest.model_validate_json(body)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        raise HTTPException(422, "; ".join(map(_sentence, found))) from None


def _sentence(error: Any) -> str:
    """Return what is wrong and where."""
    place = ".".join(str(part) for part in error["loc"])
    message = error["msg"].removeprefix("Value error, ")
    return f"{place}: {message}" if place else message


async def _refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, error.headers)


async def _fail(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": "the server failed at this request; its log says why"}, 500)
