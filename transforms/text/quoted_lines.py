"""Marks of quoted lines within a number or an e-mail address that a mail program has broken over two lines.

In ``> call 070-123`` and ``> 45 67`` below it, the mark is no part of the number, and a network stops at it.
"""

import re

_BROKEN = re.compile(r"(?:(?<=\d)|(?<=\d[-/]))\r?\n(?:>[ \t]?)+(?=\d)|(?<=@)\r?\n(?:>[ \t]?)+(?=\w)")


def breaks_a_value(text: str) -> bool:
    """Whether a quoted line goes on with a number or an address."""
    return "\n>" in text and _BROKEN.search(text) is not None


def without_marks_in_values(text: str) -> str:
    r"""The text with spaces for these marks, and as many code points.

    >>> without_marks_in_values("> call 070-123\n> 45 67")
    '> call 070-123\n  45 67'
    """
    return _BROKEN.sub(_spaces, text) if "\n>" in text else text


def _spaces(broken: re.Match[str]) -> str:
    return broken[0].replace(">", " ")
