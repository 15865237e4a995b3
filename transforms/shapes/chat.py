"""Shapes with chat messages, ``{role, content, name, tool_calls}``, or a field for each text."""

from functools import partial
from typing import Any, ClassVar

from tacenda.transforms.schema.conversation import OUTSIDE_TURNS
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.content import WRITTEN, To, is_number, walk_content
from tacenda.transforms.shapes.declared import entries, refuse
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.paths import Kind, Place, walk_fields
from tacenda.transforms.shapes.shape import Record, Shape, Sink

_TOOLS = frozenset({"tool", "function"})  # roles whose name is that of a function

_WHO = {"agent", "assistant", "bot", "customer", "developer", "human", "model", "system", "user"}
ROLES = _TOOLS | _WHO  # roles that are written unchanged; any other word in that field may be a person's name
DEFINITIONS = ("tools", "functions", "tool_choice", "parallel_tool_calls")  # what tools there are
_INSTEAD = ("tool_calls", "function_call", "refusal", "audio")  # one of these if content is missing
_CALLED = ("function", "custom")  # what a tool call calls: a function, or a tool that takes a text

_TABLE = {  # the fields of a message
    "role": Kind.SPEAKER,
    "content": Kind.CONTENT,
    "name": Kind.SPEAKER,
    "tool_calls[].id": Kind.LABEL,
    "tool_calls[].type": Kind.LABEL,
    "tool_calls[].function.name": Kind.TOOL,
    "tool_calls[].function.arguments": Kind.ARGUMENTS,
    "tool_calls[].custom.name": Kind.TOOL,
    "tool_calls[].custom.input": Kind.ARGUMENTS,
    "tool_call_id": Kind.LABEL,
    "function_call.name": Kind.TOOL,
    "function_call.arguments": Kind.ARGUMENTS,
    "audio": Kind.AUDIO,
    # What a model said instead of its content, or thought before.
    **dict.fromkeys(("refusal", "reasoning", "reasoning_content", "thinking"), Kind.VALUES),
    # Whether, or how much, a model learns from it.
    **dict.fromkeys(("weight", "train"), Kind.NUMBER),
}


class MessagesShape(Shape):
    """A record with lists of messages, as OpenAI and Anthropic spell them.

    Of the fields of the table, one that is a text itself is one turn, in the order of the record, and may be a
    list of messages instead; content stands before all turns. ``needed`` fields are there in every record.
    """

    def __init__(self, options: ReadOptions) -> None:
        super().__init__(options)
        self._needed = frozenset(map(self.actual, self.needed))
        names = (self.actual(f"messages.{name}") for name in ("role", "content", "name"))
        self._role, self._content, self._name = names

    def rewrite(self, record: Record, to: Sink) -> Record:
        if not self._needed <= record.keys():
            raise RecordError("MissingField", min(self._needed - record.keys()))
        new, turn = dict(record), 0
        for key in sorted(record, key=lambda key: self.tree.within[key].kind is not Kind.CONTENT):
            tree, value = self.tree.within[key], record[key]
            if tree.kind is Kind.NUMBER:
                refuse(not is_number(value), "WrongType")
            elif tree.kind is Kind.CONTENT and value is not None:
                new[key] = walk_content(value, key, to.content(OUTSIDE_TURNS, key))
            elif tree.kind is Kind.TEXT and type(value) is str:
                new[key] = to.text(turn, None, key, value)
                turn += 1
            elif tree.within and (value is not None or tree.kind is None):
                messages = enumerate(entries(record, key), turn)
                new[key] = [self._message(key, one, number, to) for number, one in messages]
                turn += len(new[key])
        return new

    def _message(self, field: str, message: Record, turn: int, to: Sink) -> Record:
        """A message with texts and speakers' names replaced."""
        tree = self.tree.within[field]
        role, name = message.get(self._role), message.get(self._name)
        if role is None:
            missing = f"{field}.{self._role}"
            raise RecordError("MissingField", missing)
        refuse(type(role) is not str or not (name is None or type(name) is str), "WrongType")
        labels: list[str | None] = []

        def say(path: str, text: str, is_number: bool = False) -> str:
            # Beside other fields, a part begins with the name of its own.
            part = path if tree.kind is None else f"{field}.{path}" if path else field
            new, label = to.add(turn, role if role in _TOOLS else name or role, part, text, is_number)
            labels.append(label)
            return new

        def leaf(kind: Kind, place: Place, value: Any) -> Any:
            if kind is Kind.CONTENT:
                return None if value is None else walk_content(value, "", own)
            if kind not in WRITTEN:
                return value
            return WRITTEN[kind](value, ".".join(str(step) for step in place if step not in _CALLED), own)

        own = To(say, to.note, partial(say, is_number=True))
        new = walk_fields(message, tree, leaf)
        for call in new.get("tool_calls") or ():
            refuse(call.get("function") is None and call.get("custom") is None, "UnsupportedContent")
        # Decided on the new message, so that rewriting it again gives the same result.
        if new.get(self._content) is None and not any(map(new.get, _INSTEAD)):
            missing = "NullText" if self._content in message else "MissingField"
            where = f"{field}.{self._content}"
            raise RecordError(missing, where)
        if role in _TOOLS:
            if name:
                to.note(Kind.TOOL, name)
            return new
        if role not in ROLES:
            # If no cell covered this role, it could not be inspected.
            refuse(name or not labels, "UnknownRole")
            new[self._role] = labels[0]
        if name is not None:
            # Without a cell, the name was not inspected and must not be written.
            new[self._name] = labels[0] if labels else None
        return new


class ChatShape(MessagesShape):
    """Messages of text or a list of parts, with tool calls."""

    name = "chat"
    needed: ClassVar = {"messages": list}
    declared = frozenset(
        {"conversation_id", "context", "messages", "messages.role", "messages.content", "messages.name"}
    )
    table: ClassVar = {
        "system": Kind.CONTENT,
        **{f"messages[].{path}": kind for path, kind in _TABLE.items()},
        **dict.fromkeys(DEFINITIONS, Kind.DEFINITION),
    }
    entries_field = "messages"


def _of_texts(*names: str) -> dict[str, Kind]:
    """The table of fields that are texts or lists of messages."""
    of_messages = {f"{name}[].{path}": kind for name in names for path, kind in _TABLE.items()}
    return {**of_messages, **dict.fromkeys(names, Kind.TEXT)}


class PreferenceShape(MessagesShape):
    """An answer that people chose and one that they rejected, as DPO reads them."""

    name = "preference"
    needed: ClassVar = dict.fromkeys(("chosen", "rejected"))
    declared = frozenset({"conversation_id", "context", "system", "prompt", "chosen", "rejected"})
    table: ClassVar = {
        **_of_texts("system", "prompt", "question", "input", "chosen", "rejected"),
        **dict.fromkeys(("margin", "score_chosen", "score_rejected"), Kind.NUMBER),
        **dict.fromkeys(("chosen_score", "rejected_score"), Kind.NUMBER),
    }


class PromptCompletionShape(MessagesShape):
    """A prompt and its completion; with a label, an answer that was good or not, as KTO reads it."""

    name = "prompt_completion"
    needed: ClassVar = dict.fromkeys(("prompt", "completion"))
    declared = frozenset({"conversation_id", "context", "system", "prompt", "completion"})
    table: ClassVar = {**_of_texts("system", "prompt", "completion"), "label": Kind.NUMBER}


class AlpacaShape(MessagesShape):
    """An instruction, what it is about, and the answer."""

    name = "alpaca"
    needed: ClassVar = dict.fromkeys(("instruction", "output"))
    declared = frozenset({"conversation_id", "context", "system", "instruction", "input", "output"})
    table: ClassVar = _of_texts("system", "instruction", "input", "output")


class DocumentShape(Shape):
    """A text with an optional id and context."""

    name = "document"
    needed: ClassVar = {"text": str}
    declared = frozenset({"conversation_id", "context", "text"})
    table: ClassVar = {"text": Kind.TEXT}

    def rewrite(self, record: Record, to: Sink) -> Record:
        text = self.actual("text")
        refuse(text not in record, "MissingField", text)
        return {**record, text: to.text(0, None, "", record[text])}
