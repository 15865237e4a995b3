"""Keys and values of JSON: which keys are names of parameters, which numbers are searched, and their paths."""

import re
from collections.abc import Callable

Visit = Callable[[str, str], str]
"""Called with the path and the text of a cell; returns the new text.

A path consists of parameter names and indexes only; ``:key`` ends the path of a key.
"""

NUMBER_DIGITS = 3
"""Shorter numbers are counts; from three digits on they may be part of a telephone number or an id."""

MOST_LEVELS = 100
"""Deepest nesting; a fixed number, since the interpreter's limit depends on the caller's depth."""

_PATH_CHARS = 128
"""Length limit of names in a path; beyond it keys are given by index, to keep paths short."""

_NUMBER = re.compile(r"-?[0-9]{1,19}(?:\.[0-9]{1,17})?")
_LARGEST = 1 << 63

_PARAMETER = re.compile(r"[A-Za-z_$][A-Za-z_$.-]*[0-9]{0,2}")
"""Typical parameter names of tools; any other key may be data, as in ``{"anna@x.se": "invited"}``."""


def is_parameter(key: str) -> bool:
    """Whether a key is a field name that somebody chose, not data."""
    return bool(_PARAMETER.fullmatch(key))


def is_searched(number: str) -> bool:
    """Whether a number, as spelled, is long enough to identify anybody."""
    return sum(map(str.isdigit, number)) >= NUMBER_DIGITS


def as_number(spelled: str) -> int | float | None:
    """The number that a replacement of a number is, such as a surrogate of it; None for tokens and others.

    Only numbers of 64 bits, as JSON spells them, that are searched when they are read again.

    >>> as_number("4155550123"), as_number("-2.75"), as_number("0155"), as_number("[AGE_1]"), as_number("12")
    (4155550123, -2.75, None, None, None)
    """
    if not _NUMBER.fullmatch(spelled) or not is_searched(spelled):
        return None
    number = float(spelled) if "." in spelled else int(spelled)
    return number if repr(number) == spelled and abs(number) < _LARGEST else None


def key_path(path: str, key: str, place: int) -> str:
    """The path of a value of an object.

    Paths are written beside findings, so a key that may be data is represented by its position, which no
    parameter name is.
    """
    told = is_parameter(key) and len(path) + len(key) <= _PATH_CHARS
    return f"{path}.{key if told else place}"


class UniqueKeys:
    """The keys of one object as written; two that mean one person get different names."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._written: set[str] = set()
        self._times: dict[str, int] = {}

    def name(self, key: str, replaced: str) -> str:
        """The output name of a key with replacement ``replaced``.

        A number is appended if another key has the same replacement, so that neither value is lost. A key
        that the object repeats keeps its name.
        """
        if key not in self._names:
            unique = replaced
            while unique in self._written:
                self._times[replaced] = self._times.get(replaced, 1) + 1
                unique = f"{replaced}_{self._times[replaced]}"
            self._written.add(unique)
            self._names[key] = unique
        return self._names[key]
