"""IndependentDetector: names, places, firms and numbers by a linear model of words, for the second look."""

import numpy as np
import numpy.typing as npt

from tacenda.models.independent.features import WordFeatures, word_features
from tacenda.models.independent.tagger import CLASSES, LinearTagger, shipped_tagger
from tacenda.transforms.detecting.independent_looks import EDGES, independent_name
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn

_GAP = 2
"""Most characters between two words of one finding."""


class IndependentDetector:
    """Finds what is more likely personal data than not, each time with the band of its odds.

    Args:
        tagger: None for the shipped one.
    """

    name = "independent"

    def __init__(self, tagger: LinearTagger | None = None) -> None:
        self._tagger = shipped_tagger() if tagger is None else tagger

    def find(self, column: TextColumn) -> list[list[Finding]]:
        """Disjoint findings of each cell, sorted by start; neighbouring words of one class are one finding."""
        found: list[list[Finding]] = [[] for _ in range(len(column))]
        for block_first, block in self._blocks(column):
            for cell, finding in self._find(block):
                found[block_first + cell].append(finding)
        return found

    def _blocks(self, column: TextColumn) -> list[tuple[int, TextColumn]]:
        blocks, first = [], 0
        for block in column.blocks:
            blocks.append((first, block))
            first += len(block)
        return blocks

    def _find(self, column: TextColumn) -> list[tuple[int, Finding]]:
        words = word_features(column)
        if not len(words.cells):
            return []
        scores = self._tagger.scores(words.buckets)
        best = scores[:, 1:].argmax(axis=1) + 1
        odds = scores[np.arange(len(best)), best] - scores[:, 0]
        bands = np.searchsorted(self._edges(), odds, side="right") - 1
        likely = np.flatnonzero(bands >= 0)
        begins = _begins(words, best, likely)
        highest = np.maximum.reduceat(bands[likely], begins) if len(likely) else bands[:0]
        lasts = np.append(begins[1:], len(likely)) - 1
        first, last = likely[begins], likely[lasts] if len(likely) else likely
        return [
            (cell, Finding(start, end, CLASSES[kind], Likelihood.VERY_UNLIKELY, independent_name(band)))
            for cell, start, end, kind, band in zip(
                words.cells[first].tolist(),
                words.starts[first].tolist(),
                words.ends[last].tolist(),
                best[first].tolist(),
                highest.tolist(),
                strict=True,
            )
        ]

    def _edges(self) -> npt.NDArray[np.int64]:
        """The bands in units of the scores, which are integers."""
        return np.array([round(edge / self._tagger.scale) for edge in EDGES], np.int64)


def _begins(
    words: WordFeatures, best: npt.NDArray[np.int64], likely: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Which of the likely words begin a finding."""
    if not len(likely):
        return likely
    before, here = likely[:-1], likely[1:]
    goes_on = (
        (here == before + 1)
        & (words.cells[here] == words.cells[before])
        & (best[here] == best[before])
        & (words.starts[here] - words.ends[before] <= _GAP)
    )
    return np.flatnonzero(np.append(True, ~goes_on))
