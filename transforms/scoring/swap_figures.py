"""The figures of the swap test (``auditing.swapping``): which share of the names that were put in was found
again.
"""

from collections.abc import Mapping
from typing import Any

from tacenda.transforms.scoring.intervals import exact_interval

LEAST_SWAPS, LEAST_SHARE = 50, 0.90
"""A context or kind of text with so many swaps is held if the upper limit of the share found again is below."""

_HELD_BY = ("kind of text", "context")
_PUT, _FOUND = "put", "found"
_PLACES = 4


def swap_statistics(counts: Mapping[str, int]) -> dict[str, Any] | None:
    """The figures of statistics.json: each group with its share and exact 95 % interval, those held first.

    Args:
        counts: of ``auditing.swapping.found_again``, added up.

    Returns: None without swaps.
    """
    groups = []
    for key, put in sorted(counts.items()):
        by, _, rest = key.partition("/")
        name, _, what = rest.rpartition("/")
        if what != _PUT or not put:
            continue
        found = counts.get(f"{by}/{name}/{_FOUND}", 0)
        low, high = exact_interval(found, put)
        groups.append(
            {
                "by": by,
                "name": name,
                "swaps": put,
                "found": found,
                "share": round(found / put, _PLACES),
                "interval_95": [round(low, _PLACES), round(high, _PLACES)],
                "missed_of_found": round(found and (put - found) / found, _PLACES),
                "held": by in _HELD_BY and put >= LEAST_SWAPS and high < LEAST_SHARE,
            }
        )
    order = ("all", *_HELD_BY, "infoType", "language")
    groups.sort(
        key=lambda one: (not one["held"], order.index(str(one["by"])), one["share"], str(one["name"]))
    )
    return {"groups": groups} if groups else None


def held_by_swaps(counts: Mapping[str, int]) -> list[str]:
    """The contexts and kinds of text that are held, a sentence each."""
    told = swap_statistics(counts) or {"groups": []}
    return [
        f"the swap test: {one['by']} {one['name'] or '(none)'}: of {one['swaps']:,} names put in the place "
        "of others, "
        f"{one['found']:,} were found again ({one['share']:.0%}, at most {one['interval_95'][1]:.0%}); "
        "people have to "
        "read it"
        for one in told["groups"]
        if one["held"]
    ]
