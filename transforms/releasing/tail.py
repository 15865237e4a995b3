"""The empirical tail of the scores: how many conversations score at least so much, counted and drawn.

The drawing has a slot for each score, as the histograms have (``charts``): the line over slot ``k`` is the
share of conversations that score ``k`` or more. Its vertical axis is logarithmic, with a line for each tenth,
so that one conversation in ten thousand still shows.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tacenda.transforms.scoring.intervals import exact_interval

_WIDTH, _HEIGHT, _BASE = 400, 150, 130
_LEFT, _RIGHT, _TOP = 46, 394, 18
_LAST_SCORE = 40
_MULTIPLES = (1, 2, 3, 4)
_LOW_SCORES = (1, 2, 3)


class TailRow(NamedTuple):
    """The conversations that score ``least`` or more, with the exact 95 % interval of their share."""

    least: float
    conversations: int
    share: float
    interval: tuple[float, float]


class Label(NamedTuple):
    """A horizontal line of the drawing."""

    y: float
    label: str


class Tick(NamedTuple):
    """A score on the horizontal axis."""

    x: float
    label: str


@dataclass(frozen=True, slots=True)
class Tail:
    """The rows of the table, and everything needed to draw the line; lengths are in units of the drawing."""

    rows: tuple[TailRow, ...]
    lines: tuple[Label, ...]
    ticks: tuple[Tick, ...]
    path: str
    threshold_x: float
    width: int = _WIDTH
    height: int = _HEIGHT
    base: int = _BASE
    left: int = _LEFT
    right: int = _RIGHT


def tail(histogram: Mapping[int, int], threshold: float) -> Tail:
    """The tail of scores, given the number of conversations with each of them; at least one is needed."""
    n = sum(histogram.values())
    highest = max(score for score, count in histogram.items() if count)
    last = min(_LAST_SCORE, max(highest + 1, math.ceil(threshold) + 3))
    slot = (_RIGHT - _LEFT) / (last + 1)
    decades = max(1, math.ceil(math.log10(n)))
    lines = tuple(Label(round(_TOP + (_BASE - _TOP) * d / decades, 2), _label(d)) for d in range(decades + 1))
    return Tail(
        tuple(_rows(histogram, threshold, highest, n)),
        lines,
        tuple(
            Tick(round(_LEFT + (score + 0.5) * slot, 2), str(score))
            for score in range(0, last + 1, 1 if last <= 20 else 5)
        ),
        _path([_from(histogram, score) / n for score in range(last + 1)], slot, decades),
        round(_LEFT + threshold * slot, 2),
    )


def _rows(histogram: Mapping[int, int], threshold: float, highest: int, n: int) -> list[TailRow]:
    least = {*(float(score) for score in _LOW_SCORES), *(threshold * times for times in _MULTIPLES)}
    rows = []
    for score in sorted(one for one in least if one <= max(highest, threshold)):
        count = _from(histogram, score)
        low, high = exact_interval(count, n)
        rows.append(TailRow(score, count, count / n, (low, high)))
    return rows


def _from(histogram: Mapping[int, int], least: float) -> int:
    return sum(count for score, count in histogram.items() if score >= least)


def _path(shares: Sequence[float], slot: float, decades: int) -> str:
    pieces = [f"M{_LEFT} {_y(shares[0], decades)}"]
    for score, share in enumerate(shares):
        pieces.append(f"V{_y(share, decades)}H{round(_LEFT + (score + 1) * slot, 2)}")
        if not share:
            break
    return "".join(pieces)


def _y(share: float, decades: int) -> float:
    if not share:
        return float(_BASE)
    return round(_TOP + (_BASE - _TOP) * min(1.0, -math.log10(share) / decades), 2)


def _label(tenths: int) -> str:
    return f"{100 / 10**tenths:g} %" if tenths < 6 else f"10⁻{'⁰¹²³⁴⁵⁶⁷⁸⁹'[tenths % 10]}"
