"""Shapes 1 and 4: a record with a list of turns."""

from typing import Any, ClassVar

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.content import Note
from tacenda.transforms.shapes.declared import (
    REVIEWED_BY,
    annotated_spans,
    annotation_of,
    entries,
    reader_of,
    speaker_name,
)
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.paths import Kind
from tacenda.transforms.shapes.shape import Parsed, Record, Rewrite, Shape


class TurnListShape(Shape):
    """A conversation a record; a frame is a record with None in the place of texts and speakers."""

    text_field: ClassVar[str]
    speaker_field: ClassVar[str]

    def __init__(self, options: ReadOptions) -> None:
        super().__init__(options)
        self._text, self._speaker = self.actual(self.text_field), self.actual(self.speaker_field)
        self._spans = self.actual(f"{self.entries_field}.spans")
        # Replaced fields cannot be kept: that would write the original text.
        self.tree.within[self.entries].within.pop(self._spans, None)
        self._kept = self.tree.within[self.entries].within.keys() - {self._text, self._speaker}

    def columns(self) -> list[str]:
        turns = self.tree.within[self.entries].within
        nested = [f"{self.entries}.{name}" for name in (*turns, self._spans)]
        return [*(name for name in self.tree.within if name != self.entries), *nested, "gold", REVIEWED_BY]

    def parse(self, record: Record) -> Parsed:
        if "conversation_id" in self.options.fields and record.get(self.id_fields[0]) in (None, ""):
            raise RecordError("MissingField", self.id_fields[0])
        parsed = super().parse(record)
        marked = {
            number: turn[self._spans]
            for number, turn in enumerate(record[self.entries])
            if turn.get(self._spans) is not None
        }
        parsed.spans = {
            number: annotated_spans(spans, parsed.texts[number]) for number, spans in marked.items()
        }
        parsed.annotation = annotation_of(record, [*parsed.spans.values()] if marked else None)
        parsed.reader = reader_of(record)
        for turn in parsed.frame[self.entries]:
            turn.update(
                dict.fromkeys((self._speaker, self._text) if self._speaker in turn else (self._text,))
            )
        return parsed

    def rewrite(self, record: Record, visit: Rewrite | None, note: Note | None = None) -> Record:
        if visit is None:
            return record
        turns = entries(record, self.entries)
        speaks = any(self._speaker in turn for turn in turns)
        written: list[dict[str, Any]] = []
        for number, turn in enumerate(turns):
            if self._text not in turn:
                raise RecordError("MissingField", f"{self.entries}.{self._text}")
            text, speaker = visit(number, speaker_name(turn.get(self._speaker)), "", turn[self._text])
            new = {self._speaker: speaker, self._text: text} if speaks else {self._text: text}
            if self._kept:
                new.update((key, value) for key, value in turn.items() if key in self._kept)
            written.append(new)
        return {**record, self.entries: written}


class ConversationShape(TurnListShape):
    """The shape of corpora, gold conversations and reviewed conversations; the id is optional."""

    name = "conversation"
    declared = frozenset(
        {"conversation_id", "context", "turns", "turns.text", "turns.speaker", "turns.spans"}
    )
    table: ClassVar = {"turns[].text": Kind.TEXT, "turns[].speaker": Kind.SPEAKER}
    entries_field = "turns"
    text_field = "turns.text"
    speaker_field = "turns.speaker"


class ShareGptShape(TurnListShape):
    """Fine-tuning data in the format of ShareGPT exports; the id is optional."""

    name = "sharegpt"
    declared = frozenset(
        {"conversation_id", "context", "conversations", "conversations.value", "conversations.from"}
    )
    table: ClassVar = {"conversations[].value": Kind.TEXT, "conversations[].from": Kind.SPEAKER}
    entries_field = "conversations"
    text_field = "conversations.value"
    speaker_field = "conversations.from"
    definitions = ("tools",)
    texts_beside = ("system",)
