"""Shapes 1 and 4: a record with a list of turns."""

from typing import ClassVar

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.declared import (
    REVIEWED_BY,
    annotated_spans,
    annotation_of,
    entries,
    reader_name,
    refuse,
    speaker_names,
)
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.paths import Kind
from tacenda.transforms.shapes.shape import Parsed, Record, Shape, Sink


class TurnListShape(Shape):
    """A conversation a record."""

    def __init__(self, options: ReadOptions) -> None:
        super().__init__(options)
        turn = self.tree.within[self.entries].within
        of_kind = {tree.kind: name for name, tree in turn.items()}
        self._text, self._speaker = of_kind[Kind.TEXT], of_kind[Kind.SPEAKER]
        self._spans = self.actual(f"{self.entries_field}.spans")
        # Replaced fields cannot be kept: that would write the original text.
        turn.pop(self._spans, None)
        self._kept = turn.keys() - {self._text, self._speaker}

    def columns(self) -> list[str]:
        turns = self.tree.within[self.entries].within
        nested = [f"{self.entries}.{name}" for name in (*turns, self._spans)]
        return [*(name for name in self.tree.within if name != self.entries), *nested, "gold", REVIEWED_BY]

    def parse(self, record: Record) -> Parsed:
        refuse(
            "conversation_id" in self.options.fields and record.get(self.id_fields[0]) in (None, ""),
            "MissingField",
            self.id_fields[0],
        )
        return super().parse(record)

    def read(self, record: Record, parsed: Parsed) -> Record:
        frame = super().read(record, parsed)
        said = enumerate(record[self.entries])
        marked = {k: turn for k, turn in said if turn.get(self._spans) is not None}
        parsed.spans = {k: annotated_spans(turn[self._spans], turn[self._text]) for k, turn in marked.items()}
        parsed.annotation = annotation_of(record, [*parsed.spans.values()] if marked else None)
        parsed.reader = reader_name(record[REVIEWED_BY]) if REVIEWED_BY in record else None
        return frame

    def rewrite(self, record: Record, to: Sink) -> Record:
        turns = entries(record, self.entries)
        if any(self._text not in turn for turn in turns):
            missing = f"{self.entries}.{self._text}"
            raise RecordError("MissingField", missing)
        speaks = any(self._speaker in turn for turn in turns)
        speakers = speaker_names([turn.get(self._speaker) for turn in turns])
        written = []
        for number, (turn, speaker) in enumerate(zip(turns, speakers, strict=True)):
            text, label = to.add(number, speaker, "", turn[self._text])
            new = {self._speaker: label, self._text: text} if speaks else {self._text: text}
            written.append(new | {key: turn[key] for key in turn if key in self._kept})
        return {**record, self.entries: written}


class ConversationShape(TurnListShape):
    """The shape of corpora, gold conversations and reviewed conversations; the id is optional."""

    name = "conversation"
    needed: ClassVar = {"turns": list}
    declared = frozenset(
        {"conversation_id", "context", "turns", "turns.text", "turns.speaker", "turns.spans"}
    )
    table: ClassVar = {"turns[].text": Kind.TEXT, "turns[].speaker": Kind.SPEAKER}
    entries_field = "turns"


class ShareGptShape(TurnListShape):
    """Fine-tuning data in the format of ShareGPT exports; the id is optional."""

    name = "sharegpt"
    needed: ClassVar = {"conversations": list}
    declared = frozenset(
        {"conversation_id", "context", "conversations", "conversations.value", "conversations.from"}
    )
    table: ClassVar = {
        "conversations[].value": Kind.TEXT,
        "conversations[].from": Kind.SPEAKER,
        "tools": Kind.DEFINITION,
    }
    entries_field = "conversations"
    texts_beside = ("system",)
