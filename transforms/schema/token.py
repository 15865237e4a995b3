"""The replacement token ``[INFO_TYPE_n]`` and how to recognise one in text."""

import re

TOKEN = re.compile(r"\[([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)_([1-9][0-9]*)\]")
"""Groups: infoType, number."""


def token(info_type: str, number: int) -> str:
    """Spell a token.

    >>> token("PERSON_NAME", 1)
    '[PERSON_NAME_1]'
    """
    return f"[{info_type}_{number}]"
