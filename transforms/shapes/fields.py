"""Shapes whose records have a field for each text: prompt and completion, Alpaca, preferences.

A field holds a text, which is one turn, or a list of chat messages, of which each is one.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import pyarrow as pa

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.arrow_fields import as_text, is_list_of_structs, select_fields
from tacenda.transforms.shapes.chat import ChatShape
from tacenda.transforms.shapes.declared import (
    context_label,
    identifier,
    identifier_field,
)
from tacenda.transforms.shapes.options import ReadOptions, actual_name, kept_fields, opened_fields
from tacenda.transforms.shapes.shape import Cells, LabelledShape, Labels, Parsed, Record
from tacenda.transforms.storage.json_values import NUMBERS

_MESSAGES = "messages"


class _Field(NamedTuple):
    """A field that was read: how many cells it has, and its messages without their texts, if it has some."""

    cells: int
    messages: Record | None


class Frame(NamedTuple):
    """What is left of a record: ``record`` has None in the place of each of the ``fields``."""

    record: Record
    fields: dict[str, _Field]


class FieldsShape(LabelledShape):
    """A record with several fields of text; which ones, a shape says.

    ``texts`` are searched, in the order of the record; ``needed`` of them are there in every record.
    ``values`` are numbers, or yes and no, that training needs: they are written as they are.
    """

    texts: ClassVar[tuple[str, ...]]
    needed: ClassVar[tuple[str, ...]]
    values: ClassVar[tuple[str, ...]] = ()

    def __init__(self, options: ReadOptions) -> None:
        super().__init__(options)
        self._texts = frozenset(actual_name(options, name) for name in self.texts)
        self._needed = frozenset(actual_name(options, name) for name in self.needed)
        self._written = frozenset({self._context, *self._texts, *self.values, *kept_fields(options)})
        self._opened = opened_fields(options) - {self._context, *self._texts, *self.values}
        self._chat = ChatShape(ReadOptions(max_turn_chars=options.max_turn_chars))

    def columns(self) -> list[str]:
        return sorted({*self._written, *self._ids})

    def parse(self, record: Record) -> Parsed:
        if not self._needed <= record.keys():
            raise RecordError("MissingField", min(self._needed - record.keys()))
        identity = identifier_field(record, self._ids)
        written: Record = {}
        fields: dict[str, _Field] = {}
        cells = Cells(self.options.max_turn_chars)
        turn = 0
        for key, value in record.items():
            if key in self._texts and value is not None:
                spoken = self._read(value)
                written[key], fields[key] = None, _Field(len(spoken.texts), spoken.frame)
                cells.texts += spoken.texts
                cells.speakers += spoken.speakers
                cells.turns += [turn + own for own in spoken.turns]
                cells.parts += [f"{key}.{part}" if part else key for part in spoken.parts]
                turn += 1 if type(value) is str else len(value)
            elif key in self.values and not (value is None or type(value) in (*NUMBERS, bool)):
                raise RecordError("WrongType")
            elif key in self._written or key == identity:
                written[key] = value
        frame = Frame(written, fields)
        return cells.parsed(frame, identifier(record, self._ids), context_label(record, self._context))

    def _read(self, value: Any) -> Parsed:
        """The cells of one field."""
        if type(value) is not str:
            return self._chat.parse({_MESSAGES: value})
        cells = Cells(self.options.max_turn_chars)
        cells.add(0, None, None, value)
        return cells.parsed(None, None)

    def render(self, frame: Frame, texts: Sequence[str], speakers: Sequence[str | None]) -> Record:
        written = dict(frame.record)
        done = 0
        for key, (cells, messages) in frame.fields.items():
            own = slice(done, done + cells)
            done += cells
            if messages is None:
                (written[key],) = texts[own]
            else:
                written[key] = self._chat.render(messages, texts[own], speakers[own])[_MESSAGES]
        if done != len(texts):
            raise ValueError("more cells than the record has places for")
        return written

    def written_fields(self) -> frozenset[str]:
        inner = [one for one in self._chat.written_fields() if one.startswith(f"{_MESSAGES}.")]
        in_messages = (one.replace(_MESSAGES, field, 1) for field in self._texts for one in inner)
        return self._written.union(self._ids, in_messages)

    def labels_of(self, frame: Frame) -> Labels:
        of_messages = [
            self._chat.labels_of(field.messages)
            for field in frame.fields.values()
            if field.messages is not None
        ]
        return Labels(
            *([text for one in several for text in one] for several in zip(*of_messages, strict=True))
        )

    def output_schema(self, source: pa.Schema) -> pa.Schema:
        return pa.schema([self._field(field) for field in select_fields(source, self.columns())])

    def _field(self, field: pa.Field) -> pa.Field:
        if field.name not in self._texts:
            return field
        return self._chat.messages_field(field) if is_list_of_structs(field.type) else as_text(field)


class PreferenceShape(FieldsShape):
    """An answer that people chose and one that they rejected, as DPO reads them."""

    name = "preference"
    declared = frozenset({"conversation_id", "context", "system", "prompt", "chosen", "rejected"})
    texts = ("system", "prompt", "question", "input", "chosen", "rejected")
    needed = ("chosen", "rejected")
    values = ("margin", "score_chosen", "score_rejected", "chosen_score", "rejected_score")


class PromptCompletionShape(FieldsShape):
    """A prompt and its completion; with a label, an answer that was good or not, as KTO reads it."""

    name = "prompt_completion"
    declared = frozenset({"conversation_id", "context", "system", "prompt", "completion"})
    texts = ("system", "prompt", "completion")
    needed = ("prompt", "completion")
    values = ("label",)


class AlpacaShape(FieldsShape):
    """An instruction, what it is about, and the answer."""

    name = "alpaca"
    declared = frozenset({"conversation_id", "context", "system", "instruction", "input", "output"})
    texts = ("system", "instruction", "input", "output")
    needed = ("instruction", "output")


class DocumentShape(LabelledShape):
    """A text with an optional id and context."""

    name = "document"
    declared = frozenset({"conversation_id", "context", "text"})

    def __init__(self, options: ReadOptions) -> None:
        super().__init__(options)
        self._text = actual_name(options, "text")
        self._written = frozenset({self._context, self._text, *kept_fields(options)})
        self._opened = opened_fields(options) - {self._context, self._text}

    def columns(self) -> list[str]:
        return sorted({*self._written, *self._ids})

    def parse(self, record: Record) -> Parsed:
        if self._text not in record:
            raise RecordError("MissingField", self._text)
        cells = Cells(self.options.max_turn_chars)
        cells.add(0, None, None, record[self._text])
        frame = {**self._written_of(record), self._text: None}
        return cells.parsed(frame, identifier(record, self._ids), context_label(record, self._context))

    def render(self, frame: Record, texts: Sequence[str], speakers: Sequence[str | None]) -> Record:
        (text,) = texts
        return {**frame, self._text: text}

    def written_fields(self) -> frozenset[str]:
        return self._written.union(self._ids)

    def output_schema(self, source: pa.Schema) -> pa.Schema:
        fields = select_fields(source, self.columns())
        return pa.schema([as_text(field) if field.name == self._text else field for field in fields])
