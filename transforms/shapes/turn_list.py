"""Common base of shapes 1 and 4: a record with a list of turns."""

from collections.abc import Sequence
from operator import itemgetter
from typing import ClassVar, NamedTuple

import pyarrow as pa

from tacenda.transforms.schema.conversation import AnnotatedSpan
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.arrow_fields import (
    as_text,
    inside_list,
    select_fields,
)
from tacenda.transforms.shapes.declared import (
    REVIEWED_BY,
    annotated_spans,
    annotation_of,
    check_texts,
    context_label,
    enumerated,
    identifier,
    reader_of,
    speaker_names,
)
from tacenda.transforms.shapes.json_text import texts_of
from tacenda.transforms.shapes.kept_cells import VisitValue, visited
from tacenda.transforms.shapes.options import ReadOptions, actual_name, kept_fields, opened_fields
from tacenda.transforms.shapes.shape import LabelledShape, Labels, Parsed, Record

NO_SPANS: tuple[AnnotatedSpan, ...] = ()


class Frame(NamedTuple):
    """A record without its texts.

    ``record`` has the fields to write, in order, with None in place of the turns. ``speaks`` says whether the
    turns have speakers; ``kept`` has the kept fields of each turn, None if there are none.
    """

    record: Record
    speaks: bool
    kept: list[Record] | None


class TurnListShape(LabelledShape):
    """A conversation a record; subclasses give the names of the fields."""

    entries_field: ClassVar[str]
    text_field: ClassVar[str]
    speaker_field: ClassVar[str]
    definitions: ClassVar[tuple[str, ...]] = ()
    """Fields of a record that say what tools there are: written as they are, and checked for personal data."""

    def __init__(self, options: ReadOptions) -> None:
        super().__init__(options)
        options = self.options
        self._turns = actual_name(options, self.entries_field)
        self._text = actual_name(options, self.text_field)
        self._speaker = actual_name(options, self.speaker_field)
        self._spans = actual_name(options, f"{self.entries_field}.spans")
        self._kept = kept_fields(options)
        # Replaced fields cannot be kept: that would write the original text.
        replaced = {self._text, self._speaker, self._spans}
        self._kept_in_turns = tuple(n for n in kept_fields(options, self.entries_field) if n not in replaced)
        read = {self._context, self._turns, *self.definitions}
        self._written = frozenset({*read, *self._kept})
        self._opened = opened_fields(options) - read
        self._opened_in_turns = opened_fields(options, self.entries_field)

    def columns(self) -> list[str]:
        in_turns = (self._text, self._speaker, self._spans, *self._kept_in_turns)
        nested = [f"{self._turns}.{name}" for name in in_turns]
        return [*self._ids, self._context, *nested, "gold", REVIEWED_BY, *self._kept]

    def parse(self, record: Record) -> Parsed:
        name = identifier(record, self._ids)
        if name is None and "conversation_id" in self.options.fields:
            raise RecordError("MissingField", self._ids[0])
        turns = record.get(self._turns)
        if turns is None:
            raise RecordError("MissingField", self._turns)
        if type(turns) is not list:
            raise RecordError("WrongType", self._turns)
        try:
            texts = list(map(itemgetter(self._text), turns))
            present = set().union(*turns)
            speaks = self._speaker in present
            speakers = [turn.get(self._speaker) for turn in turns] if speaks else [None] * len(turns)
            marked = [turn.get(self._spans) for turn in turns] if self._spans in present else []
        except KeyError as error:
            missing = f"{self._turns}.{self._text}"
            raise RecordError("MissingField", missing) from error
        except (TypeError, AttributeError) as error:
            raise RecordError("WrongType", self._turns) from error
        check_texts(texts, self.options.max_turn_chars)
        spans: list[Sequence[AnnotatedSpan]] = [NO_SPANS] * len(turns)
        annotated = any(value is not None for value in marked)
        if annotated:
            pairs = zip(marked, texts, strict=True)
            spans = [NO_SPANS if value is None else annotated_spans(value, text) for value, text in pairs]
        kept = None
        if self._kept_in_turns:
            kept = [{key: turn[key] for key in self._kept_in_turns if key in turn} for turn in turns]
        skeleton = self._written_of(record)
        skeleton[self._turns] = None
        return Parsed(
            id=name,
            context=context_label(record, self._context),
            annotation=annotation_of(record, spans if annotated else None),
            texts=texts,
            speakers=speaker_names(speakers),
            turns=range(len(turns)),
            parts=[None] * len(turns),
            spans=spans,
            frame=Frame(skeleton, speaks, kept),
            reader=reader_of(record),
        )

    def render(self, frame: Frame, texts: Sequence[str], speakers: Sequence[str | None]) -> Record:
        turns: list[Record]
        if frame.speaks:
            pairs = zip(speakers, texts, strict=True)
            turns = [{self._speaker: speaker, self._text: text} for speaker, text in pairs]
        else:
            turns = [{self._text: text} for text in texts]
        if frame.kept is not None:
            for turn, kept in zip(turns, frame.kept, strict=True):
                turn.update(kept)
        return {**frame.record, self._turns: turns}

    def written_fields(self) -> frozenset[str]:
        in_turns = (self._text, self._speaker, *self._kept_in_turns)
        return self._written.union(self._ids, (f"{self._turns}.{name}" for name in in_turns))

    def labels_of(self, frame: Frame) -> Labels:
        return Labels(
            of_tools=[text for name in self.definitions for text in texts_of(frame.record.get(name))]
        )

    def constants_of(self, frame: Frame) -> frozenset[str]:
        return enumerated(frame.record[name] for name in self.definitions if frame.record.get(name))

    def map_kept(self, frame: Frame, visit: VisitValue) -> Frame:
        record, kept = super().map_kept(frame, visit).record, frame.kept
        if kept is not None and self._opened_in_turns:
            kept = [visited(turn, self._opened_in_turns, visit, i) for i, turn in enumerate(kept)]
        return Frame(record, frame.speaks, kept)

    def output_schema(self, source: pa.Schema) -> pa.Schema:
        fields = select_fields(source, {*self._written, *self._ids})
        return pa.schema(
            [inside_list(f, self._in_turn, self._text) if f.name == self._turns else f for f in fields]
        )

    def _in_turn(self, field: pa.Field) -> pa.Field | None:
        if field.name in (self._text, self._speaker):
            return as_text(field)
        return pa.field(field.name, field.type) if field.name in self._kept_in_turns else None


class ConversationShape(TurnListShape):
    """The shape of corpora, gold conversations and reviewed conversations; the id is optional."""

    name = "conversation"
    declared = frozenset(
        {"conversation_id", "context", "turns", "turns.text", "turns.speaker", "turns.spans"}
    )
    entries_field = "turns"
    text_field = "turns.text"
    speaker_field = "turns.speaker"


class ShareGptShape(TurnListShape):
    """Fine-tuning data in the format of ShareGPT exports; the id is optional."""

    name = "sharegpt"
    declared = frozenset(
        {"conversation_id", "context", "conversations", "conversations.value", "conversations.from"}
    )
    entries_field = "conversations"
    text_field = "conversations.value"
    speaker_field = "conversations.from"
    definitions = ("tools",)
    texts_beside = ("system",)
