"""Labelled records: shapes whose records have an id and a context, in fields whose names can be mapped."""

from collections.abc import Callable
from typing import Any

from tacenda.transforms.shapes.declared import identifier_field, relabelled_record
from tacenda.transforms.shapes.kept_cells import VisitValue
from tacenda.transforms.shapes.options import ReadOptions, actual_name
from tacenda.transforms.shapes.shape import Record, RecordShape


class LabelledShape(RecordShape):
    """A shape with one labelled record per conversation; a frame is that record, or has it as ``record``."""

    _written: frozenset[str]
    """Fields that are written, beside the id."""
    _opened: frozenset[str]
    """Kept fields whose values are inspected."""

    def __init__(self, options: ReadOptions) -> None:
        super().__init__(options)
        mapped = options.fields.get("conversation_id")
        self._ids = (mapped,) if mapped else ("conversation_id", "id")
        self._context = actual_name(options, "context")

    @property
    def id_fields(self) -> tuple[str, ...]:
        """The first of them that a record has."""
        return self._ids

    def relabelled(self, frame: Any, conversation_id: str, context: str) -> Any:
        """Return a frame with another id and context."""
        return _with_record(
            frame,
            lambda record: relabelled_record(record, self._ids, self._context, conversation_id, context),
        )

    def map_kept(self, frame: Any, visit: VisitValue) -> Any:
        """Visit the kept fields of a record."""
        if not self._opened:
            return frame

        def visited(record: Record) -> Record:
            identity = identifier_field(record, self._ids)
            return {
                key: visit(None, key, value) if key in self._opened and key != identity else value
                for key, value in record.items()
            }

        return _with_record(frame, visited)

    def _written_of(self, record: Record) -> Record:
        """The fields of a record that are written, in its order."""
        identity = identifier_field(record, self._ids)
        return {key: record[key] for key in record if key in self._written or key == identity}


def _with_record(frame: Any, change: Callable[[Record], Record]) -> Any:
    return change(frame) if type(frame) is dict else frame._replace(record=change(frame.record))
