"""URLs that identify nobody, such as public pages."""

import re
from urllib.parse import parse_qsl, unquote, urlsplit

from tacenda.transforms.detecting.personal_labels import look_personal
from tacenda.transforms.detecting.word_lists import alternatives, word_list, words_of
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
    if _of_a_person().search(path) or any(look_personal(segments, sentences=False)):
        return True
    return any(
        "@" in value or key.lower() in word_list("query_keys") or sum(map(str.isdigit, value)) >= _DIGITS
        for key, value in parse_qsl(f"{parts.query}&{parts.fragment}")
    )


@built_once
def _of_a_person() -> re.Pattern[str]:
    """A part of a path behind which somebody's name or number stands."""
    accounts = alternatives(word_list("url_folders/accounts"))
    numbered = alternatives(words_of("url_folders/clients", "url_folders/cases"))
    return re.compile(rf"/(?:~|@|{accounts})/[^/]|/[~@][^/]|[^/]@[^/]|/(?:{numbered})/[^/]*\d", re.IGNORECASE)


_WRITTEN_URL = re.compile(r"(?i)https?://[^\s<>\"'()\[\]{}|]+")
_LONGEST_URL = 300
"""Code points on either side of a finding in which the rest of its URL may be."""


def whole_url(text: str, start: int, end: int) -> str:
    """The URL that a finding is a part of, else the finding."""
    first = max(0, start - _LONGEST_URL)
    for url in _WRITTEN_URL.finditer(text, first, min(len(text), end + _LONGEST_URL)):
        if url.start() <= start and end <= url.end():
            return url[0]
    return text[start:end]


def is_public_url(url: str) -> bool:
    """Whether a URL or domain is one of a host that everybody reads, with nothing personal in it.

    A subdomain counts if its name is a usual one: others may be somebody's.

    >>> [is_public_url(url) for url in ("https://docs.python.org/3/", "python.org", "https://berg.example.com")]
    [True, True, False]
    """
    try:
        host = urlsplit(url if "://" in url else f"//{url}").hostname or ""
    except ValueError:
        return False
    host = host.rstrip(".")
    first, _, domain = host.partition(".")
    usual = first in word_list("subdomains_of_everybody")
    hosts = word_list("hosts_of_everybody")
    return (host in hosts or (usual and domain in hosts)) and not is_personal_url(url)
