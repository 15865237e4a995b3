"""Number formats of the report; rounding never changes what a reader concludes."""

import math

MISSING = "–"
_NARROW_SPACE = "\u202f"
_UNBROKEN = "\u00a0"
_MOST_PLACES = 9


def whole(number: int | None) -> str:
    """A count with digits in groups of three; a dash for None.

    >>> whole(1234567).split(_NARROW_SPACE)
    ['1', '234', '567']
    """
    return MISSING if number is None else f"{number:,}".replace(",", _NARROW_SPACE)


def decimal(number: float | None, threshold: float | None = None) -> str:
    """Two decimals, or as many as it takes to keep the figure on its side of the threshold.

    >>> decimal(4.9968), decimal(4.9968, threshold=5)
    ('5.00', '4.997')
    """
    if number is None or not math.isfinite(number):
        return MISSING
    places = 2
    if threshold is not None:
        while places < _MOST_PLACES and (round(number, places) < threshold) != (number < threshold):
            places += 1
    return f"{number:.{places}f}"


def percent(share: float | None, most: float | None = None) -> str:
    """A share of 0 to 1 in per cent; only exactly 0 is shown as 0, only exactly 1 as 100, and only what is more
    than ``most`` as more.

    >>> [percent(share, 0.02).replace(_UNBROKEN, " ") for share in (0.0, 0.0000001, 0.0204, 0.1224, 0.99999)]
    ['0 %', '< 0.1 %', '2.04 %', '12.2 %', '> 99.9 %']
    """
    if share is None or not math.isfinite(share):
        return MISSING
    places = 3
    while most is not None and places < _MOST_PLACES and (round(share, places) > most) != (share > most):
        places += 1
    near = "< 0.1 %" if share < 0.001 else "> 99.9 %" if share > 0.999 else f"{100 * share:.{places - 2}f} %"
    return ("0 %" if share <= 0 else "100 %" if share >= 1 else near).replace(" ", _UNBROKEN)


def one_in(number: int, of: int) -> str:
    """A share as people say it, such as ``about 1 in 11``.

    >>> one_in(9, 100), one_in(60, 100), one_in(2, 2)
    ('about 1 in 11', '60.0 %', '100 %')
    """
    if 3 * number > of:
        return percent(number / of).replace(_UNBROKEN, " ")
    return f"about 1 in {round(of / number):,}"
