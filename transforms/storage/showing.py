"""URLs as messages, plans and manifests may show them: without the name and password of who reads there."""

import re

_CONTAINER_FIRST = frozenset({"abfs", "abfss", "az"})
"""Azure's protocols, where what stands before the @ is part of the place."""

_USER = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://[^/\s]*@")


def shown(text: str) -> str:
    """A URL, or a text with URLs in it, without user and password; other text as it is.

    >>> shown("http://pam:secret@host/a.jsonl: no such file")
    'http://host/a.jsonl: no such file'
    >>> shown("abfs://calls@account.dfs.core.windows.net/a.jsonl")
    'abfs://calls@account.dfs.core.windows.net/a.jsonl'
    """
    return _USER.sub(
        lambda found: found[0] if found[1].lower() in _CONTAINER_FIRST else f"{found[1]}://", text
    )
