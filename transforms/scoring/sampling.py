"""Estimate what a network's gates miss, which drop places on their way through it, from a sample of the text.

Detectors count (``detecting.detector.SamplingDetector``), the counts of all units are added up, and the
shares are computed here, so that anyone can verify them from the published counts.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tacenda.transforms.scoring.intervals import wilson_interval

PLACES = "places"
"""What is skipped: tokens, and so are the findings counted."""


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
    return {PLACES: {**sample._asdict(), **_missed(sample)}} if sample.all else None


def _missed(sample: Sample) -> dict[str, Any]:
    missed = share = interval = None
    if not sample.left_out:
        missed = share = 0.0
    elif sample.sampled:
        missed = sample.findings_in_sampled * (sample.left_out - sample.sampled) / sample.sampled
        share = missed / (sample.findings + missed) if missed else 0.0
        interval = list(wilson_interval(sample.sampled_with_findings, sample.sampled))
    return {"findings_missed": missed, "share_missed": share, "share_with_findings_interval_95": interval}
