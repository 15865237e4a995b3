"""Tag: the name under which a residual finding is scored."""

import re
from typing import NamedTuple

from tacenda.transforms.schema.errors import RecordError

MISSED = "MISSED_"
"""Prefix of reviewers' tags; gold labels and infoTypes do not have it."""

_SPELLING = re.compile(rf"(?:{MISSED})?(.+?)((?:_PARTIAL|_SPEAKER)*)", re.DOTALL)


class Tag(NamedTuple):
    """A base tag of the score table, with two qualities that a reviewer may add.

    >>> Tag("PERSON_NAME", partial=True).spelling
    'MISSED_PERSON_NAME_PARTIAL'
    """

    name: str
    partial: bool = False
    speaker: bool = False

    @property
    def spelling(self) -> str:
        """The tag as reviewers write it."""
        return f"{MISSED}{self.name}{'_SPEAKER' * self.speaker}{'_PARTIAL' * self.partial}"


class Unscored(NamedTuple):
    """A known label that adds nothing to a score, and why."""

    label: str
    reason: str


def parse_tag(label: str) -> Tag:
    """Split a label: an optional ``MISSED_``, a name, ``_PARTIAL`` and ``_SPEAKER`` in either order.

    The name is not looked up. Raises ``RecordError("UnknownTag")`` if a suffix is repeated or no name
    remains.

    >>> parse_tag("MISSED_PRODUCT_PARTIAL_SPEAKER")
    Tag(name='PRODUCT', partial=True, speaker=True)
    """
    match = _SPELLING.fullmatch(label)
    if match is None:
        raise RecordError("UnknownTag")
    name, suffixes = match[1], match[2]
    partial, speaker = suffixes.count("_PARTIAL"), suffixes.count("_SPEAKER")
    if partial > 1 or speaker > 1:
        raise RecordError("UnknownTag")
    return Tag(name, bool(partial), bool(speaker))
