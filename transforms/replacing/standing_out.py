"""Names that stand out among surrogates: what a run counts of them, and the check that finds them.

The check itself is in the laboratory (``transforms/lab/hiding.py``), which nothing imports.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from tacenda.transforms.linking.linked import LinkedConversation

HIDDEN, SHOWN, SUSPECTED = "conversations", "name_shown", "name_suspected"
"""What is counted of conversations: those with surrogates, and those of them in which a name stands out."""

LEAK_CHECK = "leak_check"
"""The name of the check in the laboratory."""

MOST_IDS = 20
"""Conversations that a run names for people to look at."""


class Standing(NamedTuple):
    """Whether names stand out in a conversation: one that was found, and one that only looks like one."""

    shown: bool
    suspected: bool


class LeakCheck(Protocol):
    """Looks for names that stand out in a conversation."""

    def check(
        self, conversation: LinkedConversation, values: Sequence[Sequence[str]], texts: Sequence[str]
    ) -> Standing | None:
        """Check a conversation, given the value of each finding and the texts after replacement."""
        ...
