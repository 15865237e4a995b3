"""Shapes with chat messages, ``{role, content, name, tool_calls}``, or a field for each text."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from tacenda.transforms.schema.conversation import OUTSIDE_TURNS
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.content import WRITTEN, Note, To, is_number, walk_content
from tacenda.transforms.shapes.declared import entries, refuse
from tacenda.transforms.shapes.json_text import NONE
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.paths import Kind, Place, Tree, walk_fields
from tacenda.transforms.shapes.shape import Parsed, Record, Rewrite, Shape
from tacenda.transforms.shapes.tool_arguments import Schema, parameters_of, schemas_of_values

_TOOLS = frozenset({"tool", "function"})  # roles whose name is that of a function

_WHO = {"agent", "assistant", "bot", "customer", "developer", "human", "model", "system", "user"}
ROLES = _TOOLS | _WHO  # roles that are written unchanged; any other word in that field may be a person's name
DEFINITIONS = ("tools", "functions", "tool_choice", "parallel_tool_calls")  # what tools there are
_INSTEAD = ("tool_calls", "function_call", "refusal", "audio")  # one of these if content is missing
_SYSTEM = "system"  # the field of a first message, as Anthropic spells it
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


class Messages:
    """Reads and writes messages, as OpenAI and Anthropic spell them; ``tree`` is that of one."""

    def __init__(
        self, tree: Tree, names: Sequence[str] = ("role", "content", "name"), outer: str = "messages"
    ) -> None:
        self.tree, self._outer = tree, outer
        self._role, self._content, self._name = names

    def rewrite(
        self,
        message: Record,
        turn: int,
        visit: Rewrite,
        note: Note | None,
        constants: frozenset[str] = NONE,
        prefix: str = "",
    ) -> Record:
        """A message with texts and speakers' names replaced by ``visit``; parts begin with ``prefix``."""
        role, name = message.get(self._role), message.get(self._name)
        if role is None:
            missing = f"{self._outer}.{self._role}"
            raise RecordError("MissingField", missing)
        refuse(type(role) is not str or not (name is None or type(name) is str), "WrongType")
        labels: list[str | None] = []

        def say(path: str, text: str) -> str:
            part = f"{prefix}{path}".removesuffix(".") if prefix else path
            new, label = visit(turn, role if role in _TOOLS else name or role, part, text)
            labels.append(label)
            return new

        def leaf(kind: Kind, place: Place, value: Any) -> Any:
            if kind is Kind.CONTENT:
                return None if value is None else walk_content(value, "", own)
            if kind not in WRITTEN:
                return value
            return WRITTEN[kind](value, ".".join(str(step) for step in place if step not in _CALLED), own, 0)

        own = To(say, note, constants)
        new = walk_fields(message, self.tree, leaf)
        for call in new.get("tool_calls") or ():
            refuse(call.get("function") is None and call.get("custom") is None, "UnsupportedContent")
        # Decided on the new message, so that rewriting it again gives the same result.
        if new.get(self._content) is None and not any(map(new.get, _INSTEAD)):
            missing = "NullText" if self._content in message else "MissingField"
            where = f"{self._outer}.{self._content}"
            raise RecordError(missing, where)
        if role in _TOOLS:
            if name and note is not None:
                note(Kind.TOOL, name)
            return new
        if role not in ROLES:
            # If no cell covered this role, it could not be inspected.
            refuse(name or not labels, "UnknownRole")
            new[self._role] = labels[0]
        if name is not None:
            # Without a cell, the name was not inspected and must not be written.
            new[self._name] = labels[0] if labels else None
        return new

    def schemas(
        self, messages: Sequence[Record], definitions: Mapping[str, Any]
    ) -> dict[tuple[int, str], Schema]:
        """The schemas of the arguments of calls, by turn and path."""
        calls = [
            (turn, *call)
            for turn, message in enumerate(messages)
            for call in _calls(message, message.get(self._content))
        ]
        defined = [parameters_of(definitions.get(name)) if calls else {} for name in ("tools", "functions")]
        known = defined[0] | defined[1]
        return {
            (turn, part): schema
            for turn, path, called, given in calls
            for part, schema in schemas_of_values(
                called.get(given), known.get(called.get("name") or ""), path
            )
        }


def _calls(message: Record, content: Any) -> Iterator[tuple[str, Record, str]]:
    """The path of the arguments of each call, the call, and the field of its arguments."""
    for i, call in enumerate(message.get("tool_calls") or ()):
        if type(called := call.get("function")) is dict:
            yield f"tool_calls.{i}.arguments", called, "arguments"
    if type(called := message.get("function_call")) is dict:
        yield "function_call.arguments", called, "arguments"
    for i, part in enumerate(content if type(content) is list else ()):
        if "input" in part:
            yield f"content.{i}.input", part, "input"


class ChatShape(Shape):
    """Messages of text or a list of parts, with tool calls, as OpenAI and Anthropic spell them."""

    name = "chat"
    declared = frozenset(
        {"conversation_id", "context", "messages", "messages.role", "messages.content", "messages.name"}
    )
    table: ClassVar = {_SYSTEM: Kind.CONTENT, **{f"messages[].{path}": kind for path, kind in _TABLE.items()}}
    definitions = DEFINITIONS
    entries_field = "messages"

    def __init__(self, options: ReadOptions) -> None:
        super().__init__(options)
        names = [self.actual(f"messages.{name}") for name in ("role", "content", "name")]
        self._messages = Messages(self.tree.within[self.entries], names, self.entries)

    def parse(self, record: Record) -> Parsed:
        parsed = super().parse(record)
        parsed.schemas = self._messages.schemas(parsed.frame[self.entries], parsed.frame) or None
        return parsed

    def rewrite(self, record: Record, visit: Rewrite, note: Note | None = None) -> Record:
        messages = entries(record, self.entries)
        new = dict(record)
        if record.get(_SYSTEM) is not None:
            to = To(lambda path, text: visit(OUTSIDE_TURNS, _SYSTEM, path, text)[0], note)
            new[_SYSTEM] = walk_content(record[_SYSTEM], _SYSTEM, to)
        constants = self.constants_of(record)
        new[self.entries] = [
            self._messages.rewrite(one, turn, visit, note, constants) for turn, one in enumerate(messages)
        ]
        return new


class FieldsShape(Shape):
    """A record with several fields: each is a text, which is one turn, or a list of messages.

    ``texts`` are searched, in the order of the record; ``needed`` of them are there in every record. The table
    has numbers, or yes and no, that training needs.
    """

    texts: ClassVar[tuple[str, ...]]
    needed: ClassVar[tuple[str, ...]]

    def __init__(self, options: ReadOptions) -> None:
        super().__init__(options)
        self._texts = frozenset(map(self.actual, self.texts))
        self._needed = frozenset(map(self.actual, self.needed))
        message = Tree(form=list)
        for path, kind in _TABLE.items():
            message.at(path.split("."), dict).kind = kind
        self._messages = Messages(message)
        for name in self._texts:
            self.tree.within[name] = Tree(Kind.TEXT, message.within, list)

    def rewrite(self, record: Record, visit: Rewrite, note: Note | None = None) -> Record:
        if not self._needed <= record.keys():
            raise RecordError("MissingField", min(self._needed - record.keys()))
        new: Record = {}
        turn = 0
        for key, value in record.items():
            if key not in self._texts or value is None:
                refuse(self.tree.within[key].kind is Kind.NUMBER and not is_number(value), "WrongType")
                new[key] = value
            elif type(value) is str:
                new[key] = visit(turn, None, key, value)[0]
                turn += 1
            else:
                messages = enumerate(entries(record, key), turn)
                new[key] = [
                    self._messages.rewrite(one, n, visit, note, prefix=f"{key}.") for n, one in messages
                ]
                turn += len(new[key])
        return new


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


class DocumentShape(Shape):
    """A text with an optional id and context."""

    name = "document"
    declared = frozenset({"conversation_id", "context", "text"})
    table: ClassVar = {"text": Kind.TEXT}

    def rewrite(self, record: Record, visit: Rewrite, note: Note | None = None) -> Record:
        text = self.actual("text")
        refuse(text not in record, "MissingField", text)
        return {**record, text: visit(0, None, "", record[text])[0]}
