"""Estimate what a network misses in text it skips, from a sample of that text.

It skips turns in which it expects nothing, and its gates drop places on their way through the network.
Detectors count (``detecting.detector.SamplingDetector``), the counts of all units are added up, and the
shares are computed here, so that anyone can verify them from the published counts.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tacenda.transforms.scoring.intervals import wilson_interval

TURNS, PLACES = "turns", "places"
"""What is skipped; findings of ``TURNS`` are findings, those of ``PLACES`` are tokens within findings."""


class Sample(NamedTuple):
    """Counts of turns or of places.

    ``left_out`` counts those in which nothing was expected, including sampled ones; ``findings`` counts all
    of the detector's, including those in the sample.
    """

    all: int
    left_out: int
    sampled: int
    sampled_with_findings: int
    findings: int
    findings_in_sampled: int

    def counts(self, of: str) -> Iterator[tuple[str, int]]:
        """The counts by name, in the form in which they are added up."""
        for name, count in self._asdict().items():
            yield f"{of}/{name}", count


def sampling_statistics(counts: Mapping[str, int]) -> dict[str, Any] | None:
    """Estimates for everything that was skipped, by turns and places; None if nothing was counted.

    ``findings_missed`` is the estimated number of findings in text that was skipped and not sampled;
    ``share_missed`` is its share of these and all findings. The 95 % interval is of the share of skipped
    items with a finding. Figures are None if there is no sample.
    """
    told = {}
    for of in (TURNS, PLACES):
        sample = Sample(*(counts.get(f"{of}/{name}", 0) for name in Sample._fields))
        if sample.all:
            told[of] = {**sample._asdict(), **_missed(sample)}
    return told or None


def _missed(sample: Sample) -> dict[str, Any]:
    missed = share = interval = None
    if not sample.left_out:
        missed = share = 0.0
    elif sample.sampled:
        missed = sample.findings_in_sampled * (sample.left_out - sample.sampled) / sample.sampled
        share = missed / (sample.findings + missed) if missed else 0.0
        interval = list(wilson_interval(sample.sampled_with_findings, sample.sampled))
    return {"findings_missed": missed, "share_missed": share, "share_with_findings_interval_95": interval}
