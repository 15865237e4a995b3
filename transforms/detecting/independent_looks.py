"""Findings of the independent detector, with how sure it was of each.

It reads the same text as the other detectors, and nothing is replaced for what it finds: it only tells the
second look what they may have missed, and how much both may have (``scoring.dual_system``). Its name carries
the number of a band, as that of faint findings does (``detecting.faint``).
"""

EDGES = (0.0, 1.0, 2.5, 4.0)
"""Least logarithm of the odds of each band: what is less likely than not was not seen."""

_BANDS = {f"independent {band}": band for band in range(len(EDGES))}
_NAMES = list(_BANDS)


def independent_name(band: int) -> str:
    """The detector of findings in a band, numbered from 0."""
    return _NAMES[band]


def independent_band(detector: str) -> int | None:
    """The band of a finding's detector; None if it is another one.

    >>> independent_band(independent_name(3)), independent_band("rules")
    (3, None)
    """
    return _BANDS.get(detector)
