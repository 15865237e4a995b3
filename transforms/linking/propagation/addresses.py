"""Addresses: the street of an address, which may be mentioned again without its number."""

import re

_MOST_CHARS = 128
"""Maximum length of a street with its number."""
_PART = re.compile(r"[,;\n]")
_SIGN = r"(?:(?:no|nr|n[º°])\.?\s*)?"
_NUMBER = re.compile(rf"^\W*{_SIGN}\w*\d\w*\W+|\W+{_SIGN}\w*\d\w*(?:\W+[^\W\d_])?\W*$", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{3}")


def street(address: str) -> str:
    """The street of a written address without house numbers; empty if there is no number beside it.

    >>> street("12B Elm Street, Springfield"), street("Calle Mayor 5, 2º"), street("Storgatan 5")
    ('Elm Street', 'Calle Mayor', 'Storgatan')
    """
    first = _PART.split(address.strip(), maxsplit=1)[0].strip()
    if len(first) > _MOST_CHARS:
        return ""
    named = _NUMBER.sub("", first)
    return named if named != first and _WORD.search(named) else ""
