"""Shape 3: chat, ``{messages: [{role, content, name, tool_calls}]}``."""

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from tacenda.transforms.schema.conversation import OUTSIDE_TURNS
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.arrow_fields import (
    as_text,
    inside_list,
    is_text,
    select_fields,
    struct_of,
)
from tacenda.transforms.shapes.content import (
    PART_FIELDS,
    content_field,
    label,
    labels_of_content,
    walk_audio,
    walk_content,
    walk_values,
)
from tacenda.transforms.shapes.declared import (
    context_label,
    entries,
    enumerated,
    identifier,
)
from tacenda.transforms.shapes.json_text import Visit, texts_of
from tacenda.transforms.shapes.kept_cells import VisitValue, visited
from tacenda.transforms.shapes.options import ReadOptions, actual_name, kept_fields, opened_fields
from tacenda.transforms.shapes.shape import Cells, LabelledShape, Labels, Parsed, Record, as_object
from tacenda.transforms.shapes.tool_arguments import (
    Schema,
    Schemas,
    arguments_type,
    parameters_of,
    schemas_of_values,
    walk_arguments,
)
from tacenda.transforms.storage.json_values import NUMBERS

ROLES = frozenset(
    [
        "agent",
        "assistant",
        "bot",
        "customer",
        "developer",
        "function",
        "human",
        "model",
        "system",
        "tool",
        "user",
    ]
)
"""Roles that are written unchanged; any other word in that field may be a person's name."""


_SAID = ("refusal", "reasoning", "reasoning_content", "thinking")
"""Fields of a message with what its model said instead of its content, or thought before."""

_WEIGHTS = ("weight", "train")
"""Fields of a message that say whether, or how much, a model learns from it."""

WALKED = ("tool_calls", "function_call", "tool_call_id", "audio", *_WEIGHTS, *_SAID)
"""Fields of a message that are read beside its content, its role and its name."""

_INSTEAD = ("tool_calls", "function_call", "refusal", "audio")
"""At least one of these is required if `content` is missing."""

DEFINITIONS = ("tools", "functions", "tool_choice", "parallel_tool_calls")
"""Fields of a record that say what tools there are: written as they are, and checked for personal data."""

_SYSTEM = "system"
"""Field of a record that holds the first message where it is none of the others, as Anthropic spells it."""

_CALLED = {"function": "arguments", "custom": "input"}
"""What a tool call calls, a function or a tool that takes a text; and the field of what it is given."""

_OF_CALLS = ("id", "type", *_CALLED)
"""Fields of a tool call that are written."""

_TOOLS = frozenset({"tool", "function"})
"""Roles whose name is that of a function."""


class ChatShape(LabelledShape):
    """Messages whose content is text or a list of parts, with tool calls, as OpenAI and Anthropic spell them.

    Reading and writing share one walk over a message: reading collects the texts, writing supplies the new
    ones in the same order. So nothing is written that was not read as a cell.
    """

    name = "chat"
    declared = frozenset(
        {"conversation_id", "context", "messages", "messages.role", "messages.content", "messages.name"}
    )

    entries_field = "messages"

    def __init__(self, options: ReadOptions) -> None:
        super().__init__(options)
        self._messages = actual_name(options, "messages")
        self._role = actual_name(options, "messages.role")
        self._content = actual_name(options, "messages.content")
        self._name = actual_name(options, "messages.name")
        self._kept_in_messages = kept_fields(options, "messages")
        read = {self._context, self._messages, _SYSTEM, *DEFINITIONS}
        self._written = frozenset({*read, *kept_fields(options)})
        self._opened = opened_fields(options) - read
        walked = {self._content, self._role, self._name, *WALKED}
        self._opened_in_messages = opened_fields(options, "messages") - walked

    def columns(self) -> list[str]:
        return sorted({*self._written, *self._ids})

    def parse(self, record: Record) -> Parsed:
        messages = entries(record, self._messages)
        cells = Cells(self.options.max_turn_chars)
        constants = self.constants_of(record)
        system = record.get(_SYSTEM)
        if system is not None:
            system = walk_content(system, _SYSTEM, cells.visit(OUTSIDE_TURNS, _SYSTEM))
        kept = []
        for index, message in enumerate(messages):
            before = len(cells.texts)
            kept.append(self._walk(message, cells.visit(index, self._speaker(message)), constants))
            has_cell = len(cells.texts) > before
            if message[self._role] not in ROLES and (message.get(self._name) or not has_cell):
                # No cell would cover this role, so it could not be inspected.
                raise RecordError("UnknownRole")
        frame = self._written_of(record)
        frame[self._messages] = kept
        if system is not None:
            frame[_SYSTEM] = system
        return cells.parsed(
            frame,
            identifier(record, self._ids),
            context_label(record, self._context),
            self._schemas(messages, frame),
        )

    def _schemas(self, messages: Sequence[Record], frame: Record) -> Schemas | None:
        """The schemas of the arguments of calls."""
        known: dict[str, Any] | None = None
        found: dict[tuple[int, str], Schema] = {}
        for turn, message in enumerate(messages):
            for path, called, given in _calls(message, message.get(self._content)):
                if known is None:
                    known = {
                        name: one
                        for field in ("tools", "functions")
                        for name, one in parameters_of(frame.get(field)).items()
                    }
                values = schemas_of_values(called.get(given), known.get(called.get("name") or ""), path)
                found.update(((turn, part), schema) for part, schema in values)
        return found or None

    def render(self, frame: Record, texts: Sequence[str], speakers: Sequence[str | None]) -> Record:
        cells = iter(zip(texts, speakers, strict=True))
        written = dict(frame)
        if frame.get(_SYSTEM) is not None:
            written[_SYSTEM] = walk_content(frame[_SYSTEM], _SYSTEM, lambda path, text: next(cells)[0])
        constants = self.constants_of(frame)
        written[self._messages] = [
            self._rewrite(message, cells, constants) for message in frame[self._messages]
        ]
        if next(cells, None) is not None:
            raise ValueError("more cells than the record has places for")
        return written

    def labels_of(self, frame: Record) -> Labels:
        identifiers: list[str | None] = []
        tools: list[str | None] = []
        for message in frame[self._messages]:
            for is_tool, text in labels_of_content(message.get(self._content)):
                (tools if is_tool else identifiers).append(text)
            for call in (*(message.get("tool_calls") or ()), {"function": message.get("function_call")}):
                called = call.get("function") or call.get("custom") or {}
                identifiers += [call.get("id"), call.get("type")]
                tools.append(called.get("name"))
            spoken = message.get("audio") or {}
            identifiers += [message.get("tool_call_id"), spoken.get("id")]
            tools.append(message.get(self._name) if message[self._role] in _TOOLS else None)
        defined = (text for name in DEFINITIONS for text in texts_of(frame.get(name)))
        return Labels(list(filter(None, identifiers)), [*filter(None, tools), *defined])

    def constants_of(self, frame: Record) -> frozenset[str]:
        return enumerated(frame[name] for name in DEFINITIONS if frame.get(name))

    def written_fields(self) -> frozenset[str]:
        in_messages = {
            *(self._content, self._role, self._name, *WALKED, *self._kept_in_messages),
            *(f"{self._content}.{name}" for name in PART_FIELDS),
            *(f"tool_calls.{name}" for name in _OF_CALLS),
        }
        return self._written.union(self._ids, (f"{self._messages}.{name}" for name in in_messages))

    def map_kept(self, frame: Record, visit: VisitValue) -> Record:
        written = dict(super().map_kept(frame, visit))
        written[self._messages] = [
            visited(message, self._opened_in_messages, visit, i)
            for i, message in enumerate(frame[self._messages])
        ]
        return written

    def turns_of(self, frame: Record, turns: Sequence[int]) -> Sequence[int]:
        return range(len(frame[self._messages]))

    def _rewrite(
        self, message: Record, cells: Iterator[tuple[str, str | None]], constants: frozenset[str]
    ) -> Record:
        names: list[str | None] = []

        def replace(path: str, text: str) -> str:
            new, speaker = next(cells)
            names.append(speaker)
            return new

        written = self._walk(message, replace, constants)
        if written.get(self._name) is not None and written[self._role] not in _TOOLS:
            # Without a cell, the name was not inspected and must not be written.
            written[self._name] = names[0] if names else None
        if written[self._role] not in ROLES:
            written[self._role] = names[0]
        return written

    def _speaker(self, message: Record) -> str:
        role = message.get(self._role)
        name = message.get(self._name)
        if role is None:
            missing = f"{self._messages}.{self._role}"
            raise RecordError("MissingField", missing)
        if type(role) is not str or not (name is None or type(name) is str):
            raise RecordError("WrongType")
        return role if role in _TOOLS else name or role

    def _walk(self, message: Record, visit: Visit, constants: frozenset[str]) -> Record:
        """Return a message's declared and kept fields, with every text replaced by what ``visit`` returns."""
        written: Record = {}
        for key, value in message.items():
            if key == self._content:
                written[key] = value if value is None else walk_content(value, "", visit, constants)
            elif key == "tool_calls":
                if not (value is None or type(value) is list):
                    raise RecordError("WrongType")
                written[key] = value and [
                    _walk_call(call, f"{key}.{i}", visit, constants) for i, call in enumerate(value)
                ]
            elif key == "function_call":
                written[key] = _walk_called(value, "arguments", key, visit, constants)
            elif key in _SAID:
                written[key] = walk_values(value, key, visit, constants)
            elif key == "audio":
                written[key] = None if value is None else walk_audio(value, key, visit, constants)
            elif key == "tool_call_id":
                written[key] = label(value)
            elif key in _WEIGHTS:
                written[key] = _number(value)
            elif key in (self._role, self._name) or key in self._kept_in_messages:
                written[key] = value
        # Decided on the walked message, so that walking it again gives the same result.
        if written.get(self._content) is None and not any(map(written.get, _INSTEAD)):
            missing = f"{self._messages}.{self._content}"
            raise RecordError("NullText" if self._content in message else "MissingField", missing)
        return written

    def output_schema(self, source: pa.Schema) -> pa.Schema:
        fields = select_fields(source, self.columns())
        return pa.schema([self.messages_field(f) if f.name == self._messages else f for f in fields])

    def messages_field(self, field: pa.Field) -> pa.Field:
        """Return the column of written messages, of the column that is read."""
        return inside_list(field, self._in_message, self._content)

    def _in_message(self, field: pa.Field) -> pa.Field | None:
        if field.name == self._content:
            return content_field(field)
        if field.name in (self._name, self._role):
            return as_text(field)
        if field.name == "tool_calls":
            return inside_list(field, _in_call, "id")
        if field.name == "function_call":
            return _in_called(field, "arguments")
        if field.name in ("audio", *_SAID):
            return pa.field(field.name, arguments_type(field.type))
        if field.name in ("tool_call_id", *_WEIGHTS) or field.name in self._kept_in_messages:
            return pa.field(field.name, field.type)
        return None


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


def _walk_call(call: Any, path: str, visit: Visit, constants: frozenset[str]) -> Record:
    if as_object(call).get("function") is None and call.get("custom") is None:
        raise RecordError("UnsupportedContent")
    return {
        key: _walk_called(value, _CALLED[key], path, visit, constants) if key in _CALLED else label(value)
        for key, value in call.items()
        if key in _OF_CALLS
    }


def _walk_called(
    called: Any, given: str, path: str, visit: Visit, constants: frozenset[str]
) -> Record | None:
    if called is None:
        return None
    return {
        key: label(value) if key == "name" else walk_arguments(value, f"{path}.{given}", visit, constants)
        for key, value in as_object(called).items()
        if key in ("name", given)
    }


def _number(value: Any) -> Any:
    """The weight of a message in training."""
    if not (value is None or type(value) in (*NUMBERS, bool)):
        raise RecordError("WrongType")
    return value


def _in_call(field: pa.Field) -> pa.Field | None:
    if field.name in _CALLED:
        return _in_called(field, _CALLED[field.name])
    return pa.field(field.name, field.type) if field.name in _OF_CALLS else None


def _in_called(field: pa.Field, given: str) -> pa.Field:
    if not pa.types.is_struct(field.type):
        return pa.field(field.name, field.type)
    inner = []
    for item in field.type:
        if item.name == given:
            inner.append(
                as_text(item) if is_text(item.type) else pa.field(item.name, arguments_type(item.type))
            )
        elif item.name == "name":
            inner.append(pa.field(item.name, item.type))
    return pa.field(field.name, struct_of(inner, "name"))
