"""SpokenRun: a stretch of text in which a number, letters, an address or a date is spoken."""

from typing import Literal, NamedTuple

Kind = Literal["digits", "year", "spelled", "code", "email", "handle", "url", "ip", "date"]
"""Figures; a year alone; letters; letters and figures; addresses and names of accounts; a day of a month."""


class SpokenRun(NamedTuple):
    """``text[start:end]`` (code points, half-open) and what it stands for.

    ``value`` is what would have been written: ``4155550123``, ``MARK``, ``john.smith@gmail.com``,
    ``example.org/docs``, ``1990-03-03`` (``--03-03`` where no year is said). ``words`` counts the number words,
    names of signs and spelling words in it; 0 means that only figures and letters are apart. ``quantity`` says
    that the figures count or measure something, are round, tell the time, or count up: they are said like an
    identifier, but identify nobody.
    """

    start: int
    end: int
    value: str
    kind: Kind
    words: int
    quantity: bool = False
