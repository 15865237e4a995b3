"""Residual finding: personal data still readable after replacement."""

from typing import NamedTuple

Place = tuple[int, int, int]
"""A cell of a conversation, and a half-open range of code points in its text."""


class Residual(NamedTuple):
    """One readable place of one conversation.

    ``label`` is an infoType, a gold label or a ``MISSED_…`` tag as it came; the score table resolves it.
    ``partial``: only part of the datum is readable. ``speaker``: it belongs to a speaker of the conversation.
    ``value`` is the readable text, kept only in memory to tell entities apart; it is never written anywhere.
    ``entity`` is the annotator's own word on identity, and always wins over ``value``.
    ``place`` is where it stands: of several that overlap in one text, one counts.
    """

    label: str
    value: str
    partial: bool = False
    speaker: bool = False
    entity: str | None = None
    place: Place | None = None
