"""Mention: a finding in a cell of a conversation, or the label of its speaker."""

from typing import NamedTuple

from tacenda.transforms.schema.finding import Finding


class Mention(NamedTuple):
    """``finding`` is None of a speaker's label; ``text`` is what is written."""

    cell: int
    info_type: str
    text: str
    finding: Finding | None = None
