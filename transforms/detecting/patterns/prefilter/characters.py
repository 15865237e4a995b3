"""The characters of an RE2 class as bytes: ASCII, and others one by one where they are few.

RE2 itself says which characters a class holds, so there is no second reading of classes to keep in step.
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
"""Characters outside ASCII that are written out; an "é" is two of them where case does not matter."""

_MANY = re.compile(r"\[\^|\[:\^|\\[pPDWSx]|\\[0-7]{2}|^\.$|[^\x00-\uffff]")
"""What may make a class hold many characters outside ASCII, or some outside the first plane."""


class UntranslatableError(ValueError):
    """The pattern says what has no counterpart over bytes."""


class Members(NamedTuple):
    """``ascii`` are codes; ``beyond`` is a pattern over bytes, of any character outside ASCII where they are
    many, and empty where there are none.
    """

    ascii: tuple[int, ...]
    beyond: str


@lru_cache(maxsize=4096)
def members(text: str, caseless: bool, dot_all: bool) -> Members:
    """The characters of a class, or of a literal.

    Raises:
        UntranslatableError: it is no class that RE2 takes.
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
    """All characters of the first plane outside ASCII; case folding leads from none of them to other planes."""
    return "".join(map(chr, chain(range(0x80, 0xD800), range(0xE000, 0x10000)))).encode()
