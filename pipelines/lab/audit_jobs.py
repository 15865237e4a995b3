"""The jobs of ``tacenda lab audit``: a synthetic corpus beside its source, in two passes over both.

The first pass writes signatures of the synthetic records in blocks and counts records. The second compares
each record of both corpora with every block, and counts words. Only counts, ids of copies and 8 bytes for
each record of the source and each sample are collected; samples are drawn from the latter.
"""

import heapq
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import orjson

from tacenda.models.token_classifier.spacy_tagger import tags_of_texts
from tacenda.pipelines.lab.reading import batches
from tacenda.pipelines.work.fold import Fold
from tacenda.pipelines.work.gc_pause import gc_paused
from tacenda.pipelines.work.plan import Plan
from tacenda.transforms.lab.synthetic import (
    SOURCE,
    SYNTHETIC,
    Diversity,
    Pair,
    TagCounts,
    compare_tags,
    fingerprint,
    mean_and_deviation,
    priority,
    signatures,
    similar_pairs,
    tags_of,
    tokens,
)
from tacenda.transforms.schema.work_unit import Part
from tacenda.transforms.shapes.shape import Shape
from tacenda.transforms.storage.files import list_folder, read_bytes
from tacenda.transforms.storage.publishing import publish

_AT_ONCE = 4096
"""Records compared with a block together: 4 MB of signatures."""


class Item(NamedTuple):
    """A part of one of the corpora."""

    origin: str
    part: Part
    shape: Shape


class Record(NamedTuple):
    """What is compared: id, text of all turns, the group and event of the record where it has both, and its
    tags.
    """

    name: str
    text: str
    pair: Pair | None
    tags: tuple[str, ...] = ()


def items(source: Plan, synthetic: Plan) -> list[Item]:
    """The parts of both corpora."""
    return [
        Item(origin, part, plan.shape)
        for origin, plan in ((SOURCE, source), (SYNTHETIC, synthetic))
        for part in plan.parts
    ]


def records_of(item: Item, events: Pair | None, tags: str | None = None) -> Iterator[Record | None]:
    """The records of a part; None for each that cannot be read. ``tags`` is a field with parts of speech."""
    for batch, unreadable in batches(item.part, item.shape):
        yield from [None] * unreadable
        needed = events is not None or tags is not None
        kept = item.shape.write_records(batch, batch.texts, batch.speakers) if needed else None
        for i, name in enumerate(batch.ids):
            cells = batch.cells(i)
            text = "\n".join(filter(None, batch.texts[cells.start : cells.stop]))
            pair = _pair(kept[i], events) if kept and events else None
            yield Record(name, text, pair, tags_of(kept[i].get(tags)) if kept and tags else ())


def _pair(record: dict[str, Any], events: Pair) -> Pair | None:
    group, event = (record.get(name) for name in events)
    return (str(group), str(event)) if group is not None and event is not None else None


@dataclass
class Counted:
    """What the first pass counts. ``keys``: for each part of the source, the priorities of its records, a row a
    sample.
    """

    records: Counter[str] = field(default_factory=Counter)
    unreadable: Counter[str] = field(default_factory=Counter)
    keys: list[npt.NDArray[np.int64]] = field(default_factory=list)

    def merge(self, other: "Counted") -> "Counted":
        """Add other counts; returns itself."""
        self.records += other.records
        self.unreadable += other.unreadable
        self.keys += other.keys
        return self

    def thresholds(self) -> list[int]:
        """For each sample, the highest priority in it: samples are as large as the synthetic corpus."""
        keys = np.concatenate(self.keys, axis=1)
        wanted = min(self.records[SYNTHETIC], keys.shape[1])
        return [int(np.partition(of_sample, wanted - 1)[wanted - 1]) for of_sample in keys]


class Settings(NamedTuple):
    """How two corpora are compared.

    ``threshold``: cosine above which records are near copies. ``samples``: how many of the source, drawn by
    ``seed``. ``events``: fields with a group and an event, or None. ``work``: folder for the blocks.
    ``tags``: a field with parts of speech, or None; ``tagger``: a spaCy pipeline that finds them, or None.
    """

    threshold: float
    samples: int
    seed: int
    events: Pair | None
    work: str
    tags: str | None = None
    tagger: str | None = None


def counting_job(both: Sequence[Item], settings: Settings, finish: Any) -> Fold[Item, Counted]:
    """The first pass."""
    return Fold(both, partial(_count, settings=settings), Counted.merge, finish)


@gc_paused()
def _count(item: Item, settings: Settings) -> Counted:
    counted = Counted()
    keys: list[list[int]] = []
    for number, records in enumerate(_in_blocks(item, settings, counted)):
        counted.records[item.origin] += len(records)
        if item.origin == SOURCE:
            keys += [_keys(record.name, settings) for record in records]
        else:
            _write_block(f"{settings.work}/{item.part.name}-{number:05d}.npz", records)
    if item.origin == SOURCE:
        counted.keys.append(np.array(keys, np.int64).reshape(-1, settings.samples).T)
    return counted


def _keys(name: str, settings: Settings) -> list[int]:
    return [priority(name, settings.seed, sample) for sample in range(settings.samples)]


def _in_blocks(item: Item, settings: Settings, counted: Counted | None) -> Iterator[list[Record]]:
    block: list[Record] = []
    for record in records_of(item, settings.events, settings.tags):
        if record is None:
            if counted is not None:
                counted.unreadable[item.origin] += 1
            continue
        block.append(record)
        if len(block) == _AT_ONCE:
            yield block
            block = []
    if block:
        yield block


class _Block(NamedTuple):
    """Some records: names, fingerprints (16 bytes each) and signatures."""

    names: list[str]
    fingerprints: list[bytes]
    signatures: npt.NDArray[np.uint8]


def _block_of(records: Sequence[Record]) -> _Block:
    return _Block(
        [record.name for record in records],
        [fingerprint(record.text) for record in records],
        signatures([record.text for record in records]),
    )


def _write_block(url: str, records: Sequence[Record]) -> None:
    block = _block_of(records)
    held = io.BytesIO()
    np.savez_compressed(
        held,
        names=np.frombuffer(orjson.dumps(block.names), np.uint8),
        fingerprints=np.frombuffer(b"".join(block.fingerprints), np.uint8).reshape(len(records), -1),
        signatures=block.signatures,
    )
    with publish(url, private=True) as sink:
        sink.write(held.getvalue())


def _read_block(url: str) -> _Block:
    with np.load(io.BytesIO(read_bytes(url)), allow_pickle=False) as arrays:
        return _Block(
            orjson.loads(arrays["names"].tobytes()),
            [row.tobytes() for row in arrays["fingerprints"]],
            arrays["signatures"],
        )


class Nearest(NamedTuple):
    """The most similar record of the source to a synthetic one."""

    cosine: float
    source: str


@dataclass
class Compared:
    """What the second pass finds.

    ``exact``: synthetic records that equal one of the source, or an earlier one of their own (``repeated``).
    ``nearest``: synthetic records with a source record above the threshold; ``hits`` counts the pairs.
    """

    searched: int = 0
    hits: int = 0
    exact: dict[str, str] = field(default_factory=dict)
    repeated: set[str] = field(default_factory=set)
    nearest: dict[str, Nearest] = field(default_factory=dict)
    diversity: dict[str, Diversity] = field(default_factory=dict)
    pairs: dict[str, Counter[Pair]] = field(default_factory=dict)
    tags: dict[str, TagCounts] = field(default_factory=dict)

    def merge(self, other: "Compared") -> "Compared":
        """Add what was found elsewhere; returns itself."""
        self.searched += other.searched
        self.hits += other.hits
        for name, source in other.exact.items():
            self.exact[name] = min(self.exact.get(name, source), source)
        self.repeated |= other.repeated
        for name, near in other.nearest.items():
            self._keep(name, near)
        for sample, diversity in other.diversity.items():
            self.diversity.setdefault(sample, Diversity()).merge(diversity)
        for origin, pairs in other.pairs.items():
            self.pairs.setdefault(origin, Counter()).update(pairs)
        for sample, tags in other.tags.items():
            self.tags.setdefault(sample, TagCounts()).merge(tags)
        return self

    def _keep(self, name: str, near: Nearest) -> None:
        """The higher cosine; of equal ones, that with the smaller id."""
        held = self.nearest.get(name)
        if held is None or (-near.cosine, near.source) < (-held.cosine, held.source):
            self.nearest[name] = near

    def add_source(self, block: _Block, of_synthetic: _Block, threshold: float) -> None:
        """Compare a block of the source with a block of synthetic records."""
        by_fingerprint: dict[bytes, str] = {}
        for name, print_ in zip(block.names, block.fingerprints, strict=True):
            by_fingerprint[print_] = min(by_fingerprint.get(print_, name), name)
        for name, print_ in zip(of_synthetic.names, of_synthetic.fingerprints, strict=True):
            if print_ in by_fingerprint:
                source = by_fingerprint[print_]
                self.exact[name] = min(self.exact.get(name, source), source)
        rows, columns, cosines = similar_pairs(of_synthetic.signatures, block.signatures, threshold)
        self.hits += len(rows)
        for row, column, cosine in zip(rows.tolist(), columns.tolist(), cosines.tolist(), strict=True):
            self._keep(of_synthetic.names[row], Nearest(cosine, block.names[column]))

    def add_synthetic(self, block: _Block, other: _Block) -> None:
        """Note the records of a block that equal a record of another block with a smaller id."""
        first: dict[bytes, str] = {}
        for name, print_ in zip(other.names, other.fingerprints, strict=True):
            first[print_] = min(first.get(print_, name), name)
        self.repeated.update(
            name
            for name, print_ in zip(block.names, block.fingerprints, strict=True)
            if first.get(print_, name) < name
        )


def comparing_job(
    both: Sequence[Item], settings: Settings, thresholds: Sequence[int], finish: Any
) -> Fold[Item, Compared]:
    """The second pass; ``thresholds`` are those of the samples, from the first."""
    of_item = partial(_compare, settings=settings, thresholds=tuple(thresholds))
    return Fold(both, of_item, Compared.merge, finish)


@gc_paused()
def _compare(item: Item, settings: Settings, thresholds: tuple[int, ...]) -> Compared:
    compared = Compared()
    urls = [url for url in list_folder(settings.work) if url.endswith(".npz")]
    for records in _in_blocks(item, settings, None):
        block = _block_of(records)
        for url in urls:
            other = _read_block(url)
            if item.origin == SOURCE:
                compared.add_source(block, other, settings.threshold)
            else:
                compared.add_synthetic(block, other)
        if item.origin == SOURCE:
            compared.searched += len(records)
        compared.pairs.setdefault(item.origin, Counter()).update(
            record.pair for record in records if record.pair is not None
        )
        drawn = [(record, _sets_with(record, item.origin, settings, thresholds)) for record in records]
        drawn = [(record, sets) for record, sets in drawn if sets]
        tagged = [record.tags for record, _ in drawn]
        if settings.tagger is not None:
            tagged = tags_of_texts(settings.tagger, [record.text for record, _ in drawn])
        for (record, sets), tags in zip(drawn, tagged, strict=True):
            words = tokens(record.text)
            for name, key in sets:
                compared.diversity.setdefault(name, Diversity()).add(key, words)
                compared.tags.setdefault(name, TagCounts()).add(record.name, tags)
    return compared


def _sets_with(
    record: Record, origin: str, settings: Settings, thresholds: Sequence[int]
) -> list[tuple[str, int]]:
    """The sets with a record, the synthetic one or samples of the source, and its priority in each."""
    if origin == SYNTHETIC:
        return [(SYNTHETIC, priority(record.name, settings.seed, 0))]
    # Hashed again, which takes less than to keep them in a file from the first pass on.
    keys = zip(_keys(record.name, settings), thresholds, strict=True)
    return [(f"{SOURCE} {sample}", key) for sample, (key, highest) in enumerate(keys) if key <= highest]


def diversity_figures(compared: Compared) -> dict[str, Any]:
    """The figures of the synthetic corpus, and mean and deviation of those of the source's samples."""
    samples = [
        diversity.figures() for name, diversity in sorted(compared.diversity.items()) if name != SYNTHETIC
    ]
    return {
        SYNTHETIC: compared.diversity[SYNTHETIC].figures(),
        SOURCE: {"samples": len(samples), **mean_and_deviation(samples)},
    }


def tag_figures(compared: Compared) -> dict[str, Any]:
    """The parts of speech of the synthetic corpus beside those of the source's samples."""
    samples = [tags for name, tags in sorted(compared.tags.items()) if name != SYNTHETIC]
    return compare_tags(compared.tags[SYNTHETIC], samples)


Drawn = dict[str, list[tuple[int, str, str]]]
"""By origin: priority, id and text of records, the smallest priorities first."""


def drawing_job(both: Sequence[Item], count: int, seed: int, finish: Any) -> Fold[Item, Drawn]:
    """Draw ``count`` records of each corpus."""
    return Fold(both, partial(_draw, count=count, seed=seed), partial(_first, count=count), finish)


@gc_paused()
def _draw(item: Item, count: int, seed: int) -> Drawn:
    drawn = (
        (priority(record.name, seed, 0), record.name, record.text)
        for record in records_of(item, None)
        if record is not None
    )
    return {item.origin: heapq.nsmallest(count, drawn)}


def _first(one: Drawn, other: Drawn, count: int) -> Drawn:
    return {
        origin: heapq.nsmallest(count, [*one.get(origin, ()), *other.get(origin, ())])
        for origin in sorted({*one, *other})
    }
