"""Bound the length of a byte pattern's matches, and find out whether each must have a digit."""

import re
from typing import NamedTuple

from tacenda.transforms.detecting.patterns.prefilter.superset import TOKEN, bounds

_FIGURE = re.compile(r"[0-9]|\[(?:\\x3[0-9])+\]")


class Extent(NamedTuple):
    """``longest`` is in bytes, None if unbounded; ``has_figure``: every match has an ASCII digit."""

    longest: int | None
    has_figure: bool


class _Alternatives:
    """The matches of a group, alternative by alternative."""

    def __init__(self) -> None:
        self._done: list[Extent] = []
        self.begin()

    def begin(self) -> None:
        self._longest: int | None = 0
        self._has_figure = False

    def add(self, piece: Extent, least: int, most: int | None) -> None:
        if self._longest is not None and piece.longest is not None and most is not None:
            self._longest += piece.longest * most
        else:
            self._longest = None
        self._has_figure |= piece.has_figure and least > 0

    def end(self) -> None:
        self._done.append(Extent(self._longest, self._has_figure))
        self.begin()

    def extent(self) -> Extent:
        self.end()
        lengths = [extent.longest for extent in self._done if extent.longest is not None]
        longest = max(lengths) if len(lengths) == len(self._done) else None
        return Extent(longest, all(extent.has_figure for extent in self._done))


def extent(expression: str) -> Extent:
    """The extent of a pattern from ``byte_superset``."""
    tokens = list(TOKEN.finditer(expression))
    groups = [_Alternatives()]
    for i, token in enumerate(tokens):
        if token["or"]:
            groups[-1].end()
        elif token["group"] and token["scope"] != ")":
            groups.append(_Alternatives())
        elif token["close"] or token["class"] or token["literal"]:
            piece = (
                groups.pop().extent()
                if token["close"]
                else Extent(1, _FIGURE.fullmatch(token.group()) is not None)
            )
            repeat = tokens[i + 1]["repeat"] if i + 1 < len(tokens) else None
            groups[-1].add(piece, *bounds(repeat or ""))
    return groups[-1].extent()
