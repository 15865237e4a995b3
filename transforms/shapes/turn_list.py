"""Shapes 1 and 4: a record with a list of turns."""

from typing import ClassVar

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.declared import (
    REVIEWED_BY,
    annotated_spans,
    annotation_of,
    check_texts,
    entries,
    reader_name,
    refuse,
    speaker_names,
)
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.paths import Kind
from tacenda.transforms.shapes.shape import Parsed, Record, Shape, Sink


class TurnListShape(Shape):
    """A conversation a record; a frame is a record with None in the place of texts and speakers."""

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
        turns = entries(record, self.entries)
        if any(self._text not in turn for turn in turns):
            missing = f"{self.entries}.{self._text}"
            raise RecordError("MissingField", missing)
        texts = [turn[self._text] for turn in turns]
        check_texts(texts, self.options.max_turn_chars)
        speakers = speaker_names([turn.get(self._speaker) for turn in turns])
        parsed.cells = [(k, *own, None) for k, own in enumerate(zip(texts, speakers, strict=True))]
        marked = {k: turn[self._spans] for k, turn in enumerate(turns) if turn.get(self._spans) is not None}
        parsed.spans = {k: annotated_spans(spans, texts[k]) for k, spans in marked.items()}
        parsed.annotation = annotation_of(record, [*parsed.spans.values()] if marked else None)
        parsed.reader = reader_name(record[REVIEWED_BY]) if REVIEWED_BY in record else None
        speaks = any(self._speaker in turn for turn in turns)
        blank: Record = dict.fromkeys((self._speaker, self._text) if speaks else (self._text,))
        kept = [{key: turn[key] for key in turn if key in self._kept} for turn in turns] if self._kept else ()
        # One and the same for all turns, if it can be.
        return {**self.chosen(record), self.entries: [blank | one for one in kept] or [blank] * len(turns)}

    def rewrite(self, record: Record, to: Sink) -> Record:
        written = []
        for number, turn in enumerate(record[self.entries]):
            new = turn.copy()
            new[self._text], speaker = to.add(number, None, "", None)
            if self._speaker in new:
                new[self._speaker] = speaker
            written.append(new)
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
    table: ClassVar = {"conversations[].value": Kind.TEXT, "conversations[].from": Kind.SPEAKER}
    entries_field = "conversations"
    definitions = ("tools",)
    texts_beside = ("system",)
