"""The characters of an RE2 class as a byte pattern: ASCII, and others one by one if they are few.

RE2 itself is asked which characters a class contains, so that no second parser of classes has to agree with
it.
"""

import re
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

import re2

from tacenda.transforms.storage.process_cache import built_once

ANY_BEYOND = r"[\xc2-\xf4][\x80-\xbf]{1,3}"
"""One character outside ASCII."""

_FEW = 8
"""Most non-ASCII characters that are listed; a case-insensitive "é" is two of them."""

_MANY = re.compile(r"\[\^|\[:\^|\\[pPDWSx]|\\[0-7]{2}|^\.$|[^\x00-\uffff]")
"""Syntax that may put many non-ASCII characters, or any outside of the first plane, into a class."""


class UntranslatableError(ValueError):
    """The pattern has no equivalent over bytes."""


class Members(NamedTuple):
    """``ascii`` are codes; ``beyond`` is a byte pattern for the non-ASCII characters.

    If these are many, it matches all non-ASCII characters; if there are none, it is empty.
    """

    ascii: tuple[int, ...]
    beyond: str


@lru_cache(maxsize=4096)
def members(text: str, caseless: bool, dot_all: bool) -> Members:
    """The characters of a class, or of a literal.

    Raises:
        UntranslatableError: RE2 does not accept the class.
    """
    options = "i" * caseless + "s" * dot_all
    settings = re2.Options()
    settings.log_errors = False
    try:
        regex = re2.compile((f"(?{options})" if options else "") + text, settings)
    except re2.error:
        raise UntranslatableError(text) from None
    in_ascii = tuple(match.start() for match in regex.finditer(bytes(range(128))))
    if _MANY.search(text):
        return Members(in_ascii, ANY_BEYOND)
    if text.isascii():
        return Members(in_ascii, "")
    few = [match.group() for match in islice(regex.finditer(_beyond_ascii()), _FEW + 1)]
    written = ("".join(f"\\x{byte:02x}" for byte in character) for character in few)
    return Members(in_ascii, ANY_BEYOND if len(few) > _FEW else "|".join(written))


@built_once
def _beyond_ascii() -> bytes:
    """All non-ASCII characters of the first plane; case folding never leads from them to other planes."""
    return "".join(map(chr, chain(range(0x80, 0xD800), range(0xE000, 0x10000)))).encode()
