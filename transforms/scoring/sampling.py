"""Estimate what a network misses in text it skips, from a sample of that text.

It leaves out turns in which nothing is expected, and its gates hold back places on their way through it.
Detectors count (``detecting.detector.SamplingDetector``), the counts of all units are added up, and the shares
are computed here, so that anyone can compute them again from the counts beside them.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tacenda.transforms.scoring.intervals import wilson_interval

TURNS, PLACES = "turns", "places"
"""What is left out; findings of ``TURNS`` are findings, those of ``PLACES`` tokens that were found."""


class Sample(NamedTuple):
    """Counts of turns or of places.

    ``left_out`` are those in which nothing was expected, the sampled ones too; ``findings`` are all of the
    detector, those in sampled ones too.
    """

    all: int
    left_out: int
    sampled: int
    sampled_with_findings: int
    findings: int
    findings_in_sampled: int

    def counts(self, of: str) -> Iterator[tuple[str, int]]:
        """The counts by name, as they are added up."""
        for name, count in self._asdict().items():
            yield f"{of}/{name}", count


def sampling_statistics(counts: Mapping[str, int]) -> dict[str, Any] | None:
    """What the counts say of all that was left out, turns and places apart; None where nothing was counted.

    ``findings_missed`` is the estimated number of findings in what was left out and not sampled;
    ``share_missed`` is its share of these and all findings. The interval, at 95 %, is of the share that has a
    finding of what was left out. Figures are None where there is no sample to compute them from.
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
