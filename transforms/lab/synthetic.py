"""A synthetic corpus beside its source: copies, diversity, frequencies, and what people say of both.

A record's *signature* is the set of its overlapping runs of five letters, digits and spaces, hashed into
8,192 buckets. The cosine of two sets is ``|A ∩ B| / sqrt(|A| |B|)``. Products of zeros and ones are exact, so
the result does not depend on how records are cut into blocks.

The type-token ratio falls with the size of a corpus, so corpora of different size are compared by samples of
equal size and by the curve at fixed numbers of tokens.
"""

import hashlib
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.transforms.reviewing.agreement import cohen_kappa

BUCKETS = 1 << 13
RUN = 5
"""Characters of a run."""

_FACTORS = np.array([0x9E3779B97F4A7C15 * (2 * k + 1) & 0xFFFFFFFFFFFFFFFF for k in range(RUN)], np.uint64)
_SPACE = re.compile(r"\s+")
_SIGNS = re.compile(r"\W+")
_MARGIN = " " * (RUN - 1)

Packed = npt.NDArray[np.uint8]


def normalise(text: str) -> str:
    """The text without differences of compatibility forms, case and white space."""
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def fingerprint(text: str) -> str:
    """A hash that equal texts have in common once they are normalised."""
    return hashlib.sha256(normalise(text).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def signatures(texts: Sequence[str]) -> Packed:
    """The signatures of texts: one row a text, ``BUCKETS`` bits."""
    bits = np.zeros((len(texts), BUCKETS), np.bool_)
    for row, text in zip(bits, texts, strict=True):
        # White space around it, so that a text of one letter has runs as well.
        padded = f"{_MARGIN}{_SIGNS.sub(' ', normalise(text))}{_MARGIN}"
        points = np.frombuffer(padded.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
        runs = np.lib.stride_tricks.sliding_window_view(points, RUN)
        row[((runs * _FACTORS).sum(axis=1, dtype=np.uint64) >> np.uint64(64 - 13)).astype(np.intp)] = True
    return np.packbits(bits, axis=1)


def similar_pairs(one: Packed, other: Packed, threshold: float) -> list[tuple[int, int, float]]:
    """Row of ``one``, row of ``other`` and cosine of each pair with a cosine above the threshold."""
    left, right = (np.unpackbits(packed, axis=1).astype(np.float32) for packed in (one, other))
    sizes = np.outer(left.sum(axis=1, dtype=np.float64), right.sum(axis=1, dtype=np.float64))
    cosines = (left @ right.T).astype(np.float64) / np.sqrt(sizes)
    rows, columns = np.nonzero(cosines > threshold)
    return list(zip(rows.tolist(), columns.tolist(), cosines[rows, columns].tolist(), strict=True))


CURVE = (500, 1_000, 2_000, 5_000, 10_000, 20_000)
"""Numbers of tokens at which the type-token ratio is reported."""

# A word, or one character of the scripts that are written without spaces between words.
_TOKEN = re.compile(r"[぀-ヿ㐀-䶿一-鿿豈-﫿฀-๿]|[^\W぀-ヿ㐀-䶿一-鿿豈-﫿฀-๿]+")


def tokens(text: str) -> list[str]:
    """Words in lower case; of Chinese, Japanese and Thai each character.

    >>> tokens("It's 5 o'clock"), tokens("今日は")
    (['it', 's', '5', 'o', 'clock'], ['今', '日', 'は'])
    """
    return _TOKEN.findall(text.casefold())


def priority(record: str, seed: int, sample: int) -> int:
    """A pseudo-random number below 2^63 for a record; a sample are the records with the smallest ones."""
    digest = hashlib.sha256(f"{seed}/{sample}/{record}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") >> 1


@dataclass
class Diversity:
    """Counts over records that add up in any order.

    ``lengths`` are in tokens. ``first`` holds the words of the records with the smallest priorities, as many as
    the curve needs.
    """

    records: int = 0
    words: Counter[str] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    first: list[tuple[int, list[str]]] = field(default_factory=list)

    def add(self, priority: int, words: Sequence[str]) -> None:
        """Count a record."""
        self.records += 1
        self.words.update(words)
        self.lengths[len(words)] += 1
        self.first.append((priority, list(words)))
        if len(self.first) > 2 * CURVE[-1]:
            self._trim()

    def merge(self, other: "Diversity") -> "Diversity":
        """Add other counts; returns itself."""
        self.records += other.records
        self.words += other.words
        self.lengths += other.lengths
        self.first += other.first
        self._trim()
        return self

    def _trim(self) -> None:
        self.first.sort()
        held = 0
        for place, (_, words) in enumerate(self.first):
            held += len(words)
            if held >= CURVE[-1]:
                del self.first[place + 1 :]
                return

    def figures(self) -> dict[str, Any]:
        """Records, tokens, types, mean and median length; the type-token ratio at each size that is reached."""
        self._trim()
        lengths = np.array(sorted(self.lengths.elements()), np.int64)
        in_order = [word for _, words in self.first for word in words]
        total = self.words.total()
        return {
            "records": self.records,
            "tokens": total,
            "types": len(self.words),
            "mean_length": round(float(lengths.mean()), 2),
            "median_length": float(np.median(lengths)),
            "type_token_ratio": round(len(self.words) / total, 4) if total else None,
            "curve": {str(n): round(len(set(in_order[:n])) / n, 4) for n in CURVE if n <= len(in_order)},
        }


def mean_and_deviation(samples: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Each figure of samples as ``[mean, standard deviation]`` (ddof 1; 0 for a single sample)."""
    found: dict[str, Any] = {}
    for name in samples[0]:
        values: list[Any] = [sample.get(name) for sample in samples]
        if name == "curve":
            found[name] = mean_and_deviation(values)
        elif None not in values:
            deviation = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
            found[name] = [round(float(np.mean(values)), 4), round(deviation, 4)]
    return found


def tags_of(value: Any) -> tuple[str, ...]:
    """The tags in a field: a list of texts, or one text with spaces between them; none in anything else.

    >>> tags_of("DET NOUN"), tags_of(["DET", "NOUN"]), tags_of(None)
    (('DET', 'NOUN'), ('DET', 'NOUN'), ())
    """
    if isinstance(value, str):
        return tuple(value.split())
    return tuple(map(str, value)) if isinstance(value, list) else ()


def compare_tags(synthetic: Mapping[str, int], samples: Sequence[Mapping[str, int]]) -> dict[str, Any]:
    """The share of each part of speech in the synthetic corpus and in samples of the source, from counts.

    Returns:
        ``shares`` by tag, each with ``synthetic`` and, as mean and standard deviation over the samples,
        ``source``; ``distance``, half the sum of the differences of the shares: 0 for equal corpora, 1 for
        corpora without a common tag. Shares of a corpus without tags are 0.
    """
    tags = sorted({*synthetic, *(tag for sample in samples for tag in sample)})
    counts = np.array([[one.get(tag, 0) for tag in tags] for one in (synthetic, *samples)], np.float64)
    own, *each = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    of_source = mean_and_deviation([dict(zip(tags, one.tolist(), strict=True)) for one in each])
    return {
        "distance": round(float(np.abs(own - np.mean(each, axis=0)).sum() / 2), 4),
        "shares": {
            tag: {"synthetic": round(float(share), 4), "source": of_source[tag]}
            for tag, share in zip(tags, own, strict=True)
        },
    }


_CONSTANT = 1e-9
"""Shares that differ by less are taken for equal."""

Pair = tuple[str, str]
"""A group and an event of it."""


def compare_frequencies(source: Mapping[Pair, int], synthetic: Mapping[Pair, int]) -> dict[str, Any]:
    """Compare how many records of each corpus have a group (such as a medicine) and an event (a side effect).

    Every event of either corpus counts in every group, with 0 where it does not occur. Relative frequencies
    are compared by Pearson's and Spearman's correlation, the two-sample test of Kolmogorov and Smirnov, and a
    t-test of whether events that are frequent in the source are more frequent in the synthetic corpus than
    rare ones.

    Returns:
        ``groups``, by name, and ``all``, over all pairs, each with ``pearson``, ``pearson_p``, ``spearman``,
        ``spearman_p``, ``ks_p``, ``t_p``; ``not_in_source``: pairs that only the synthetic corpus has. A figure
        is None where it is not defined, as the correlation with a constant.
    """
    groups = sorted({group for group, _ in (*source, *synthetic)})
    events = sorted({event for _, event in (*source, *synthetic)})
    counts = np.array(
        [
            [[one.get((group, event), 0) for event in events] for group in groups]
            for one in (source, synthetic)
        ],
        np.float64,
    )
    shares = counts / np.maximum(counts.sum(axis=2, keepdims=True), 1)
    return {
        "groups": {group: _compared(*shares[:, i]) for i, group in enumerate(groups)},
        "all": _compared(*shares.reshape(2, -1)),
        "not_in_source": [
            list(pair) for pair in sorted(synthetic) if synthetic[pair] and not source.get(pair)
        ],
    }


def _compared(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> dict[str, float | None]:
    from scipy import stats

    figures: dict[str, float | None] = dict.fromkeys(("pearson", "pearson_p", "spearman", "spearman_p"))
    if len(one) > 2 and min(np.ptp(one), np.ptp(other)) > _CONSTANT:
        figures["pearson"], figures["pearson_p"] = map(_rounded, stats.pearsonr(one, other))
        figures["spearman"], figures["spearman_p"] = map(_rounded, stats.spearmanr(one, other))
    figures["ks_p"] = _rounded(stats.ks_2samp(one, other).pvalue)
    # More and less frequent in the source: above its median, and not above it.
    frequent = one > np.median(one)
    halves = other[frequent], other[~frequent]
    figures["t_p"] = None
    if all(len(half) > 1 and np.ptp(half) > _CONSTANT for half in halves):
        figures["t_p"] = _rounded(stats.ttest_ind(*halves, equal_var=False).pvalue)
    return figures


def _rounded(value: Any) -> float | None:
    return None if np.isnan(value) else round(float(value), 6)


QUESTIONS = {
    "natural": "Is the text natural?",
    "comprehensible": "Can you understand it?",
    "correct": "Is it correct in its field?",
    "identifying": "Does it contain anything that identifies a person?",
}
"""The four yes-or-no questions of the audit, by the name of their column."""

SOURCE, SYNTHETIC = "source", "synthetic"

_ANSWERS = {f"{one}_{other}": (one, other) for one in ("yes", "no") for other in ("yes", "no")}
"""What the two people answered in each cell."""


class SheetRow(NamedTuple):
    """A record on the sheet: its number there, its origin (kept from who answers), its id and text."""

    number: int
    origin: str
    record: str
    text: str


def sheet(
    source: Sequence[tuple[str, str]], synthetic: Sequence[tuple[str, str]], seed: int
) -> list[SheetRow]:
    """Records (id, text) of both origins in a random order that tells nothing of the origin."""
    both = [*((SOURCE, *record) for record in source), *((SYNTHETIC, *record) for record in synthetic)]
    random.Random(seed).shuffle(both)  # noqa: S311 - no secret
    return [SheetRow(number, *record) for number, record in enumerate(both, 1)]


def agreement(
    origins: Mapping[int, str], first: Mapping[int, bool], second: Mapping[int, bool]
) -> dict[str, Any]:
    """The answers of two people to one question.

    Args:
        origins: of each number on the sheet.
        first: answers of one of them, by number.
        second: answers of the other.

    Returns:
        ``cells``: counts by answers (``yes_yes``, ``yes_no``, ``no_yes``, ``no_no``) in total and by origin,
        and ``kappa``.

    Raises:
        ValueError: someone did not answer for exactly the numbers of the sheet.
    """
    if not origins.keys() == first.keys() == second.keys():
        raise ValueError("answers are missing, or are for numbers that are not on the sheet")
    names = {True: "yes", False: "no"}
    counted = Counter((f"{names[first[n]]}_{names[second[n]]}", origin) for n, origin in origins.items())
    return from_cells(
        {cell: {origin: counted[cell, origin] for origin in (SOURCE, SYNTHETIC)} for cell in _ANSWERS},
        len(origins),
    )


def from_cells(cells: Mapping[str, Mapping[str, int]], total: int) -> dict[str, Any]:
    """The same from counts by answers and origin.

    Raises:
        ValueError: they do not add up to the ``total`` of records.
    """
    sums = {cell: sum(by_origin.values()) for cell, by_origin in cells.items()}
    if sum(sums.values()) != total:
        raise ValueError(f"the cells add up to {sum(sums.values())}, not to {total}")
    kappa = cohen_kappa({_ANSWERS[cell]: count for cell, count in sums.items()})
    return {
        "cells": {cell: {"total": sums[cell], **by_origin} for cell, by_origin in cells.items()},
        "kappa": None if kappa is None else round(kappa, 4),
    }
