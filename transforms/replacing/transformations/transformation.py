"""What all transformations have in common: a mention goes in, a value comes out."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from tacenda.transforms.replacing.keys import Key


class Mention(NamedTuple):
    """One place of personal data: what stands there, in which conversation, and the number of its entity."""

    text: str
    conversation: str
    entity: int


Transform = Callable[[Mention], str]
"""Raises ``RecordError`` for a value that it cannot take."""


class Telling(NamedTuple):
    """What a transformation means, for manifest and report.

    ``what`` says it in some words; ``weakness``, where there is one, what a reader still learns that a token
    would not tell. ``pseudonymised``: who has the key, or a value, finds the person again.
    """

    what: str
    weakness: str | None = None
    pseudonymised: bool = False


class Transformation(Protocol):
    """Settings of one transformation: plain data without any key."""

    def build(self) -> Transform:
        """The function; raises ``UserError`` where a key cannot be read."""
        ...

    def keys(self) -> tuple[Key, ...]:
        """Where its keys are."""
        ...

    def telling(self) -> Telling:
        """What it means."""
        ...
