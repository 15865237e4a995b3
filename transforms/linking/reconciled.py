"""What reconciling a conversation gives: whose mentions are replaced, and who stays readable.

The rules themselves are in the laboratory (``transforms/lab/psilence.py``), which nothing imports.
"""

from collections.abc import Collection, Sequence
from typing import Any, Protocol

from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.schema.finding import Finding

WITNESS = "WITNESS"
"""The infoType of reconciled people who are replaced."""


class Reconciled(Protocol):
    """A reconciled conversation.

    ``conversation`` has what is replaced; ``left`` has, for each cell, the findings that stay readable, with
    the role of their cluster in the place of the infoType.
    """

    @property
    def conversation(self) -> LinkedConversation: ...

    @property
    def left(self) -> Sequence[Sequence[Finding]]: ...

    def dictionary(self, cells: Sequence[tuple[int | str, ...]]) -> dict[str, Any]:
        """The people of the conversation with their original text and places; ``cells`` names the cells."""
        ...


class Reconciler(Protocol):
    """Decides for each cluster of a linked conversation whether it is replaced."""

    def __call__(
        self,
        linked: LinkedConversation,
        found: Sequence[Sequence[Finding]],
        conservative: bool = False,
        replaced: Collection[int] = (),
    ) -> Reconciled: ...
