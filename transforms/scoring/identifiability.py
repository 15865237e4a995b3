"""Who could be singled out, and which conversations linked, by what is left in a corpus.

The measures are those of tables: conversations that share a combination of indirect identifiers form a class of
size k, and a conversation of a class has the risk 1/k, one with a whole direct identifier the risk 1.
(K. El Emam and F. Dankar, "Protecting Privacy Using k-Anonymity", JAMIA 15(5), 2008.) They assume that a reader
knows that a person is in the corpus, and everything left of that person: who shares a combination outside of
the corpus is not counted, so the true risk of what was seen is lower.

What is left of a conversation is kept as digests. Equal values have equal digests, in any spelling that counts
as one entity (``linking.normalising``). Digests are hashed again with a key before they are written:
without it (``Remains.keyed``), a list of names would do to find out which of them are left.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, NamedTuple

from tacenda.transforms.linking.normalising import normalised_value
from tacenda.transforms.schema.residual import Residual
from tacenda.transforms.scoring.intervals import NORMAL
from tacenda.transforms.scoring.score_table import Weight
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import data_file

_BYTES = 8


class Remains(NamedTuple):
    """``combination``: of all indirect identifiers; None if there are none. ``links``: of values, sorted."""

    combination: bytes | None = None
    links: tuple[bytes, ...] = ()

    def keyed(self, key: bytes) -> tuple[str | None, list[str]]:
        """The digests to write, in hexadecimal; equal ones stay equal under one key."""
        combination = None if self.combination is None else _digest(self.combination, key).hex()
        return combination, sorted(_digest(link, key).hex() for link in self.links)


NOTHING = Remains()


def remains_of(weighed: Iterable[tuple[Residual, Weight]]) -> Remains:
    """What is left, given the readable findings of a conversation that add points, and their weights.

    Direct identifiers that are entirely readable, and the tags of ``linking_tags.yaml``, may recur in another
    conversation of the same person. All that is not a whole direct identifier belongs to the combination.
    """
    combined: set[str] = set()
    links: set[bytes] = set()
    for residual, weight in weighed:
        value = normalised_value(weight.infotype, residual.value)
        if not value or not weight.score:
            continue
        named = f"{weight.tag.name}\n{value}"
        if weight.whole and (weight.direct or weight.tag.name in _linking_tags()):
            links.add(_digest(named.encode("utf-8", "surrogatepass")))
        if not weight.direct:
            combined.add(named)
    if not combined and not links:
        return NOTHING
    together = "\n\n".join(sorted(combined)).encode("utf-8", "surrogatepass")
    return Remains(_digest(together) if combined else None, tuple(sorted(links)))


def _digest(data: bytes, key: bytes = b"") -> bytes:
    return hashlib.blake2b(data, digest_size=_BYTES, key=hashlib.sha256(key).digest()).digest()


@built_once
def _linking_tags() -> frozenset[str]:
    return frozenset(data_file(__package__, "linking_tags.yaml"))


MOST = 2048  # digests; the number of distinct ones then has a standard error of 2.2 %


class DistinctCounts:
    """Digests of 8 bytes, and how often each was added: exactly while they are few, else of a sample.

    The sample holds the digests with the lowest values: the same in any order and division of the data, and a
    uniform sample of all distinct ones, since digests are uniform themselves. How many there are follows from
    the highest that is kept: K. Beyer et al., "On Synopses for Distinct-Value Estimation Under Multiset
    Operations", SIGMOD 2007; E. Cohen and H. Kaplan, "Summarizing Data Using Bottom-k Sketches", PODC 2007.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._times = Counter[bytes]()
        self.exact = True

    def add(self, times: Mapping[bytes, int], exact: bool = True) -> None:
        """Add digests, each so often; they are a sample themselves unless ``exact``."""
        self._times.update(times)
        self.exact = self.exact and exact and len(self._times) <= self._most
        if len(self._times) > self._most:
            self._times = Counter(dict(sorted(self._times.items())[: self._most]))

    def merge(self, other: "DistinctCounts") -> None:
        """Add all digests of the other sample; both keep equally many."""
        self.add(other._times, other.exact)

    def times(self) -> Counter[int]:
        """The number of digests that occur once, twice … among the kept ones."""
        return Counter(self._times.values())

    def distinct(self) -> float:
        """The number of distinct digests, an estimate unless ``exact``."""
        if self.exact:
            return len(self._times)
        highest: int = int.from_bytes(max(self._times), "big") + 1
        return float((self._most - 1) * 2 ** (8 * _BYTES) / highest)

    def interval(self) -> list[float]:
        """The ends of the 95 % interval of :meth:`distinct`: normal, as thousands are kept."""
        off = 0.0 if self.exact else NORMAL / sqrt(self._most - 2)
        return [self.distinct() * (1 - off), self.distinct() * (1 + off)]

    def to_json(self) -> dict[str, Any]:
        return {"exact": self.exact, "times": {one.hex(): n for one, n in sorted(self._times.items())}}

    @classmethod
    def from_json(cls, document: Mapping[str, Any], most: int = MOST) -> "DistinctCounts":
        counts = cls(most)
        counts.add({bytes.fromhex(one): n for one, n in document["times"].items()}, document["exact"])
        return counts


CLASSES = ((1, 1), (2, 2), (3, 4), (5, 10), (11, None))
"""Sizes of classes that are told apart; 11 is the least class with a risk of at most .09."""

_PLACES = 6


@dataclass
class LeftOver:
    """What is left in the conversations of one source, in bounded size; independent of order and division.

    ``indirect`` conversations have indirect identifiers left and no direct one that is entirely readable.
    """

    indirect: int = 0
    combinations: DistinctCounts = field(default_factory=DistinctCounts)
    links: DistinctCounts = field(default_factory=DistinctCounts)

    def add(self, combinations: Mapping[bytes, int], links: Mapping[bytes, int]) -> None:
        """Count the combinations of ``indirect`` conversations, and the links of all."""
        self.indirect += sum(combinations.values())
        self.combinations.add(combinations)
        self.links.add(links)

    def merge(self, other: "LeftOver") -> None:
        self.indirect += other.indirect
        self.combinations.merge(other.combinations)
        self.links.merge(other.links)

    def to_json(self) -> dict[str, Any]:
        counts = {"combinations": self.combinations.to_json(), "links": self.links.to_json()}
        return {"indirect": self.indirect, **counts}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> "LeftOver":
        counts = {name: DistinctCounts.from_json(document[name]) for name in ("combinations", "links")}
        return cls(document["indirect"], **counts)

    def figures(self, scored: int, direct: int) -> dict[str, Any]:
        """The figures of so many scored conversations as plain JSON data, without digests."""
        clean = scored - direct - self.indirect
        sizes = self.combinations.times()
        # No more conversations than these have a combination that is not in the sample.
        others = self.indirect - sum(k * of for k, of in sizes.items())
        told = (self.combinations.distinct(), *self.combinations.interval())
        distinct, *ends = (max(sizes.total(), min(sizes.total() + others, one)) for one in told)
        # A combination of the sample stands for so many.
        weight = distinct / max(1, sizes.total())
        classes = []
        for low, high in CLASSES:
            inside = {k: of for k, of in sizes.items() if k >= low and (high is None or k <= high)}
            talks = sum(k * of for k, of in inside.items())
            talks = min(round(weight * talks), talks + others)
            combinations = round(weight * sum(inside.values()))
            classes.append({"from": low, "to": high, "combinations": combinations, "conversations": talks})
        least = 1 if direct else min([*sizes, *([clean] if clean else [])], default=None)
        links = self.links.times()
        # Each class, whatever its size, adds up to 1; those with nothing left are one class.
        average, *averages = (round((direct + n + bool(clean)) / scored, _PLACES) for n in (distinct, *ends))
        linked = self.links.distinct() / max(1, links.total())
        return {
            "scored": scored,
            "direct": direct,
            "indirect": self.indirect,
            "clean": clean,
            "combinations": round(distinct),
            "combinations_interval_95": [round(end) for end in ends],
            "combinations_exact": self.combinations.exact,
            "classes": classes,
            "least_k": least,
            "average_risk": average,
            "average_risk_interval_95": averages,
            "maximum_risk": round(1 / (least or 1), _PLACES),
            "values": round(self.links.distinct()),
            "values_interval_95": [round(end) for end in self.links.interval()],
            "values_exact": self.links.exact,
            "values_that_link": round(linked * sum(of for k, of in links.items() if k > 1)),
            "occurrences_linked": round(linked * sum(k * of for k, of in links.items() if k > 1)),
            "most_linked_by_one": max(links, default=0),
        }
