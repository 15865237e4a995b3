"""One finding per firm: "Sable & Finch" and "Google, Inc" are one, though a model may see two."""

import re
from collections.abc import Sequence

from tacenda.transforms.detecting.fitting.words import words
from tacenda.transforms.schema.finding import Finding

_FIRM = "ORGANIZATION_NAME"
_BETWEEN = re.compile(r" ?& ?|, |\. ")


def join_firms(text: str, findings: Sequence[Finding]) -> list[Finding]:
    """Join neighbouring findings of a cell that form one firm's name; findings are disjoint and sorted."""
    joined: list[Finding] = []
    for finding in findings:
        before = joined[-1] if joined else None
        if before is not None and before.info_type == finding.info_type == _FIRM:
            between = _BETWEEN.fullmatch(text, before.end, finding.start)
            if between and ("&" in between[0] or _is_legal_form(text, finding)):
                joined[-1] = before._replace(end=finding.end)
                continue
        joined.append(finding)
    return joined


def _is_legal_form(text: str, finding: Finding) -> bool:
    return text[finding.start : finding.end].strip(".").lower() in words("legal_forms")
