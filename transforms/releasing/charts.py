"""Geometry of the report's charts; the template draws them.

A histogram has one slot per score. Slot ``k`` reaches from ``k`` to ``k + 1``, so that the threshold is the
left edge of its own bar: everything right of the line is at or over it, and a mean plus deviation on the same
axis meets the criterion exactly if it ends left of the line. The height of a bar is the square root of the
share of conversations: most conversations score 0, and a linear axis would hide the tail.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tacenda.transforms.releasing.number_format import compact

_WIDTH = 400
_MARGIN = 6
_TOP = 38
_BASE = 118
_RAIL = 145
_HEIGHT = 167
_GAP = 0.16
_CHARACTER_WIDTH = 5.9
_RAIL_LABEL_WIDTH = 150
_LAST_SCORE = 20
_SCORES_PAST_THRESHOLD = 3


@dataclass(frozen=True, slots=True)
class Bar:
    """One score of a histogram, in units of the drawing; ``over``: it is at or over the threshold."""

    score: str
    count: int
    label: str
    x: float
    y: float
    width: float
    height: float
    middle: float
    over: bool


@dataclass(frozen=True, slots=True)
class Rail:
    """The line from the mean to the mean plus one deviation, drawn under the axis."""

    start: float
    end: float
    clipped: bool
    label_x: float


@dataclass(frozen=True, slots=True)
class Histogram:
    """Everything needed to draw one context; all lengths are in units of the drawing."""

    width: int
    height: int
    base: int
    top: int
    left: float
    right: float
    rail_y: int
    threshold_x: float
    upright_labels: bool
    bars: tuple[Bar, ...]
    rail: Rail | None


@dataclass(frozen=True, slots=True)
class Axis:
    """The scale shared by all histograms of one source, so that they can be compared by eye."""

    threshold: float
    last_score: int
    overflows: bool
    tallest_share: float


def shared_axis(histograms: Iterable[Mapping[int, int]], threshold: float) -> Axis:
    """The axis that fits all these histograms; scores beyond the last slot share it."""
    histograms = list(histograms)
    least = math.ceil(threshold) + _SCORES_PAST_THRESHOLD
    largest = max((score for counts in histograms for score, n in counts.items() if n), default=0)
    last_score = max(_LAST_SCORE, least) if largest > _LAST_SCORE else max(largest, least)
    overflows = largest > last_score
    tallest = max(
        (share for counts in histograms for share in _shares(_slots(counts, last_score)).values()),
        default=0.0,
    )
    return Axis(threshold, last_score, overflows, tallest)


def histogram(
    counts: Mapping[int, int], axis: Axis, mean: float | None, mean_plus_deviation: float | None
) -> Histogram:
    """Lay out the histogram of one context.

    Args:
        counts: conversations by score.
        axis: the axis shared with the other contexts of its source.
        mean: of the scores; None if there are none.
        mean_plus_deviation: the figure that the criterion compares with the threshold.
    """
    slots = _slots(counts, axis.last_score)
    shares = _shares(slots)
    slot_width = (_WIDTH - 2 * _MARGIN) / (axis.last_score + 1)
    bars = tuple(
        _bar(score, slots.get(score, 0), shares.get(score, 0.0), slot_width, axis)
        for score in range(axis.last_score + 1)
    )
    return Histogram(
        width=_WIDTH,
        height=_HEIGHT,
        base=_BASE,
        top=_TOP,
        left=_MARGIN,
        right=_WIDTH - _MARGIN,
        rail_y=_RAIL,
        threshold_x=round(_MARGIN + axis.threshold * slot_width, 2),
        upright_labels=any(len(bar.label) * _CHARACTER_WIDTH > slot_width for bar in bars),
        bars=bars,
        rail=_rail(mean, mean_plus_deviation, slot_width),
    )


def bar_percent(count: int | None, largest: int) -> float:
    """The length of a bar in a table, in per cent of the longest, on a square-root scale.

    >>> bar_percent(25, 100), bar_percent(0, 100), bar_percent(None, 100)
    (50.0, 0.0, 0.0)
    """
    return round(100 * math.sqrt(count / largest), 1) if count and largest else 0.0


def _slots(counts: Mapping[int, int], last_score: int) -> dict[int, int]:
    slots: dict[int, int] = {}
    for score, count in counts.items():
        slot = min(max(score, 0), last_score)
        slots[slot] = slots.get(slot, 0) + count
    return slots


def _shares(slots: Mapping[int, int]) -> dict[int, float]:
    total = sum(slots.values())
    return {score: count / total for score, count in slots.items()} if total else {}


def _bar(score: int, count: int, share: float, slot_width: float, axis: Axis) -> Bar:
    height = (_BASE - _TOP) * math.sqrt(share / axis.tallest_share) if count else 0.0
    # A single conversation among millions must still be visible.
    height = max(height, 2.0) if count else 0.0
    left = _MARGIN + score * slot_width
    return Bar(
        score=f"{score}+" if axis.overflows and score == axis.last_score else str(score),
        count=count,
        label=compact(count) if count else "",
        x=round(left + _GAP / 2 * slot_width, 2),
        y=round(_BASE - height, 2),
        width=round((1 - _GAP) * slot_width, 2),
        height=round(height, 2),
        middle=round(left + slot_width / 2, 2),
        over=score >= axis.threshold,
    )


def _rail(mean: float | None, mean_plus_deviation: float | None, slot_width: float) -> Rail | None:
    if mean is None or mean_plus_deviation is None or not math.isfinite(mean + mean_plus_deviation):
        return None
    right = _WIDTH - _MARGIN
    start = min(_MARGIN + mean * slot_width, right)
    end = min(_MARGIN + mean_plus_deviation * slot_width, right)
    return Rail(
        start=round(start, 2),
        end=round(end, 2),
        clipped=_MARGIN + mean_plus_deviation * slot_width > right,
        label_x=round(min(start, right - _RAIL_LABEL_WIDTH) - 3, 2),
    )
