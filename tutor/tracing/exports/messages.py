"""What a run said, as the messages of a chat: the sentence, the calls, what the tools answered, the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tutor.tracing.files import RunTrace, StepTrace


@dataclass(frozen=True, slots=True)
class Message:
    """One message.

    Attributes
    ----------
    role : str
        ``"user"``, ``"assistant"`` or ``"tool"``.
    text : str
        What it says; empty for a call.
    call_id, tool : str or None
        Of a call, and of what answers it.
    args : dict or None
        Of a call.
    """

    role: str
    text: str = ""
    call_id: str | None = None
    tool: str | None = None
    args: dict[str, Any] | None = None


def is_agent(run: RunTrace) -> bool:
    """Return whether the steps of a run are those of the tutor, rather than a text that a recorder saw grow."""
    return any("next" in step.step.parsed for step in run.steps if step.step)


def before(run: RunTrace, step: StepTrace) -> list[Message]:
    """Return the messages that a step went on from."""
    messages = [Message("user", run.header.sentence)]
    for earlier in run.steps:
        if earlier.number >= step.number:
            break
        messages.append(said(earlier))
        if earlier.observation:
            answer = earlier.observation
            messages.append(Message("tool", answer.text, call_id(earlier), answer.tool))
    return messages


def said(step: StepTrace) -> Message:
    """Return what a step said."""
    match step.step.parsed if step.step else {}:
        case {"next": "tool_call", "tool": tool, "args": args}:
            return Message("assistant", "", call_id(step), tool, args)
    text = step.step.text if step.step else "".join(token.text for token in step.tokens)
    return Message("assistant", text)


def call_id(step: StepTrace) -> str:
    """Return the name of the call of a step within its run."""
    return f"call_{step.number}"
