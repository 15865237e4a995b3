"""Structure: a range of a cell that other programs parse, and the values in it."""

from enum import IntEnum
from typing import NamedTuple


class Spelling(IntEnum):
    """How the characters of a value are written."""

    PLAIN = 0
    URL = 1
    XML = 2


class Value(NamedTuple):
    """A value of a structure: code points of the cell, half-open.

    Attributes:
        start: its first code point.
        end: its end.
        key: what it is called, in lower case; empty without a name.
        personal: it is somebody's, whatever it looks like: behind ``/users/``, or before an ``@``.
        quote: what stands around it in XML (:class:`tacenda.transforms.shapes.xml_text.XmlValue`).
    """

    start: int
    end: int
    key: str = ""
    personal: bool = False
    quote: str = ""


class Structure(NamedTuple):
    """A range of a cell, disjoint from all others; all in it that is no value stays as it is.

    Attributes:
        start: its first code point.
        end: its end.
        values: in order and disjoint.
        spelling: that of its values.
        divides: a finding of all of it means those of its values that may be somebody's, not everything.
        stamps: ranges with a date or time, which findings of dates may cover.
    """

    start: int
    end: int
    values: tuple[Value, ...]
    spelling: Spelling = Spelling.PLAIN
    divides: bool = False
    stamps: tuple[tuple[int, int], ...] = ()
