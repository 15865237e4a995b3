"""Judge whether ids, contexts, names of tools and URLs, which are written unchanged, look like personal data.

Detectors are made for text and find too much or too little in an id. Here the question is whether the whole
label has the form of somebody's address, number or name. Names and definitions of tools are made of ordinary
words, many of which are names too (``get_stock_price``): of them, only what is certain counts.
"""

import re
from collections.abc import Sequence
from ipaddress import ip_address
from itertools import pairwise
from urllib.parse import parse_qsl, unquote, urlsplit

from tacenda.transforms.detecting.names.lexicon import kind_of, lexicon
from tacenda.transforms.detecting.word_lists import alternatives, word_list
from tacenda.transforms.storage.process_cache import built_once, remembered

_EMAIL = re.compile(r"([\w.+-]+)@([\w-]+\.[\w.-]+)")
_RESERVED = re.compile(r"(?i)(?:.*\.)?example(?:\.(?:com|net|org))?\.?")
_NOBODY = frozenset({"doe"})  # whose addresses at the domains that RFC 2606 reserves are examples
_LONG_NUMBER = re.compile(r"(?<![\w+.-])\+?\d[\d ().-]{5,20}[\dA-Z](?![\w.])")
"""What may be somebody's number, within a text."""
_ADDRESS = re.compile(r"[^\s@]@[^\s@]")
_TELEPHONE = re.compile(r"\+\d(?:[ ().\-/]{0,2}\d){6,14}|\(?\d{2,5}\)?(?:[ .\-/]\d{2,5}){2,5}")
"""With a country code, or in three or more groups."""
_DATED = re.compile(r"(?:19|20)\d\d[.\-/ ]?(?:0[1-9]|1[0-2])[.\-/ ]?(?:0[1-9]|[12]\d|3[01])(?!\d)")
_BIRTH_NUMBER = re.compile(r"(?:19|20)?\d\d(?:0[1-9]|1[0-2])(?:[0-6]\d|7[01])[-+A]\d{3}[0-9A-Z]")
"""The national numbers of Sweden, Denmark and Finland, which start with a date of birth."""
_CARD = re.compile(r"[3-6]\d{14,15}|[3-6]\d{3}(?:[ -]\d{4}){3}")
_DIGITS_OF_TELEPHONES = range(7, 16)
_CAPITAL_INSIDE = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])")
_BREAK = re.compile(r"[\W_]+")
_WORD = re.compile(r"([^\W\d_]{2,})\d{0,4}")  # A word of a label, with a number or year of birth after it
_OF_PATHS = frozenset({"doc", "file", "page"})  # words of paths and ids that are rare names, too
_EVERYDAY = 3
"""Minimum level of an ordinary word next to a name, as in ``call-anna-berg``."""


def looks_personal(label: str, *, sentences: bool) -> bool:
    """Whether a label looks like somebody's address, number or name.

    With ``sentences``, for ids, several words separated by spaces count as text, which may be personal, and a
    given name alone is enough; contexts may be either.

    >>> several = ("anna.berg@x.se", "anna_berg", "call-17", "+46 70 123 45 67")
    >>> [looks_personal(one, sentences=True) for one in several]
    [True, True, False, True]
    """
    if _is_number(label) or _ADDRESS.search(label):
        return True
    words = _words(label)
    is_text = sentences and " " in label.strip() and len(words) > 1
    return is_text or _is_name(words, least=1 if sentences else 2)


def say_personal(labels: Sequence[str], texts: Sequence[str]) -> list[bool]:
    """For each name or text of a tool, whether it holds an address or number, or names somebody in ``texts``.

    >>> say_personal(["get_stock_price", "ask ann@x.se", "call_anna_berg"], ["I am Anna Berg."])
    [False, True, True]
    """
    judged = list(map(_judged, labels))
    if not any(judged):
        return [False] * len(labels)
    said = " ".join(texts)
    return [one is True or (one is not False and any(name in said for name in one)) for one in judged]


@remembered
def _judged(label: str) -> bool | tuple[str, ...]:
    """Whether it is personal for certain; else the names that two words in a row of it, no sentence, may be."""
    if any(_is_number(match[0]) for match in _LONG_NUMBER.finditer(label)):
        return True
    for local, domain in _EMAIL.findall(label):
        own = _words(local)
        if not _RESERVED.fullmatch(domain) or (_NOBODY.isdisjoint(own) and _is_name(own[-2:], least=2)):
            return True
    pairs = pairwise(_words(label) if len(label.split()) < 3 else [])
    names = (pair for pair in pairs if _is_name(pair, least=2))
    return tuple(" ".join(map(str.capitalize, pair)) for pair in names) or False


def _words(label: str) -> list[str]:
    """The words of a label; none if letters and digits are mixed as in a code."""
    parts = [part for part in _BREAK.split(_CAPITAL_INSIDE.sub(" ", label)) if not part.isdigit()]
    words = [_WORD.fullmatch(part) for part in parts if len(part) > 1]
    if None in words:
        return []
    return [word for one in words if one is not None and (word := one[1].casefold()) not in _OF_PATHS]


def _is_number(label: str) -> bool:
    text = label.strip()
    if not any(map(str.isdigit, text)):
        return False
    if _BIRTH_NUMBER.fullmatch(text):
        return True
    if _CARD.fullmatch(text):
        from stdnum import luhn

        return bool(luhn.is_valid(re.sub(r"\D", "", text)))
    digits = sum(map(str.isdigit, text))
    return bool(digits in _DIGITS_OF_TELEPHONES and _TELEPHONE.fullmatch(text) and not _DATED.match(text))


def _is_name(words: Sequence[str], least: int) -> bool:
    """Whether words, apart from ordinary ones, are all names, including a given name."""
    known = lexicon()
    kinds = ((word, kind_of(word)) for word in words)
    left = [(len(word), kind) for word, kind in kinds if known.word[kind].max() < _EVERYDAY]
    # Two letters alone are a language or a country, as in ru-01.
    is_alone = least == len(words) == len(left) == 1 and left[0][0] != 2
    return (
        (is_alone or len(left) >= max(least, 2))
        and all(known.given[kind] or known.family[kind] for _, kind in left)
        and any(known.given[kind] > 1 for _, kind in left)
    )


_DIGITS_OF_A_QUERY = 9


def is_personal_url(url: str) -> bool:
    """Whether a URL has something personal: an account, an IP address, a query's values, a name in its path.

    >>> [is_personal_url(url) for url in ("https://docs.python.org/3/", "https://x.org/?email=ann%40x.com")]
    [False, True]
    >>> [is_personal_url(url) for url in ("http://192.168.7.12/docs", "http://127.0.0.1:8000/docs")]
    [True, False]
    """
    try:
        parts = urlsplit(url if "://" in url else f"//{url}")
        host = parts.hostname or ""
    except ValueError:
        return True
    if "@" in parts.netloc or _is_machine(host):
        return True
    path = unquote(parts.path)
    segments = [segment for segment in path.split("/") if segment]
    if segments and host.removeprefix("www.") in word_list("hosts_of_accounts"):
        return True
    if _path_of_a_person().search(path) or any(looks_personal(one, sentences=False) for one in segments):
        return True
    return any(
        "@" in value
        or key.lower() in word_list("query_keys")
        or sum(map(str.isdigit, value)) >= _DIGITS_OF_A_QUERY
        for key, value in parse_qsl(f"{parts.query}&{parts.fragment}")
    )


def _is_machine(host: str) -> bool:
    """Whether a host is an IP address, and not the machine itself."""
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return not (address.is_loopback or address.is_unspecified)


@built_once
def _path_of_a_person() -> re.Pattern[str]:
    """A part of a path behind which somebody's name or number stands."""
    accounts = alternatives(word_list("url_accounts"))
    numbered = alternatives(word_list("url_numbered"))
    return re.compile(rf"/(?:~|@|{accounts})/[^/]|/[~@][^/]|[^/]@[^/]|/(?:{numbered})/[^/]*\d", re.IGNORECASE)
