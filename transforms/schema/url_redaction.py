"""Redact credentials and signatures in URLs for messages, and paths of the input in whatever a run writes."""

import re

_URL = re.compile(r"(?<![\w+.:/@#?%&$!*~-])([A-Za-z][A-Za-z0-9+._:-]*)://")
"""The start of a URL in a text; with ``:`` for chains such as ``simplecache::s3://``. It does not start at a
character that an earlier URL may contain, so that no part of a password is taken for the next URL."""

_CONTAINER_FIRST = frozenset({"abfs", "abfss", "az"})  # Azure's: before the @ is the location

_WEB = frozenset({"http", "https"})
"""Protocols in which a question mark always starts a query; in others, it may be part of a glob
(``part-?.jsonl``)."""

_QUERY = re.compile(r"[?#][^/\s=?#*]*=")
_WEB_QUERY = re.compile(r"[?#]")
_PUNCTUATION = ":;,.'\")"
_MASK = "***"


def redact_url(url: str) -> str:
    """One URL or path without user, password and query.

    >>> redact_url("https://host/a.jsonl?X-Amz-Signature=0af3")
    'https://host/a.jsonl?***'
    """
    found = _URL.match(url)
    return url if found is None else found[0] + _rest(found[1], url[found.end() :], whole=True)


_GENERATED = re.compile(  # stems that programs give: words for data and a number, or a digest
    r"(?:(?:all|calls?|chats?|chunk|conversations?|corpus|data|dataset|dev|dialogs?|dialogues?|documents?|emails?|"
    r"eval|export|file|full|gold|input|mails?|messages?|output|part|records?|sample|shard|split|test|texts?|"
    r"train|training|transcripts?|turns?|unit|valid|validation|v)(?:[-_.]|(?=\d)|$))*"
    r"(?:\d{1,6}(?:-of-\d{1,6})?)?|(?=\d*[a-f])[0-9a-f]{16,64}"
)

_SUFFIXES = re.compile(r"(?:\.(?:jsonl|ndjson|json|parquet|csv|tsv|txt|gz|zst|zip|eml|mbox|vcon))*$", re.I)


def source_name(url: str) -> str:
    """How an output calls a file of the input, whose path may say who somebody is.

    The folder is a digest, and so is the name, unless it looks generated; suffixes stay.

    >>> [source_name(f"/data/ruth/{one}").partition("/")[2] for one in ("part-00001.jsonl.gz", "Ruth Hale.txt")]
    ['part-00001.jsonl.gz', '2dd07e85c06cb3b3.txt']
    """
    folder, _, name = redact_url(url).rpartition("/")
    suffix = _SUFFIXES.search(name)
    stem = name[: suffix.start()] if suffix else name
    if not (stem and _GENERATED.fullmatch(stem.lower())):
        name = _digest(name) + (suffix[0] if suffix else "")
    return f"{_digest(folder)[:8]}/{name}"


def _digest(text: str) -> str:
    import hashlib  # loads OpenSSL, which no usage message needs

    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def redact_credentials(text: str) -> str:
    """A text with the URLs in it redacted: without user, password and query.

    The end of a URL is ambiguous, since a password may contain spaces and slashes: everything that may belong
    to it is removed, up to the last @ before the next URL.

    >>> redact_credentials("http://pam:secret@host/a.jsonl: no such file")
    'http://host/a.jsonl: no such file'
    >>> redact_credentials("abfs://calls@account.dfs.core.windows.net/a.jsonl")
    'abfs://calls@account.dfs.core.windows.net/a.jsonl'
    """
    starts = list(_URL.finditer(text))
    if not starts:
        return text
    pieces = [text[: starts[0].start()]]
    ends = [*(match.start() for match in starts[1:]), len(text)]
    for match, end in zip(starts, ends, strict=True):
        pieces += match[0], _rest(match[1], text[match.end() : end], whole=False)
    return "".join(pieces)


def _rest(protocol: str, rest: str, whole: bool) -> str:
    """The part after ``://``; ``whole``: it is all of one URL, with no other text after it."""
    protocol = protocol.rpartition(":")[2].lower()
    authority = rest.partition("/")[0]
    user, at, _ = authority.rpartition("@")
    names_container = protocol in _CONTAINER_FIRST and at and not {":", "@"}.intersection(user)
    if "@" in rest and (at or ":" in authority) and not names_container:
        credentials, _, rest = rest.rpartition("@")
        if "?" in credentials:
            # The @ may be in the query; then what follows it is not a host.
            return _MASK + _behind(rest, whole)
    query = _WEB_QUERY if protocol in _WEB else _QUERY
    found = query.search(rest)
    if found is None:
        return rest
    return f"{rest[: found.start() + 1]}{_MASK}{_behind(rest[found.end() :], whole)}"


def _behind(rest: str, whole: bool) -> str:
    """The text after a URL that ends within ``rest``."""
    if whole:
        return ""
    word = rest.split(maxsplit=1)[0] if rest and not rest[0].isspace() else ""
    return rest[len(word.rstrip(_PUNCTUATION)) :]
