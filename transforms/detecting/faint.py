"""Faint findings: scores of the network below its threshold, with how near they came to it.

They come from the scores of the first look, so the network does not run twice. Nothing is replaced for a faint
finding, and nothing counts it: it confirms what lists found (``detecting.witnesses``). Its detector is a name
with the number of a band, since a likelihood has five steps only.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tacenda.transforms.schema.finding import Finding

EDGES = (0.04, 0.08, 0.16, 0.32, 0.64, 1.0, 1.5, 2.2)
"""Lower bound of each band, as a fraction of the threshold; from 1 on where only a user's rule or a higher
likelihood stands in the way of a finding."""

_NAME = "faint "
_BANDS = {f"{_NAME}{band}": band for band in range(len(EDGES))}
_NAMES = list(_BANDS)


def bands(parts: npt.NDArray[np.float32]) -> npt.NDArray[np.int64]:
    """The band of scores given in parts of their thresholds, from 1; 0 below all bands."""
    return np.searchsorted(np.asarray(EDGES, np.float32), parts, side="right").astype(np.int64)


def faint_detector(band: int) -> str:
    """The detector of faint findings in a band, numbered from 0."""
    return _NAMES[band]


def band_of(detector: str) -> int | None:
    """The band of a finding's detector; None if the finding is not faint.

    >>> band_of(faint_detector(3)), band_of("rules")
    (3, None)
    """
    return _BANDS.get(detector)


def not_faint(findings: Sequence[Finding]) -> list[Finding]:
    """The findings that a self-check counts."""
    return [finding for finding in findings if finding.detector not in _BANDS]
