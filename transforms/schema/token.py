"""The replacement token ``[INFO_TYPE_n]``: its spelling, its pattern, and the infoTypes it allows."""

import re

TOKEN = re.compile(r"(?:\[|%5[Bb])([A-Z][A-Z0-9_$-]*)_([1-9][0-9]*)(?:\]|%5[Dd])")
"""Groups: infoType, number. Capitals only: text in brackets such as [john_smith_1985] is not a token. URLs
spell the brackets as escapes, some in small letters."""


def may_have_tokens(text: str) -> bool:
    """Whether a text has what begins a token: faster than a search for one."""
    return "[" in text or "%5B" in text or "%5b" in text


MAX_NAME = 112  # maximum length of the name of an infoType, as in the DLP API
_MARKUP = "MISSED_"  # prefix of reviewers' tags: tokens with this prefix would be taken for markup


def token(info_type: str, number: int) -> str:
    """Spell a token.

    >>> token("PERSON_NAME", 1)
    '[PERSON_NAME_1]'
    """
    return f"[{info_type}_{number}]"


def makes_tokens(info_type: str) -> bool:
    """Whether tokens of an infoType are recognised, and only as tokens of that infoType.

    >>> makes_tokens("BADGE-ID"), makes_tokens("badge_id")
    (True, False)
    """
    if len(info_type) > MAX_NAME or info_type.startswith(_MARKUP):
        return False
    match = TOKEN.fullmatch(token(info_type, 1))
    return match is not None and match[1] == info_type
