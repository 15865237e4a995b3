"""Names that stand out among surrogates: what a run counts of them, and the check that finds them.

The check itself is in the laboratory (``transforms/lab/hiding.py``), which nothing imports.
"""

from collections.abc import Callable, Mapping, Sequence

from tacenda.transforms.linking.linked import LinkedConversation

HIDDEN, SHOWN, SUSPECTED = "conversations", "name_shown", "name_suspected"
"""What is counted of conversations: those with surrogates, and those of them in which a name stands out, for
certain or as far as can be told."""

LEAK_CHECK = "leak_check"
"""The name of the check in the laboratory."""

MOST_IDS = 20
"""Conversations that a run names for people to look at."""

LeakCheck = Callable[[LinkedConversation, Sequence[Sequence[str]], Sequence[str]], Mapping[str, int]]
"""Counts what stands out in a conversation, given the value of each finding and the texts after replacement."""
