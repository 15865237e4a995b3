"""Accounts: the user names that people make of their names, and the names in the user names."""

import re

from tacenda.transforms.linking.names import Name

_LEAST = 4
"""Letters of a user name: shorter ones are words."""
_AT = re.compile(
    r"\s?(?:@|\bat\b|\barroba\b|\bsnabel-?a\b|\b(?:krøll|kroll)alfa\b|\bät\b|\bmiukumauku\b)", re.IGNORECASE
)


def account_names(name: Name) -> list[str]:
    """User names of a full name, without signs and digits: annlee, leeann, alee, annl, leea, lann.

    >>> account_names(Name(("ann", "lee")))
    ['annlee', 'leeann', 'alee', 'annl', 'leea', 'lann']
    """
    first, last = name.words[0], name.words[-1]
    joined = (
        "".join(name.words),
        first + last,
        last + first,
        first[0] + last,
        first + last[0],
        last + first[0],
        last[0] + first,
    )
    return [
        account for account in dict.fromkeys(joined) if len(account) >= _LEAST and account not in name.words
    ]


def local_part(address: str) -> str:
    """What stands before the @ of an e-mail address, written or said; a user name is all that.

    >>> local_part("ann.lee@example.org"), local_part("ann lee at example dot org"), local_part("alee42")
    ('ann.lee', 'ann lee', 'alee42')
    """
    return _AT.split(address, maxsplit=1)[0]
