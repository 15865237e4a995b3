"""Shape 5: a document a record, ``{text}``: one turn without a speaker."""

from collections.abc import Sequence

import pyarrow as pa

from tacenda.transforms.schema.conversation import Annotation
from tacenda.transforms.shapes.arrow_fields import as_text, select_fields
from tacenda.transforms.shapes.declared import (
    context_label,
    identifier,
    required_text,
)
from tacenda.transforms.shapes.labelled import LabelledShape
from tacenda.transforms.shapes.options import ReadOptions, actual_name, kept_fields, opened_fields
from tacenda.transforms.shapes.shape import Parsed, Record


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
        text = required_text(record, self._text, self.options.max_turn_chars)
        frame = self._written_of(record)
        frame[self._text] = None
        return Parsed(
            id=identifier(record, self._ids),
            context=context_label(record, self._context),
            annotation=Annotation.NONE,
            texts=[text],
            speakers=[None],
            turns=[0],
            parts=[None],
            spans=[()],
            frame=frame,
        )

    def render(self, frame: Record, texts: Sequence[str], speakers: Sequence[str | None]) -> Record:
        (text,) = texts
        return {**frame, self._text: text}

    def written_fields(self) -> frozenset[str]:
        return self._written.union(self._ids)

    def output_schema(self, source: pa.Schema) -> pa.Schema:
        fields = select_fields(source, self.columns())
        return pa.schema([as_text(field) if field.name == self._text else field for field in fields])
