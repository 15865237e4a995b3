"""Shapes whose records have a field for each text: documents, prompt and completion, Alpaca, preferences.

A field holds a text, which is one turn, or a list of chat messages, of which each is one.
"""

from typing import ClassVar

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.chat import plain_messages
from tacenda.transforms.shapes.content import Note, To, written
from tacenda.transforms.shapes.declared import entries, refuse
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.paths import Kind, Tree
from tacenda.transforms.shapes.shape import Record, Rewrite, Shape


class FieldsShape(Shape):
    """A record with several fields of text; which ones, a shape says.

    ``texts`` are searched, in the order of the record; ``needed`` of them are there in every record. The table
    has numbers, or yes and no, that training needs.
    """

    texts: ClassVar[tuple[str, ...]]
    needed: ClassVar[tuple[str, ...]]

    def __init__(self, options: ReadOptions) -> None:
        super().__init__(options)
        self._texts = frozenset(map(self.actual, self.texts))
        self._needed = frozenset(map(self.actual, self.needed))
        self._messages = plain_messages()
        for name in self._texts:
            self.tree.within[name] = Tree(Kind.TEXT, self._messages.tree.within, list)

    def rewrite(self, record: Record, visit: Rewrite | None, note: Note | None = None) -> Record:
        if not self._needed <= record.keys():
            raise RecordError("MissingField", min(self._needed - record.keys()))
        new: Record = {}
        turn = 0
        for key, value in record.items():
            if key not in self._texts or value is None:
                new[key] = written(self.tree.within[key].kind, value, key, To(None, note))
            elif type(value) is str:
                new[key] = value if visit is None else visit(turn, None, key, value)[0]
                turn += 1
            else:
                messages = entries(record, key)
                new[key] = self._messages.rewrite(messages, visit, To(None, note), turn, f"{key}.")
                turn += len(messages)
        return new


class DocumentShape(Shape):
    """A text with an optional id and context."""

    name = "document"
    declared = frozenset({"conversation_id", "context", "text"})
    table: ClassVar = {"text": Kind.TEXT}

    def rewrite(self, record: Record, visit: Rewrite | None, note: Note | None = None) -> Record:
        text = self.actual("text")
        refuse(text not in record, "MissingField", text)
        return record if visit is None else {**record, text: visit(0, None, "", record[text])[0]}


class PreferenceShape(FieldsShape):
    """An answer that people chose and one that they rejected, as DPO reads them."""

    name = "preference"
    declared = frozenset({"conversation_id", "context", "system", "prompt", "chosen", "rejected"})
    texts = ("system", "prompt", "question", "input", "chosen", "rejected")
    needed = ("chosen", "rejected")
    table: ClassVar = dict.fromkeys(
        ("margin", "score_chosen", "score_rejected", "chosen_score", "rejected_score"), Kind.NUMBER
    )


class PromptCompletionShape(FieldsShape):
    """A prompt and its completion; with a label, an answer that was good or not, as KTO reads it."""

    name = "prompt_completion"
    declared = frozenset({"conversation_id", "context", "system", "prompt", "completion"})
    texts = ("system", "prompt", "completion")
    needed = ("prompt", "completion")
    table: ClassVar = {"label": Kind.NUMBER}


class AlpacaShape(FieldsShape):
    """An instruction, what it is about, and the answer."""

    name = "alpaca"
    declared = frozenset({"conversation_id", "context", "system", "instruction", "input", "output"})
    texts = ("system", "instruction", "input", "output")
    needed = ("instruction", "output")
