"""A conversation between shapes: who says what, in which role, in order."""

from typing import NamedTuple

SYSTEM, USER, ASSISTANT = "system", "user", "assistant"


class Message(NamedTuple):
    """One turn: its role (``system``, ``user`` or ``assistant``), the label of its speaker, and its text."""

    role: str
    speaker: str | None
    text: str


class Dialogue(NamedTuple):
    """A conversation; ``context`` is empty where it has none."""

    id: str
    context: str
    messages: tuple[Message, ...]
