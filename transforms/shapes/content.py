"""The content of a chat message: a text, or a list of parts, as OpenAI and Anthropic spell them.

Texts are searched at any depth. Ids and names of tools, which link calls to results, and references to images
are written unchanged. Media within the record, and what is encrypted, cannot be searched and are replaced by a
placeholder.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

import pyarrow as pa

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.arrow_fields import as_text, inside_list, is_list_of_structs
from tacenda.transforms.shapes.declared import NONE
from tacenda.transforms.shapes.json_text import MOST_LEVELS, Visit, is_parameter
from tacenda.transforms.shapes.tool_arguments import arguments_type, walk_arguments

Record = dict[str, Any]
Constants = frozenset[str]
_Walk = Callable[[Any, str, Visit, Constants, int], Any]
"""Called with a value, its path, the visit of texts, the texts that stay, and the level; returns what is
written."""

EMBEDDED = "[EMBEDDED_MEDIA]"
"""Replaces what cannot be searched: an image or audio that is part of the record, encrypted text."""

_SETTING = re.compile(
    "auto|base64|content|ephemeral|file|high|low|medium|original|text|url|[0-9]{1,3}[smh]"
    "|aac|flac|m4a|mp3|ogg|opus|pcm16|wav|webm|(?:application|audio|image|text|video)/[a-z0-9.+-]{1,80}"
)
"""Values of switches of the formats; any other text in their place is searched."""

_OF_VALUES = frozenset(
    {
        "bash_code_execution_result",
        "char_location",
        "code_execution_result",
        "content_block_location",
        "document",
        "page_location",
        "search_result_location",
        "text",
        "url",
        "web_fetch_result",
        "web_search_result",
        "web_search_result_location",
        "web_search_tool_result_error",
    }
)
"""Block types inside tool results and citations."""


def walk_content(value: Any, path: str, visit: Visit, constants: Constants = NONE, level: int = 0) -> Any:
    """Content with every text replaced by what ``visit`` returns, but for ``constants`` in the input of tools.

    Raises:
        RecordError: ``WrongType`` if it is neither text nor list; ``UnsupportedContent`` for a part of an
            unknown kind, and below ``MOST_LEVELS``.
    """
    if type(value) is str:
        return visit(path, value)
    if type(value) is not list:
        raise RecordError("WrongType")
    own, below = path or "content", _below(level)
    return [_walk_part(part, f"{own}.{index}", visit, constants, below) for index, part in enumerate(value)]


def label(value: Any) -> Any:
    """An id or the name of a tool, which is written unchanged and so must not contain anything else."""
    if not (value is None or type(value) is str):
        raise RecordError("WrongType")
    return value


def walk_setting(value: Any, path: str, visit: Visit, constants: Constants, level: int) -> Any:
    """A switch of the format, or an object of such; a text that no format knows is searched."""
    if type(value) is dict:
        if not all(map(is_parameter, value)):
            raise RecordError("UnsupportedContent")
        below = _below(level)
        return {
            key: walk_setting(item, f"{path}.{key}", visit, constants, below) for key, item in value.items()
        }
    if type(value) is list:
        raise RecordError("WrongType")
    return value if type(value) is str and _SETTING.fullmatch(value) else walk_arguments(value, path, visit)


def walk_values(value: Any, path: str, visit: Visit, constants: Constants, level: int = 0) -> Any:
    """Any JSON: every text in it is searched."""

    def search(here: str, text: str) -> str:
        is_setting = text == EMBEDDED or text in _OF_VALUES or _SETTING.fullmatch(text)
        return text if is_setting else visit(here, text)

    return walk_arguments(_without_encrypted(value, level), path, search, constants, level)


def walk_audio(value: Any, path: str, visit: Visit, constants: Constants) -> Record:
    """What a model said aloud: an id to refer to it, or what it consists of.

    Raises:
        RecordError: ``WrongType`` if it is not an object.
    """
    if type(value) is not dict:
        raise RecordError("WrongType")
    return _object(value, {"id": _label, "transcript": _text, "data": _encrypted}, path, visit, constants, 0)


def _text(value: Any, path: str, visit: Visit, constants: Constants, level: int) -> str:
    return visit(path, value)


def _label(value: Any, path: str, visit: Visit, constants: Constants, level: int) -> Any:
    return label(value)


def _reference(value: Any, path: str, visit: Visit, constants: Constants, level: int) -> Any:
    """The location of media; a placeholder if they are part of the record."""
    if type(value) is str:
        return EMBEDDED if value.lstrip()[:5].lower() == "data:" else value
    if type(value) is not dict:
        raise RecordError("WrongType")
    return _object(value, _SOURCE, path, visit, constants, level)


def _document(value: Any, path: str, visit: Visit, constants: Constants, level: int) -> Any:
    """The source of a document: its text, parts of content, or a reference."""
    if type(value) is dict and value.get("type") in ("text", "content"):
        return _object(value, {"data": _text, "content": walk_content}, path, visit, constants, level)
    return _reference(value, path, visit, constants, level)


def _encrypted(value: Any, path: str, visit: Visit, constants: Constants, level: int) -> str:
    return EMBEDDED


def _without_encrypted(value: Any, level: int) -> Any:
    if type(value) is list:
        below = _below(level)
        return [_without_encrypted(item, below) for item in value]
    if type(value) is not dict:
        return value
    below = _below(level)
    hidden = {key for key in value if key.startswith("encrypted_")}
    if value.get("type") == "base64":
        hidden.add("data")
    return {
        key: EMBEDDED if key in hidden and item is not None else _without_encrypted(item, below)
        for key, item in value.items()
    }


def _object(
    value: Record, walks: Mapping[str, _Walk], path: str, visit: Visit, constants: Constants, level: int
) -> Record:
    """An object with some fields of its own; the others are switches."""
    if not all(map(is_parameter, value)):
        raise RecordError("UnsupportedContent")
    below = _below(level)
    return {
        key: None
        if item is None
        else walks.get(key, walk_setting)(item, f"{path}.{key}", visit, constants, below)
        for key, item in value.items()
    }


def _below(level: int) -> int:
    """The next level.

    Raises:
        RecordError: ``UnsupportedContent`` if there may be none.
    """
    if level == MOST_LEVELS:
        raise RecordError("UnsupportedContent")
    return level + 1


_SOURCE: dict[str, _Walk] = {
    "data": _encrypted,
    "file_data": _encrypted,
    "file_id": _label,
    "filename": _text,
    "url": _reference,
}
"""Fields of a reference that is an object."""

TEXT_FIELDS = {
    "text": "text",
    "input_text": "text",
    "output_text": "text",
    "refusal": "refusal",
    "thinking": "thinking",
}
"""Kinds of parts with a text, and the field of the text."""

_SETTINGS = frozenset({"type", "is_error", "cache_control", "detail"})
_MEDIA: dict[str, _Walk] = {
    "audio_url": _reference,
    "file": _reference,
    "document_url": _reference,
    "file_url": _reference,
    "image": _reference,
    "image_url": _reference,
    "input_audio": _reference,
    "source": _reference,
    "video_url": _reference,
    "file_data": _encrypted,
    "file_id": _label,
    "filename": _text,
}
_OF_TOOLS = ("name", "server_name")
_LABELS: dict[str, _Walk] = dict.fromkeys(("id", "tool_use_id", *_OF_TOOLS), _label)
_CITED: dict[str, _Walk] = {"title": _text, "context": _text, "citations": walk_setting}

_MEDIA_KINDS = (
    "image_url",
    "image",
    "input_image",
    "input_audio",
    "audio_url",
    "video_url",
    "document_url",
    "file",
    "input_file",
)
_CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")
_RESULTS = ("tool_result", "mcp_tool_result")
_SERVED = (
    "bash_code_execution_tool_result",
    "code_execution_tool_result",
    "text_editor_code_execution_tool_result",
    "tool_search_tool_result",
    "web_fetch_tool_result",
    "web_search_tool_result",
)
"""Results of tools that the maker of a model runs; each has fields of its own."""

_PARTS: dict[str, dict[str, _Walk]] = {
    **{kind: {field: _text, "citations": walk_values} for kind, field in TEXT_FIELDS.items()},
    **dict.fromkeys(_MEDIA_KINDS, _MEDIA),
    "thinking": {"thinking": walk_content},  # a text, or parts as Mistral spells them
    "document": {**_MEDIA, **_CITED, "source": _document},
    "search_result": {**_CITED, "source": _text, "content": walk_content},
    "redacted_thinking": {"data": _encrypted},
    **{kind: {**_LABELS, "input": walk_arguments} for kind in _CALLS},
    **{kind: {**_LABELS, "content": walk_content} for kind in _RESULTS},
    **{kind: {**_LABELS, "content": walk_values} for kind in _SERVED},
}
"""The kinds of parts, and what is done with each of their fields beside the settings; others are dropped."""

PART_FIELDS = _SETTINGS.union(*_PARTS.values())
"""Fields of parts that are written."""


def _walk_part(part: Any, path: str, visit: Visit, constants: Constants, level: int) -> Record:
    kind: Any = part.get("type") if type(part) is dict else None
    # Lists and objects cannot be keys.
    if type(kind) is not str or kind not in _PARTS:
        raise RecordError("UnsupportedContent")
    text_field = TEXT_FIELDS.get(kind)
    written: Record = {}
    for key, value in part.items():
        walk = walk_setting if key in _SETTINGS else _PARTS[kind].get(key)
        if key == "type" or (walk is not None and value is None and key != text_field):
            written[key] = value
        elif walk is not None:
            own = path if key == text_field else f"{path}.{key}"
            written[key] = walk(value, own, visit, constants, level)
    if text_field is not None and text_field not in written:
        visit(path, part.get(text_field))  # what is missing is no text
    return written


def labels_of_content(content: Any) -> Iterator[tuple[bool, str]]:
    """Values that are written unchanged, each with whether it names a tool: ids, tools, referenced files."""
    for part in content if type(content) is list else ():
        for key, value in part.items():
            walk = _PARTS[part["type"]].get(key)
            if walk is _label and value is not None:
                yield key in _OF_TOOLS, value
            elif walk is walk_content:
                yield from labels_of_content(value)
            elif walk in (_reference, _document):
                yield from ((False, name) for name in file_names(value))
                if type(value) is dict:
                    yield from labels_of_content(value.get("content"))


def file_names(reference: Any) -> Iterator[str]:
    """What a reference says that is written unchanged: folders and names without suffixes, values of a query,
    who logs in, the id of a file.
    """
    if type(reference) is dict:
        for key, value in reference.items():
            if _SOURCE.get(key) in (_reference, _label):
                yield from file_names(value)
    elif type(reference) is str and reference != EMBEDDED:
        place = _place(reference)
        yield from (name.partition(".")[0] for name in unquote(place.path).split("/") if name)
        yield from (value for _, value in parse_qsl(place.query))
        yield from place.netloc.split("@")[:-1]


def _place(reference: str) -> SplitResult:
    try:
        return urlsplit(reference)
    except ValueError:
        # What cannot be a host is looked at like a folder.
        return urlsplit(re.sub(r"[/\s]+", "/", reference))


def content_field(field: pa.Field) -> pa.Field:
    """The output column of content for an input column."""
    if is_list_of_structs(field.type):
        return inside_list(field, _part_field, "text")
    # Results of served tools may be objects.
    is_object = pa.types.is_struct(field.type)
    return pa.field(field.name, arguments_type(field.type) if is_object else as_text(field).type)


def _part_field(field: pa.Field) -> pa.Field | None:
    if field.name == "content":
        return content_field(field)
    if field.name in ("input", "citations"):
        return pa.field(field.name, arguments_type(field.type))
    if field.name not in PART_FIELDS or (pa.types.is_struct(field.type) and not field.type.num_fields):
        return None
    return pa.field(field.name, field.type)
