"""Read gold conversations with the fields that say how complete their gold is."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from tacenda.transforms.evaluating.gold_labels import GoldLabels
from tacenda.transforms.reading.cutting import units_of
from tacenda.transforms.reading.planning import InputPlan, plan_input
from tacenda.transforms.reading.units import read_unit
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.rejection import Rejection
from tacenda.transforms.schema.work_unit import Part
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.shape import Shape
from tacenda.transforms.storage.locating import locate

FIELDS = ("gold", "complete_for", "lang", "source")


class Coverage(NamedTuple):
    """In which findings the absence of gold means a false positive.

    ``complete``: in all. Else in those whose class is among ``classes``; with none, precision is not judged.
    """

    complete: bool
    classes: frozenset[str]

    @property
    def judged(self) -> bool:
        """Whether any finding of the conversation can be called wrong."""
        return self.complete or bool(self.classes)


class Origin(NamedTuple):
    """Where a gold conversation comes from; empty where the record does not say."""

    lang: str
    source: str


class GoldBatch(NamedTuple):
    """Some gold conversations; ``files``, ``coverages`` and ``origins`` have one entry a conversation.

    ``files`` are the URLs that they are from.
    """

    batch: ConversationBatch
    files: list[str]
    coverages: list[Coverage]
    origins: list[Origin]
    rejections: list[Rejection]


def plan_gold(urls: Sequence[str], part_bytes: int) -> InputPlan:
    """Find gold files (conversation a record) and divide them into parts of about so much text.

    A compressed file stays whole.

    Raises:
        UserError: nothing to read, or a file that cannot be read.
    """
    options = ReadOptions(
        shape="conversation",
        keep=FIELDS,
        opaque=dict.fromkeys(FIELDS, "they describe the gold"),
        unit_bytes=min(part_bytes, ReadOptions().unit_bytes),
        part_bytes=part_bytes,
    )
    return plan_input(locate(urls), options)


def read_gold(
    part: Part, shape: Shape, labels: GoldLabels, *, complete_by_default: bool = False
) -> Iterator[GoldBatch]:
    """Read the gold conversations of a part.

    Args:
        part: one of :func:`plan_gold`.
        shape: that of the plan.
        labels: what says which labels are of one class.
        complete_by_default: take the gold of a record without the field ``gold`` for complete.

    Raises:
        UserError: ``complete_for`` is no list of labels.
    """
    urls = {piece.file: piece.url for piece in part.ranges}
    for unit in units_of(part, shape.columns()):
        for batch, rejections in read_unit(unit, shape):
            # The shape gives back what it was told to keep; what it keeps it in is its own.
            records = shape.write_records(batch, batch.texts, batch.speakers)
            files = [urls[file] for file in batch.origins if file is not None]
            yield GoldBatch(
                batch,
                files,
                [
                    _coverage(record, labels, complete_by_default, url)
                    for record, url in zip(records, files, strict=True)
                ],
                [Origin(_text(record.get("lang")), _text(record.get("source"))) for record in records],
                rejections,
            )


def _coverage(record: dict[str, Any], labels: GoldLabels, complete_by_default: bool, url: str) -> Coverage:
    named = record.get("complete_for")
    if named is None:
        named = []
    if not isinstance(named, list) or not all(isinstance(label, str) for label in named):
        raise UserError(f"{url}: field 'complete_for' must be a list of labels, or left out")
    gold = record.get("gold")
    complete = gold == "complete" or (gold is None and complete_by_default)
    return Coverage(complete, frozenset(map(labels.class_of, named)))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
