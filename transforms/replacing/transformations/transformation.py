"""The interface of all transformations: from a mention to its replacement."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from tacenda.transforms.replacing.keys import Key
from tacenda.transforms.replacing.transformations.choices import Choices


class Mention(NamedTuple):
    """One mention of personal data: its text, its conversation, and the number of its entity.

    ``choices`` are the words that the conversation's entities were given; None where a value is put back.
    """

    text: str
    conversation: str
    entity: int
    choices: Choices | None = None


Transform = Callable[[Mention], str | None]
"""None asks for a token. Raises ``RecordError`` for a value that it cannot take."""

Reverse = Callable[[Mention], str]
"""The original of a mention that is a surrogate. Raises ``RecordError`` as well."""


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
