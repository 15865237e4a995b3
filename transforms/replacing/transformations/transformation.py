"""The interface of all transformations: from a mention to its replacement."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from tacenda.transforms.replacing.keys import Key


class Mention(NamedTuple):
    """One mention of personal data: its text, its conversation, and the number of its entity."""

    text: str
    conversation: str
    entity: int


Transform = Callable[[Mention], str]
"""Raises ``RecordError`` for a value that it cannot take."""


class Telling(NamedTuple):
    """Description of a transformation for manifest and report.

    ``what`` is a short description; ``weakness``, if any, says what a reader still learns that a token would
    hide. ``pseudonymised``: the person can be found again with the key or a value.
    """

    what: str
    weakness: str | None = None
    pseudonymised: bool = False


class Transformation(Protocol):
    """Settings of one transformation: plain data without any key."""

    def build(self) -> Transform:
        """Build the function; raises ``UserError`` if a key cannot be read."""
        ...

    def keys(self) -> tuple[Key, ...]:
        """References to its keys."""
        ...

    def telling(self) -> Telling:
        """Description for manifest and report."""
        ...
