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

_PARAMETER = re.compile(r"[A-Za-z_$][A-Za-z_$.-]*[0-9]{0,2}")
"""Typical parameter names of tools; any other key may be data, as in ``{"anna@x.se": "invited"}``."""


def is_parameter(key: str) -> bool:
    """Whether a key is a field name that somebody chose, not data."""
    return bool(_PARAMETER.fullmatch(key))


def is_searched(number: str) -> bool:
    """Whether a number, as spelled, is long enough to identify anybody."""
    return sum(map(str.isdigit, number)) >= NUMBER_DIGITS


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
