"""Parts of speech of two corpora: the share of each, as a tagger of the user's found them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tacenda.transforms.evaluating.synthetic.diversity import mean_and_deviation


def tags_of(value: Any) -> tuple[str, ...]:
    """The tags in a field: a list of texts, or one text with spaces between them; none in anything else.

    >>> tags_of("DET NOUN"), tags_of(["DET", "NOUN"]), tags_of(None)
    (('DET', 'NOUN'), ('DET', 'NOUN'), ())
    """
    if isinstance(value, str):
        return tuple(value.split())
    return tuple(map(str, value)) if isinstance(value, list) else ()


def compare_tags(synthetic: Mapping[str, int], samples: Sequence[Mapping[str, int]]) -> dict[str, Any]:
    """The share of each part of speech in the synthetic corpus and in samples of the source.

    Returns:
        ``shares`` by tag, each with ``synthetic`` and, as mean and standard deviation over the samples,
        ``source``; ``distance``, half the sum of the differences of the shares: 0 for equal corpora, 1 for
        corpora without a common tag; ``kinds``, the number of tags, as ``shares`` has them. Shares of a
        corpus without tags are 0.
    """
    tags = sorted({*synthetic, *(tag for sample in samples for tag in sample)})
    own = _shares(synthetic, tags)
    of_source = mean_and_deviation([_shares(sample, tags) for sample in samples])
    return {
        "kinds": {
            "synthetic": sum(map(bool, own.values())),
            "source": mean_and_deviation([{"": sum(map(bool, sample.values()))} for sample in samples])[""],
        },
        "distance": round(sum(abs(own[tag] - of_source[tag][0]) for tag in tags) / 2, 4),
        "shares": {tag: {"synthetic": round(own[tag], 4), "source": of_source[tag]} for tag in tags},
    }


def _shares(counts: Mapping[str, int], tags: Sequence[str]) -> dict[str, float]:
    total = Counter(counts).total()
    return {tag: counts.get(tag, 0) / total if total else 0.0 for tag in tags}
