"""A number and what it counts, in words."""


def counted(number: int, noun: str, plural: str = "") -> str:
    """The number with thousands separated, and the noun in singular or plural.

    >>> counted(1, "row"), counted(1200, "row"), counted(0, "entry", "entries")
    ('1 row', '1,200 rows', '0 entries')
    """
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"
