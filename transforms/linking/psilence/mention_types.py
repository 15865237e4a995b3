"""The type of a mention for reconciliation: by infoType and, for people, by the words beside the name."""

import re
from collections.abc import Mapping

from tacenda.transforms.linking.psilence.reconciling import PERSON, roles
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.storage.process_cache import built_once

_REACH = 80


def mention_type(finding: Finding, text: str) -> str | None:
    """The type of a finding in the text of its cell; None if it is not a name.

    >>> from tacenda.transforms.schema.likelihood import Likelihood
    >>> mention_type(Finding(0, 8, "PERSON_NAME", Likelihood.LIKELY, "model"), "John Doe QC spoke")
    'LAWYER'
    """
    known: str | None = roles()["mention_types"].get(finding.info_type)
    if known != PERSON:
        return known
    before = text[max(0, finding.start - _REACH) : finding.start]
    named = text[finding.start : finding.end + _REACH]
    for role, (ends, begins) in _cues().items():
        # A title or post-nominal may also be part of the finding.
        within = begins is not None and begins.search(text[finding.start : finding.end])
        follows = begins is not None and begins.match(text, finding.end)
        leads = ends is not None and (
            ends.search(before) or ends.match(named, 0, finding.end - finding.start)
        )
        if within or follows or leads:
            return role
    return known


@built_once
def _cues() -> Mapping[str, tuple[re.Pattern[str] | None, re.Pattern[str] | None]]:
    def compiled(pattern: str) -> re.Pattern[str]:
        return re.compile(pattern, re.IGNORECASE)

    return {
        role: (
            compiled(rf"(?<!\w)(?:{sides['before']})$") if "before" in sides else None,
            compiled(rf"(?:{sides['after']})(?!\w)") if "after" in sides else None,
        )
        for role, sides in roles()["cues"].items()
    }
