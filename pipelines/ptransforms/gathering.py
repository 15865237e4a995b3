"""Gather conversations that were not read from files into shards, which serve as work units."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import replace

import apache_beam as beam

from tacenda.pipelines.chain.conversations import Conversations
from tacenda.pipelines.chain.outcome import Outcome
from tacenda.pipelines.chain.portion import Portion
from tacenda.transforms.releasing.duplicates import id_hash
from tacenda.transforms.schema.receipt import Receipt
from tacenda.transforms.schema.work_unit import ordinal_name, unit_name

_LAYOUT_DIGITS = 8


class GatherShards(beam.PTransform):  # type: ignore[misc]
    """Regroup ``Conversations`` into one element per shard, sorted by id; this shuffles text.

    The conversations of a shard have the same shape and, for tables, the same schema. A shard must fit in
    memory.

    Args:
        shards: number of shards for each shape and schema.
    """

    def __init__(self, shards: int) -> None:
        super().__init__()
        self._shards = shards

    def expand(self, conversations: beam.PCollection) -> beam.PCollection[Conversations]:
        return (
            conversations
            | "SplitByShard"
            >> beam.FlatMap(_split, self._shards).with_output_types(tuple[str, Conversations])
            | "EqualShardsMeet" >> beam.GroupByKey()
            | "JoinShard" >> beam.MapTuple(_joined).with_output_types(Conversations)
        )


def _split(conversations: Conversations, shards: int) -> Iterator[tuple[str, Conversations]]:
    layout = _layout(conversations)
    for portion in conversations.portions:
        chosen: dict[int, list[int]] = {}
        for i, conversation_id in enumerate(portion.outcome.batch.ids):
            chosen.setdefault(int.from_bytes(id_hash(conversation_id), "big") % shards, []).append(i)
        if portion.rejections:
            chosen.setdefault(0, [])
        for shard, indexes in chosen.items():
            part = Portion(
                _select(portion.outcome, indexes),
                () if shard else portion.rejections,
                sum(portion.outcome.batch.rows[i] for i in indexes)
                + (0 if shard else sum(r.rows for r in portion.rejections)),
            )
            yield f"{layout}-{ordinal_name(shard)}", replace(conversations, portions=(part,), known=())


def _joined(name: str, pieces: Iterable[Conversations]) -> Conversations:
    """Join the pieces of a shard, sorted by id, so that their order does not matter."""
    several = list(pieces)
    portions = [portion for piece in several for portion in piece.portions]
    whole = _concatenated([portion.outcome for portion in portions])
    # Equal ids are ordered by text.
    order = sorted(range(len(whole.batch)), key=lambda i: (whole.batch.ids[i], *_said(whole, i)))
    rejections = sorted((r for portion in portions for r in portion.rejections), key=_place)
    joined = Portion(_select(whole, order), tuple(rejections), sum(portion.rows_in for portion in portions))
    return replace(several[0], portions=(joined,), unit=Receipt(unit_name(name, 0)), ids=(), hashes=())


def _said(outcome: Outcome, i: int) -> list[str]:
    cells = outcome.batch.cells(i)
    return outcome.texts[cells.start : cells.stop]


def _place(rejection: object) -> str:
    return repr(rejection)


def _layout(conversations: Conversations) -> str:
    """A short, deterministic name for the format in which conversations are written."""
    shape = conversations.shape
    schema = b"" if conversations.schema is None else conversations.schema.serialize().to_pybytes()
    format = (
        f"{shape.name} {shape.options.keep} {sorted(shape.options.fields.items())} {conversations.command}"
    )
    return hashlib.sha256(format.encode() + schema).hexdigest()[:_LAYOUT_DIGITS]


def _select(outcome: Outcome, indexes: list[int]) -> Outcome:
    """Select conversations of an outcome, in the given order."""
    whole = outcome.batch
    cells = [cell for i in indexes for cell in whole.cells(i)]
    return Outcome(
        whole.take(indexes),
        [outcome.texts[cell] for cell in cells],
        [outcome.speakers[cell] for cell in cells],
        [outcome.findings[cell] for cell in cells],
        [outcome.entities[cell] for cell in cells],
        [outcome.values[cell] for cell in cells],
        [outcome.risks[i] for i in indexes],
        [outcome.sources[i] for i in indexes],
        [outcome.beside[i] for i in indexes],
    )


def _concatenated(outcomes: Iterable[Outcome]) -> Outcome:
    whole = Outcome()
    for outcome in outcomes:
        whole.batch.extend(outcome.batch)
        whole.texts.extend(outcome.texts)
        whole.speakers.extend(outcome.speakers)
        whole.findings.extend(outcome.findings)
        whole.entities.extend(outcome.entities)
        whole.values.extend(outcome.values)
        whole.risks.extend(outcome.risks)
        whole.sources.extend(outcome.sources)
        whole.beside.extend(outcome.beside)
    return whole
