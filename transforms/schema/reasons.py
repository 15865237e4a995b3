"""Reasons that people have to give in words, for settings and verdicts that rest on their word."""

import re

REASON = re.compile(r"[A-Za-z\u00c0-\u115e\u1161-\u1fff\u3041-\u3163\u3165-\ud7ff\uf900-\ufdff]")
"""A letter of some script that can be seen; as in the schema of configs, whose readers know no classes of
letters."""


def is_reason(text: str | None) -> bool:
    """Whether a text can be a reason: it has a letter that can be seen.

    >>> is_reason("agreed"), is_reason("法務"), is_reason(" - "), is_reason(None)
    (True, True, False, False)
    """
    return REASON.search(text or "") is not None
