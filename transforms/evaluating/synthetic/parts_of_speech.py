"""Parts of speech of two corpora: the share of each, as a tagger found them, and how far they are apart.

The distance has an interval from a Poisson bootstrap over records, which needs no second pass and adds up in
any order: N. Chamandy et al., "Estimating Uncertainty for Massive Data Streams", Google, 2012. It is the basic
interval, since resampling by itself drives the shares of two corpora apart.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda.transforms.evaluating.bootstrap import percentile_interval
from tacenda.transforms.evaluating.synthetic.diversity import mean_and_deviation

RESAMPLES = 400

Shares = npt.NDArray[np.float64]


def tags_of(value: Any) -> tuple[str, ...]:
    """The tags in a field: a list of texts, or one text with spaces between them; none in anything else.

    >>> tags_of("DET NOUN"), tags_of(["DET", "NOUN"]), tags_of(None)
    (('DET', 'NOUN'), ('DET', 'NOUN'), ())
    """
    if isinstance(value, str):
        return tuple(value.split())
    return tuple(map(str, value)) if isinstance(value, list) else ()


@dataclass
class TagCounts:
    """How often each tag occurs in some records, and in resamples of them; counts add up in any order."""

    counts: Counter[str] = field(default_factory=Counter)
    resampled: dict[str, npt.NDArray[np.int64]] = field(default_factory=dict)

    def add(self, record: str, tags: Sequence[str]) -> None:
        """Count the tags of a record, given its id."""
        if not tags:
            return
        own = Counter(tags)
        self.counts.update(own)
        often = _times_drawn(record)
        for tag, times in own.items():
            self.resampled[tag] = self.resampled.get(tag, 0) + times * often

    def merge(self, other: "TagCounts") -> "TagCounts":
        """Add other counts; returns itself."""
        self.counts.update(other.counts)
        for tag, times in other.resampled.items():
            self.resampled[tag] = self.resampled.get(tag, 0) + times
        return self

    def shares(self, tags: Sequence[str]) -> Shares:
        """The share of each tag; zeros without tags."""
        return _divided(np.array([self.counts.get(tag, 0) for tag in tags], np.float64))

    def resampled_shares(self, tags: Sequence[str]) -> Shares:
        """The share of each tag (columns) in each resample (rows)."""
        none = np.zeros(RESAMPLES, np.int64)
        return _divided(np.array([self.resampled.get(tag, none) for tag in tags], np.float64).T)


def _times_drawn(record: str) -> npt.NDArray[np.int64]:
    """How often each resample has a record."""
    seed = int.from_bytes(hashlib.sha256(record.encode("utf-8", "surrogatepass")).digest()[:8], "big")
    return np.random.default_rng(seed).poisson(1, RESAMPLES)


def _divided(counts: Shares) -> Shares:
    shares: Shares = counts / np.maximum(counts.sum(axis=-1, keepdims=True), 1)
    return shares


def compare_tags(synthetic: TagCounts, samples: Sequence[TagCounts]) -> dict[str, Any]:
    """The share of each part of speech in the synthetic corpus and in samples of the source.

    Returns:
        ``shares`` by tag, each with ``synthetic`` and, as mean and standard deviation over the samples,
        ``source``; ``distance``, half the sum of the differences of the shares: 0 for equal corpora, 1 for
        corpora without a common tag; its 95 % ``interval``, or None if records do not vary; ``by_chance``, the
        mean distance of a sample from the mean of the others, None with one sample; ``kinds``, the number of
        tags, as ``shares`` has them. Shares of a corpus without tags are 0.
    """
    tags = sorted({*synthetic.counts, *(tag for sample in samples for tag in sample.counts)})
    own = synthetic.shares(tags)
    each = [sample.shares(tags) for sample in samples]
    apart = _distance(own, np.mean(each, axis=0))
    resampled = np.mean([sample.resampled_shares(tags) for sample in samples], axis=0)
    spread = percentile_interval(_distance(synthetic.resampled_shares(tags), resampled))
    of_source = mean_and_deviation([dict(zip(tags, one.tolist(), strict=True)) for one in each])
    return {
        "kinds": {
            "synthetic": int(np.count_nonzero(own)),
            "source": mean_and_deviation([{"": len(sample.counts)} for sample in samples])[""],
        },
        "distance": round(float(apart), 4),
        "interval": None if spread is None else _turned(float(apart), *spread),
        "by_chance": _by_chance(each),
        "shares": {
            tag: {"synthetic": round(float(own[i]), 4), "source": of_source[tag]}
            for i, tag in enumerate(tags)
        },
    }


def _distance(one: Shares, other: Shares) -> npt.NDArray[np.float64]:
    distances: npt.NDArray[np.float64] = np.abs(one - other).sum(axis=-1) / 2
    return distances


def _turned(estimate: float, low: float, high: float) -> list[float]:
    """The basic interval of a distance."""
    return [round(min(max(2 * estimate - end, 0.0), 1.0), 4) for end in (high, low)]


def _by_chance(samples: Sequence[Shares]) -> float | None:
    if len(samples) < 2:
        return None
    others = (np.mean([*samples[:i], *samples[i + 1 :]], axis=0) for i in range(len(samples)))
    return round(float(np.mean([_distance(*two) for two in zip(samples, others, strict=True)])), 4)
