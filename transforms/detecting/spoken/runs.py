"""SpokenRun: a range of text that contains a spoken number, letters, an address or a date."""

from typing import Literal, NamedTuple

Kind = Literal["digits", "year", "spelled", "code", "email", "url"]
"""Digits; a year alone; letters; letters and digits; addresses."""


class SpokenRun(NamedTuple):
    """``text[start:end]`` (code points, half-open) and its meaning.

    ``value`` is the written form: ``4155550123``, ``MARK``, ``john.smith@gmail.com``, ``example.org``.
    ``words`` is the number of number words and names of signs; 0 means that digits and letters are written,
    with spaces. ``quantity`` says that the digits count or measure something, are round, tell the time, or
    count up: they are spoken like an identifier but identify nobody.
    """

    start: int
    end: int
    value: str
    kind: Kind
    words: int
    quantity: bool = False
