"""The replacement token ``[INFO_TYPE_n]``: its spelling, how to recognise it, which names can stand in it."""

import re

TOKEN = re.compile(r"\[([A-Z][A-Z0-9_$-]*)_([1-9][0-9]*)\]")
"""Groups: infoType, number. Capitals only: what people write in brackets, [john_smith_1985], is no token."""

MAX_NAME = 112
"""Characters in the name of an infoType, as the DLP API limits it."""

_MARKUP = "MISSED_"
"""How reviewers' tags begin: a token that began so would be read as their markup."""


def token(info_type: str, number: int) -> str:
    """Spell a token.

    >>> token("PERSON_NAME", 1)
    '[PERSON_NAME_1]'
    """
    return f"[{info_type}_{number}]"


def makes_tokens(info_type: str) -> bool:
    """Whether the tokens of an infoType are recognised, and as those of no other infoType.

    >>> makes_tokens("BADGE-ID"), makes_tokens("badge_id")
    (True, False)
    """
    if len(info_type) > MAX_NAME or info_type.startswith(_MARKUP):
        return False
    match = TOKEN.fullmatch(token(info_type, 1))
    return match is not None and match[1] == info_type
