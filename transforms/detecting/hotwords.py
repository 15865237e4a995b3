"""Hotwords: their positions in a column, and which findings or cells have one in their window."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.candidates import Candidates
from tacenda.transforms.detecting.patterns.filtering import Matching
from tacenda.transforms.detecting.patterns.scanning import scan
from tacenda.transforms.detecting.settings import Hotword
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.utf8 import Utf8Column

_Spots = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]

_NOWHERE = np.zeros(0, dtype=np.int64)


class HotwordIndex:
    """The hotwords of one column; each pattern is searched once, when first needed.

    ``matching`` has the cells of those that were searched for together.
    """

    def __init__(self, column: Utf8Column, matching: Matching | None = None) -> None:
        self._column = column
        self._matching: Matching = {} if matching is None else matching
        self._spots: dict[str, _Spots] = {}

    def near(self, places: Candidates, hotword: Hotword) -> npt.NDArray[np.bool_]:
        """For each candidate, whether a match of the hotword lies entirely in its window.

        The window includes the candidate itself and extends over neighbouring cells of the conversation; the
        step between two cells counts as one code point.
        """
        if not len(places):
            return np.zeros(0, dtype=np.bool_)
        starts, ends = self._find(hotword.regex)
        if not len(starts):
            return np.zeros(len(places), dtype=np.bool_)
        origins = self._column.origins[places.cells]
        low = origins + places.starts - hotword.window_before
        high = origins + places.ends + hotword.window_after
        # Matches of one pattern are disjoint and ascending: the first to start in the window is the first to
        # end.
        index = np.searchsorted(starts, low, side="left")
        near: npt.NDArray[np.bool_] = np.append(ends, np.iinfo(np.int64).max)[index] <= high
        return near

    def cells_near(self, hotwords: Iterable[Hotword]) -> npt.NDArray[np.int64]:
        """The cells in which a finding could have one of the hotwords in its window, ascending."""
        several = [(h, spots) for h in hotwords if len((spots := self._find(h.regex))[0])]
        if not several:
            return _NOWHERE
        origins = self._column.origins
        lows = np.concatenate([ends - h.window_after for h, (_, ends) in several])
        highs = np.concatenate([starts + h.window_before for h, (starts, _) in several])
        first = np.maximum(np.searchsorted(origins, lows, side="right") - 1, 0)
        stop = np.searchsorted(origins, highs, side="right")
        # Running count of open windows, from the first cell to the last: memory depends only on the number of
        # cells, however many hotwords are close together.
        least = int(first.min())
        size = int(stop.max()) - least + 1
        begun, ended = (np.bincount(places - least, minlength=size) for places in (first, stop))
        return np.flatnonzero(np.cumsum(begun - ended)[:-1] > 0) + least

    def _find(self, pattern: str) -> _Spots:
        if pattern not in self._spots:
            known = self._matching.get(pattern)
            buffer = self._column.everything if known is None else self._column.select(known)
            if not len(buffer.cells):
                self._spots[pattern] = _NOWHERE, _NOWHERE
                return self._spots[pattern]
            cells, starts, ends = buffer.locate(*scan(buffer, pattern))
            origins = self._column.origins[cells]
            self._spots[pattern] = origins + starts, origins + ends
        return self._spots[pattern]


def adjusted(found: Candidates, hotword: Hotword, spots: HotwordIndex) -> Candidates:
    """The candidates, with the likelihoods of those near the hotword adjusted."""
    if not len(found):
        return found
    near = spots.near(found, hotword)
    if not near.any():
        return found
    if hotword.fixed is not None:
        moved = np.full(len(found), int(hotword.fixed), dtype=np.int64)
    else:
        moved = np.clip(
            found.likelihoods + hotword.relative, Likelihood.VERY_UNLIKELY, Likelihood.VERY_LIKELY
        )
    return found.likely(np.where(near, moved, found.likelihoods))
