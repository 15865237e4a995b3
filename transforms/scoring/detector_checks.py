"""Figures on what detectors miss: the sample of tokens that early exit skips, and the swap test.

Detectors and the swap test count (``detecting.detector.CountedLook``, ``auditing.swapping``), the counts of all
units are added up, and the shares are computed here, so that anyone can verify them from the published counts.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tacenda.transforms.scoring.intervals import exact_interval, wilson_interval

PLACES = "places"  # what is skipped: tokens, and so are the findings counted


class Sample(NamedTuple):
    """Counts of places.

    ``left_out`` counts those in which nothing was expected, including sampled ones; ``findings`` counts all
    of the detector's, including those in the sample.
    """

    all: int
    left_out: int
    sampled: int
    sampled_with_findings: int
    findings: int
    findings_in_sampled: int

    def counts(self) -> Iterator[tuple[str, int]]:
        """The counts by name, in the form in which they are added up."""
        for name, count in self._asdict().items():
            yield f"{PLACES}/{name}", count


def sampling_statistics(counts: Mapping[str, int]) -> dict[str, Any] | None:
    """Estimates for everything that was skipped; None if nothing was counted.

    ``findings_missed`` is the estimated number of findings in text that was skipped and not sampled;
    ``share_missed`` is its share of these and all findings. The 95 % interval is of the share of skipped
    items with a finding. Figures are None if there is no sample.
    """
    sample = Sample(*(counts.get(f"{PLACES}/{name}", 0) for name in Sample._fields))
    if not sample.all:
        return None
    missed = share = interval = None
    if not sample.left_out:
        missed = share = 0.0
    elif sample.sampled:
        missed = sample.findings_in_sampled * (sample.left_out - sample.sampled) / sample.sampled
        share = missed / (sample.findings + missed) if missed else 0.0
        interval = list(wilson_interval(sample.sampled_with_findings, sample.sampled))
    told = {"findings_missed": missed, "share_missed": share, "share_with_findings_interval_95": interval}
    return {PLACES: {**sample._asdict(), **told}}


LEAST_SWAPS, LEAST_SHARE = 50, 0.90
"""A context or kind of text with so many swaps is held if the upper limit of the share found again is below."""

_HELD_BY = ("kind of text", "context")
_PUT, _FOUND = "put", "found"
_PLACES = 4


def swap_statistics(counts: Mapping[str, int]) -> dict[str, Any] | None:
    """The figures of statistics.json: each group with its share and exact 95 % interval, those held first.

    ``counts`` are those of ``auditing.swapping.found_again``, added up.

    Returns: None without swaps.
    """
    groups: list[dict[str, Any]] = []
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
    groups.sort(key=lambda one: (not one["held"], order.index(one["by"]), one["share"], one["name"]))
    return {"groups": groups} if groups else None


def held_by_swaps(counts: Mapping[str, int]) -> list[str]:
    """The contexts and kinds of text that are held, a sentence each."""
    told = swap_statistics(counts) or {"groups": []}
    return [
        f"the swap test: {one['by']} {one['name'] or '(none)'}: of {one['swaps']:,} names put in the place of "
        f"others, {one['found']:,} were found again ({one['share']:.0%}, at most {one['interval_95'][1]:.0%}); "
        "people have to read it"
        for one in told["groups"]
        if one["held"]
    ]
