"""URLs that hold something of a person."""

import re
from urllib.parse import parse_qsl, unquote, urlsplit

from tacenda.transforms.detecting.personal_labels import look_like_personal_data
from tacenda.transforms.detecting.word_lists import alternatives, word_list
from tacenda.transforms.storage.process_cache import built_once

_DIGITS = 9


def is_personal_url(url: str) -> bool:
    """Whether a URL has something personal: an account, a query's values, a name or number in its path.

    >>> [is_personal_url(url) for url in ("https://docs.python.org/3/", "https://x.org/?email=ann%40x.com")]
    [False, True]
    """
    try:
        parts = urlsplit(url if "://" in url else f"//{url}")
        host = parts.hostname or ""
    except ValueError:
        return True
    if "@" in parts.netloc:
        return True
    path = unquote(parts.path)
    segments = [segment for segment in path.split("/") if segment]
    if segments and host.removeprefix("www.") in word_list("hosts_of_accounts"):
        return True
    if _of_a_person().search(path) or any(look_like_personal_data(segments, sentences=False)):
        return True
    return any(
        "@" in value or key.lower() in word_list("query_keys") or sum(map(str.isdigit, value)) >= _DIGITS
        for key, value in parse_qsl(f"{parts.query}&{parts.fragment}")
    )


@built_once
def _of_a_person() -> re.Pattern[str]:
    """A part of a path behind which somebody's name or number stands."""
    accounts = alternatives(word_list("url_accounts"))
    numbered = alternatives(word_list("url_numbered"))
    return re.compile(rf"/(?:~|@|{accounts})/[^/]|/[~@][^/]|[^/]@[^/]|/(?:{numbered})/[^/]*\d", re.IGNORECASE)
