"""Reasons that people have to give in words, for settings and verdicts that rest on their word."""

import re

REASON = re.compile(
    r"[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u0388-\u03f5\u03f7-\u0481\u048a-\u0556"
    r"\u0561-\u0587\u05d0-\u05ea\u0620-\u064a\u0671-\u06d3\u0904-\u0939\u0985-\u09b9\u0a05-\u0a39"
    r"\u0a85-\u0ab9\u0b05-\u0b39\u0b83-\u0bb9\u0c05-\u0c39\u0c85-\u0cb9\u0d05-\u0d3a\u0d85-\u0dc6"
    r"\u0e01-\u0e30\u0e81-\u0eb0\u0f40-\u0f6c\u1000-\u102a\u10a0-\u10fa\u1100-\u115e\u1200-\u135a"
    r"\u1780-\u17b3\u1820-\u1878\u1e00-\u1fbc\u3041-\u3096\u30a1-\u30fa\u3105-\u312f\u3400-\u4dbf"
    r"\u4e00-\u9fff\uac00-\ud7a3]"
)
"""A letter of a living script that can be seen; as in the schema of configs, whose readers know no classes of
letters."""


def is_reason(text: str | None) -> bool:
    """Whether a text can be a reason: it has a letter that can be seen.

    >>> is_reason("agreed"), is_reason("法務"), is_reason(" - "), is_reason(None)
    (True, True, False, False)
    """
    return REASON.search(text or "") is not None
