"""Read a caller's objects (dicts, chat messages, texts, Arrow tables) into ``Conversations``."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import pyarrow as pa

from tacenda.pipelines.chain.conversations import Conversations, as_read, safe_labels
from tacenda.pipelines.chain.outcome import Outcome
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.receipt import Totals
from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.shapes import recognise as recognising
from tacenda.transforms.shapes.arrow_fields import example_of
from tacenda.transforms.shapes.chat import ChatShape, DocumentShape
from tacenda.transforms.shapes.labels import LabelRules
from tacenda.transforms.shapes.options import ReadOptions, actual_name
from tacenda.transforms.shapes.shape import Reading, Shape, rows_of
from tacenda.transforms.shapes.turn_rows import TurnRowsShape, regroup
from tacenda.transforms.storage.tables import plain_table

_KEY = "conversation"  # prefix of generated ids
_ROWS = 1000

TEXT, MESSAGES = "text", "messages"
"""Field names under which bare texts and bare lists of chat messages are read."""


class Intake:
    """Reads a caller's objects; of a turn a row only tables, since one object is not a conversation.

    Args:
        options: shape, field names and fields to keep, as for files.
        labels: rules on ids and contexts.
    """

    def __init__(self, options: ReadOptions, labels: LabelRules) -> None:
        self._options = options
        self._labels = labels
        plain = ReadOptions(max_turn_chars=options.max_turn_chars)
        self._text = DocumentShape(plain)
        self._messages = ChatShape(plain)
        self._known: dict[frozenset[tuple[str, type]], Shape | None] = {}

    def items(self, items: Sequence[Any], first: int = 0) -> Iterator[Conversations]:
        """Read conversations, which may have different shapes; consecutive ones of a shape form one batch.

        Args:
            items: records, lists of chat messages, texts.
            first: the position of the first one.
        """
        shaped = ((self._shape(item), position) for position, item in enumerate(items, first))
        for shape, group in groupby(shaped, key=lambda pair: pair[0]):
            positions = [position for _, position in group]
            ids = tuple((p, name) for p in positions if (name := self._id(items[p - first])) is not None)
            if shape is None:
                kinds = (
                    ("WrongType", "UnknownShape")[isinstance(items[p - first], Mapping)] for p in positions
                )
                rejected = [Rejection(p, Stage.READ, kind) for p, kind in zip(positions, kinds, strict=True)]
                lost = Outcome(rejections=rejected, totals=Totals(rows_in=len(rejected)))
                yield Conversations(self._text, (lost,), ids=ids)
                continue
            records = [(position, _record(items[position - first])) for position in positions]
            yield Conversations(shape, (self._portion(shape, shape.read_records(records, _KEY)),), ids=ids)

    def table(self, table: pa.Table) -> Conversations:
        """Read a table with a conversation or a turn a row."""
        table = plain_table(table)
        shape = recognising.recognise(example_of(table.schema), self._options, "table")
        used = {name.partition(".")[0] for name in shape.columns()}
        rows = table.select([name for name in table.column_names if name in used])
        if isinstance(shape, TurnRowsShape):
            readings = regroup([shape.read_rows(rows_of(rows, 0), 0)], shape)
        else:
            firsts = range(0, table.num_rows, _ROWS)
            readings = (shape.read_table(rows.slice(first, _ROWS), first, _KEY) for first in firsts)
        portions = tuple(self._portion(shape, reading) for reading in readings)
        schema = shape.output_schema(table.schema)
        return Conversations(shape, portions, schema=schema, encoding="parquet")

    def check(self, record: Mapping[str, Any]) -> None:
        """Check that a record has a supported shape."""
        if self._shape(record) is None:
            shape = recognising.recognise(record, self._options, "conversation")
            assert shape.grouped, "a record of any other shape is read"
            raise UserError("conversation: this is a single turn; give all turns under 'turns'")

    def _portion(self, shape: Shape, reading: Reading) -> Outcome:
        (safe,) = safe_labels([reading], shape, self._labels)
        return as_read(safe)

    def _id(self, item: Any) -> str | None:
        names = (actual_name(self._options, "conversation_id"), "id")
        found = (item.get(name) for name in names) if isinstance(item, Mapping) else ()
        return next((str(one) for one in found if isinstance(one, (str, int))), None)

    def _shape(self, item: Any) -> Shape | None:
        if isinstance(item, str):
            return self._text
        if is_messages(item):
            return self._messages
        if not isinstance(item, Mapping):
            return None
        key = frozenset((name, type(value)) for name, value in item.items())
        if key not in self._known:
            fitting = recognising.fitting_shapes(item, self._options)
            shape = recognising.make_shape(fitting[0], self._options) if len(fitting) == 1 else None
            self._known[key] = None if shape is None or shape.grouped else shape
        return self._known[key]


def is_messages(item: Any) -> bool:
    """Whether an object is a list of chat messages with roles."""
    return (
        isinstance(item, (list, tuple))
        and bool(item)
        and all(isinstance(one, Mapping) and "role" in one for one in item)
    )


def _record(item: Any) -> Any:
    if isinstance(item, str):
        return {TEXT: item}
    if isinstance(item, Mapping):
        return dict(item)
    return {MESSAGES: [dict(message) for message in item]}
