"""Mention: a finding in a cell of a conversation, or the label of its speaker."""

from typing import NamedTuple

from tacenda.transforms.schema.finding import Finding


class Mention(NamedTuple):
    """``finding`` is None for a speaker label; ``text`` is the text as written."""

    cell: int
    info_type: str
    text: str
    finding: Finding | None = None
