"""Gold conversations with the fields that say how far their gold can be trusted."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from transforms.evaluating.gold_labels import GoldLabels
from transforms.reading.planning import InputPlan, plan_input
from transforms.reading.units import read_unit
from transforms.schema.conversation import ConversationBatch
from transforms.schema.errors import UserError
from transforms.schema.rejection import Rejection
from transforms.schema.work_unit import WorkUnit
from transforms.shapes.options import ReadOptions
from transforms.shapes.shape import Shape
from transforms.storage.locating import locate

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
    """Some gold conversations; ``coverages`` and ``origins`` have one entry a conversation."""

    batch: ConversationBatch
    coverages: list[Coverage]
    origins: list[Origin]
    rejections: list[Rejection]


def plan_gold(urls: Sequence[str], unit_bytes: int) -> InputPlan:
    """Find gold files (conversation a record) and cut them into work units.

    Raises:
        UserError: nothing to read, or a file that cannot be read.
    """
    return plan_input(locate(urls), ReadOptions(shape="conversation", keep=FIELDS, unit_bytes=unit_bytes))


def read_gold(
    unit: WorkUnit, shape: Shape, labels: GoldLabels, *, complete_by_default: bool = False
) -> Iterator[GoldBatch]:
    """Read the gold conversations of a work unit.

    Args:
        unit: one of :func:`plan_gold`.
        shape: that of the plan.
        labels: what says which labels are of one class.
        complete_by_default: take the gold of a record without the field ``gold`` for complete.

    Raises:
        UserError: ``complete_for`` is no list of labels.
    """
    for batch, rejections in read_unit(unit, shape):
        # The shape gives back what it was told to keep; what it keeps it in is its own.
        records = shape.write_records(batch, batch.texts, batch.speakers)
        yield GoldBatch(
            batch,
            [_coverage(record, labels, complete_by_default, unit.url) for record in records],
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
