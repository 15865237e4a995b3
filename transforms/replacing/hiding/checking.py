"""Check a conversation for names that stand out among its surrogates, without gold.

By the paper's two rules (``leaks.py``), for two kinds of names: those that were found and replaced somewhere
and are still readable elsewhere, and words that look like names, were not inserted and repeat more than
surrogates do. The latter are for people to look at: many names are words, too.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.replacing.hiding.leaks import leaks_by_mode, leaks_by_token, suspects
from tacenda.transforms.replacing.surrogates.context import kind_of
from tacenda.transforms.replacing.surrogates.lists import people
from tacenda.transforms.storage.process_cache import built_once

_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST = 3
"""Letters of a name that is counted: initials repeat without being anybody's."""

HIDDEN, SHOWN, SUSPECTED = "conversations", "name_shown", "name_suspected"
"""What is counted of conversations: those with surrogates, and those of them in which a name stands out."""

MOST_IDS = 20
"""Conversations that a run names for people to look at."""


class Standing(NamedTuple):
    """Whether names stand out in a conversation: one that was found, and one that only looks like one."""

    shown: bool
    suspected: bool


class LeakCheck:
    """Looks for names that stand out.

    Args:
        t: how often a surrogate is used at most.
    """

    def __init__(self, t: int) -> None:
        self._t = t
        self._listed = _listed()

    def check(
        self, conversation: LinkedConversation, values: Sequence[Sequence[str]], texts: Sequence[str]
    ) -> Standing | None:
        """Check a conversation; None if no name of a person was replaced in its texts.

        Args:
            conversation: what was replaced.
            values: what stands in place of each finding.
            texts: the texts after replacement.
        """
        mentions: set[str] = set()
        inserted: set[str] = set()
        for before, found, after in zip(conversation.texts, conversation.findings, values, strict=True):
            for finding, value in zip(found, after, strict=True):
                # Whatever stands for something else, a street or an organisation, was inserted as well.
                inserted.update(word.casefold() for word in _words(value))
                if kind_of(finding.info_type) == "person":
                    mentions.update(_words(before[finding.start : finding.end]))
        true = {word.casefold() for word in mentions} - inserted
        if not true:
            return None
        words = [word for text in texts for word in _words(text)]
        lower = {word for word in words if word.islower()}
        spoken = {word for word in mentions if word.islower()}
        names = []
        for word in words:
            name = word.casefold()
            # Will is a name and will is none, unless it was found as one.
            is_true = name in true and (not word.islower() or word in spoken)
            looks_like_one = name in self._listed and not word.islower() and name not in lower
            if is_true or name in inserted or looks_like_one:
                names.append(name)
        shown = bool(leaks_by_token(names, true, self._t)) or leaks_by_mode(names, true)
        return Standing(shown, bool(suspects(names, inserted | true, self._t)))


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if len(word) >= _SHORTEST]


@built_once
def _listed() -> frozenset[str]:
    """Given and family names of the lists of surrogates, in lower case."""
    return frozenset(name.casefold() for pool in people().pools.values() for name in pool)
