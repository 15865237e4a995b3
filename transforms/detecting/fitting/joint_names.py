"""One finding per listed name that joins two: "Trinidad and Tobago", "Johnson and Johnson".

Other names beside a word for "and" stay two: "Spain and Portugal", "Ann Lee and Bob Ray".
"""

import re
from collections.abc import Sequence

from tacenda.transforms.detecting.word_lists import word_list
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.storage.process_cache import built_once

_AND = re.compile(r" (?:and|&|och|og|und|y|e|et|ja|en) ", re.IGNORECASE)
_OTHER = frozenset(("PERSON_NAME", "ORGANIZATION_NAME", "LOCATION"))
_MOST = 40
"""Most characters of such a name."""


def join_listed(text: str, findings: Sequence[Finding]) -> list[Finding]:
    """Join neighbouring findings of a cell that form one listed name, and type it.

    Args:
        text: the cell.
        findings: disjoint and sorted.
    """
    joined: list[Finding] = []
    for finding in findings:
        joined.append(finding)
        for parts in (1, 2, 3):
            first = joined[-parts] if len(joined) >= parts else None
            kind = None if first is None else _listed(text, first, finding)
            if first is not None and kind:
                joined[-parts:] = [first._replace(end=finding.end, info_type=kind)]
                break
    return joined


def _listed(text: str, first: Finding, last: Finding) -> str | None:
    """The infoType of the listed name from one finding to another; None if there is none."""
    if last.end - first.start > _MOST or not {first.info_type, last.info_type} <= _OTHER:
        return None
    parts = _AND.split(text[first.start : last.end].casefold())
    return _names().get("|".join(parts)) if len(parts) == 2 else None


@built_once
def _names() -> dict[str, str]:
    kinds = {"joint_places": "LOCATION", "joint_firms": "ORGANIZATION_NAME"}
    return {name: kind for words, kind in kinds.items() for name in word_list(words)}
