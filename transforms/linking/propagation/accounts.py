"""Accounts: user names that people form from their names, and names within user names."""

import re

from tacenda.transforms.linking.names import Name

_LEAST = 4
"""Fewest letters of a user name; shorter ones are ordinary words."""
_AT = re.compile(
    r"\s?(?:@|\bat\b|\barroba\b|\bsnabel-?a\b|\b(?:krøll|kroll)alfa\b|\bät\b|\bmiukumauku\b)", re.IGNORECASE
)


def account_names(name: Name) -> list[str]:
    """User names formed from a full name, without punctuation and digits.

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
    """The part of an e-mail address before the @, written or spoken; a user name is returned whole.

    >>> local_part("ann.lee@example.org"), local_part("ann lee at example dot org"), local_part("alee42")
    ('ann.lee', 'ann lee', 'alee42')
    """
    return _AT.split(address, maxsplit=1)[0]
