"""The content of a chat message: a text, or a list of parts, as OpenAI and Anthropic spell them.

Texts are searched at any depth. Ids and names of tools, which link calls to results, and references to images
are written unchanged. Media within the record, and what is encrypted, cannot be searched and are replaced by a
placeholder.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

import orjson
import pyarrow as pa

from tacenda.transforms.shapes.arrow_fields import is_list, text_type
from tacenda.transforms.shapes.declared import refuse
from tacenda.transforms.shapes.json_text import Visit, is_parameter, parses, walk_json
from tacenda.transforms.shapes.paths import Kind
from tacenda.transforms.storage.json_values import NUMBERS, json_value, plain_value

Record = dict[str, Any]


class To(NamedTuple):
    """How the texts in a value are rewritten.

    ``say`` returns what is written for a text; ``note`` is called with what is written unchanged and checked
    for personal data: a label, the name of a tool. ``number`` does the same as ``say`` for a number in
    arguments of a call, which stays one; None if that makes no difference.
    """

    say: Visit
    note: Callable[[Kind, str], None]
    number: Visit | None = None


EMBEDDED = "[EMBEDDED_MEDIA]"  # for images, audio, encrypted text: what cannot be searched

_SETTING = re.compile(  # values of switches; any other text in their place is searched
    "auto|base64|content|ephemeral|file|high|low|medium|original|text|url|[0-9]{1,3}[smh]"
    "|aac|flac|m4a|mp3|ogg|opus|pcm16|wav|webm|(?:application|audio|image|text|video)/[a-z0-9.+-]{1,80}"
)

_OF_VALUES = re.compile(  # block types inside tool results and citations
    "bash_code_execution_result|code_execution_result|document|text|url|web_fetch_result|web_search_result"
    "|web_search_tool_result_error|(?:char|content_block|page|search_result|web_search_result)_location"
)

TEXT_FIELDS = {  # kinds of parts with a text, and the field of the text
    **dict.fromkeys(("text", "input_text", "output_text"), "text"),
    **{name: name for name in ("refusal", "thinking")},
}

_FILE = {"file_data": Kind.HIDDEN, "file_id": Kind.LABEL, "filename": Kind.TEXT}
_SOURCE = {"data": Kind.HIDDEN, "url": Kind.REFERENCE, **_FILE}  # fields of a reference that is an object

_SETTINGS = dict.fromkeys(("type", "is_error", "cache_control", "detail"), Kind.SETTING)
_MEDIA = {
    **dict.fromkeys(("audio_url", "document_url", "file_url", "image_url", "video_url"), Kind.REFERENCE),
    **dict.fromkeys(("file", "image", "input_audio", "source"), Kind.REFERENCE),
    **_FILE,
}
_LABELS = {"id": Kind.LABEL, "tool_use_id": Kind.LABEL, "name": Kind.TOOL, "server_name": Kind.TOOL}
_CITED = {"title": Kind.TEXT, "context": Kind.TEXT, "citations": Kind.SETTING}
_MEDIA_KINDS = ("image", "input_image", "input_audio", "file", "input_file")
_SERVED = (  # tools that the maker of a model runs, with results of their own
    *("bash_code_execution", "code_execution", "text_editor_code_execution"),
    *("tool_search", "web_fetch", "web_search"),
)

_PARTS: Mapping[str, Mapping[str, Kind]] = {
    **{kind: {field: Kind.TEXT, "citations": Kind.VALUES} for kind, field in TEXT_FIELDS.items()},
    **dict.fromkeys((*_MEDIA_KINDS, "image_url", "audio_url", "video_url", "document_url"), _MEDIA),
    "thinking": {"thinking": Kind.CONTENT},  # a text, or parts as Mistral spells them
    "document": {**_MEDIA, **_CITED, "source": Kind.DOCUMENT},
    "search_result": {**_CITED, "source": Kind.TEXT, "content": Kind.CONTENT},
    "redacted_thinking": {"data": Kind.HIDDEN},
    **{f"{whose}tool_use": {**_LABELS, "input": Kind.ARGUMENTS} for whose in ("", "server_", "mcp_")},
    **{f"{whose}tool_result": {**_LABELS, "content": Kind.CONTENT} for whose in ("", "mcp_")},
    **{f"{whose}_tool_result": {**_LABELS, "content": Kind.VALUES} for whose in _SERVED},
}
"""The kinds of parts, and what is done with each of their fields beside the settings; others are dropped."""

PART_FIELDS = frozenset(_SETTINGS).union(*_PARTS.values())  # fields of parts that are written


def walk_arguments(value: Any, path: str, visit: Visit, number: Visit | None = None) -> Any:
    """Rebuild arguments of a call with every text and long number replaced by what ``visit`` returns.

    Arguments that come as a string of JSON go back as one, spelled as they were but for what changed. A string
    that is no JSON is one cell. A number stays one unless ``visit`` makes a text of it.
    """
    if type(value) is str:
        return walk_json(value, path, visit, number=number) if parses(value) else visit(path, value)
    spelled = orjson.dumps(value, plain_value).decode()
    return json_value(walk_json(spelled, path, visit, number=number).encode())


def walk_content(value: Any, path: str, to: To) -> Any:
    """Content with every text replaced: a text, or a list of parts."""
    if type(value) is str:
        return to.say(path, value)
    refuse(type(value) is not list, "WrongType")
    own = path or "content"
    return [_part(part, f"{own}.{index}", to) for index, part in enumerate(value)]


def _part(part: Any, path: str, to: To) -> Record:
    kind: Any = part.get("type") if type(part) is dict else None
    # Lists and objects cannot be keys.
    refuse(type(kind) is not str or kind not in _PARTS, "UnsupportedContent")
    text_field = TEXT_FIELDS.get(kind)
    new: Record = {}
    for key, value in part.items():
        what = _PARTS[kind].get(key) or _SETTINGS.get(key)
        if key == "type" or (what is not None and value is None and key != text_field):
            new[key] = value
        elif what is not None:
            new[key] = WRITTEN[what](value, path if key == text_field else f"{path}.{key}", to)
    if text_field is not None and text_field not in new:
        to.say(path, part.get(text_field))  # what is missing is no text
    return new


def _label(kind: Kind, value: Any, path: str, to: To) -> Any:
    """An id or the name of a tool: as it is written unchanged, it must not hold anything else."""
    refuse(not (value is None or type(value) is str), "WrongType")
    if value:
        to.note(kind, value)
    return value


def is_number(value: Any) -> bool:
    """Whether a value is a number, yes or no, or missing."""
    return value is None or type(value) in (*NUMBERS, bool)


def _number(value: Any, path: str, to: To) -> Any:
    refuse(not is_number(value), "WrongType")
    return value


def _setting(value: Any, path: str, to: To) -> Any:
    """A switch of the format, or an object of such; a text that no format knows is searched."""
    if type(value) is dict:
        return _object(value, {}, path, to)
    refuse(type(value) is list, "WrongType")
    is_known = type(value) is str and _SETTING.fullmatch(value)
    return value if is_known else walk_arguments(value, path, to.say)


def _values(value: Any, path: str, to: To) -> Any:
    """Any JSON: every text in it is searched."""

    def search(here: str, text: str) -> str:
        is_setting = text == EMBEDDED or _OF_VALUES.fullmatch(text) or _SETTING.fullmatch(text)
        return text if is_setting else to.say(here, text)

    return walk_arguments(_without_encrypted(value), path, search)


def _audio(value: Any, path: str, to: To) -> Any:
    """What a model said aloud: an id to refer to it, or what it consists of."""
    fields = {"id": Kind.LABEL, "transcript": Kind.TEXT, "data": Kind.HIDDEN}
    return None if value is None else _object(value, fields, path, to)


def _reference(value: Any, path: str, to: To) -> Any:
    """The location of media; a placeholder if they are part of the record."""
    if type(value) is not str:
        return _object(value, _SOURCE, path, to)
    if value.lstrip()[:5].lower() == "data:":
        return EMBEDDED
    for name in file_names(value):
        to.note(Kind.LABEL, name)
    return value


def _document(value: Any, path: str, to: To) -> Any:
    """The source of a document: its text, parts of content, or a reference."""
    if type(value) is dict and value.get("type") in ("text", "content"):
        return _object(value, {"data": Kind.TEXT, "content": Kind.CONTENT}, path, to)
    return _reference(value, path, to)


def _without_encrypted(value: Any) -> Any:
    if type(value) not in (list, dict):
        return value
    if type(value) is list:
        return [_without_encrypted(item) for item in value]
    data = "data" if value.get("type") == "base64" else None

    def is_hidden(key: str, item: Any) -> bool:
        return item is not None and (key == data or key.startswith("encrypted_"))

    return {k: EMBEDDED if is_hidden(k, v) else _without_encrypted(v) for k, v in value.items()}


def _object(value: Any, fields: Mapping[str, Kind], path: str, to: To) -> Record:
    """An object with some fields of its own; the others are switches."""
    refuse(type(value) is not dict, "WrongType")
    refuse(not all(map(is_parameter, value)), "UnsupportedContent")
    return {
        key: None if item is None else WRITTEN[fields.get(key, Kind.SETTING)](item, f"{path}.{key}", to)
        for key, item in value.items()
    }


WRITTEN: dict[Kind, Callable[[Any, str, To], Any]] = {
    Kind.TEXT: lambda value, path, to: to.say(path, value),
    Kind.CONTENT: walk_content,
    Kind.ARGUMENTS: lambda value, path, to: walk_arguments(value, path, to.say, to.number),
    Kind.VALUES: _values,
    Kind.AUDIO: _audio,
    Kind.SETTING: _setting,
    Kind.HIDDEN: lambda value, path, to: EMBEDDED,
    Kind.REFERENCE: _reference,
    Kind.DOCUMENT: _document,
    Kind.LABEL: partial(_label, Kind.LABEL),
    Kind.TOOL: partial(_label, Kind.TOOL),
    Kind.NUMBER: _number,
}


def file_names(reference: Any) -> Iterator[str]:
    """The parts of a URL or path that may name somebody: folders, file names, query values, user."""
    if type(reference) is str and reference != EMBEDDED:
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


def arguments_type(kind: pa.DataType) -> pa.DataType:
    """Return the type of a written column of arguments: with numbers as text.

    If a field name may be data, the column is JSON as text (``in_column``): all rows share the schema, so its
    names cannot be replaced.
    """
    spelled = _spelled_type(kind)
    return pa.string() if spelled is None else spelled


def _spelled_type(kind: pa.DataType) -> pa.DataType | None:
    """The type of arguments with numbers as text; None if a name of a field may be data."""
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return pa.string()
    if is_list(kind):
        inner = _spelled_type(kind.value_type)
        return None if inner is None else pa.list_(inner)
    if pa.types.is_struct(kind):
        types = {field.name: _spelled_type(field.type) for field in kind}
        named = all(is_parameter(name) and own is not None for name, own in types.items())
        return pa.struct(list(types.items())) if named else None
    return kind


def content_type(kind: pa.DataType) -> pa.DataType:
    """The type of a written column of content."""
    if is_list(kind) and pa.types.is_struct(kind.value_type):
        fields = [pa.field(f.name, own) for f in kind.value_type if (own := _part_type(f)) is not None]
        return pa.list_(pa.struct(fields or [pa.field("text", pa.string())]))
    # Results of served tools may be objects.
    return arguments_type(kind) if pa.types.is_struct(kind) else text_type(kind)


def _part_type(field: pa.Field) -> pa.DataType | None:
    if field.name == "content":
        return content_type(field.type)
    if field.name in ("input", "citations"):
        return arguments_type(field.type)
    if field.name not in PART_FIELDS or (pa.types.is_struct(field.type) and not field.type.num_fields):
        return None
    return field.type


COLUMNS: dict[Kind, Callable[[pa.DataType], pa.DataType]] = {
    **dict.fromkeys((Kind.TEXT, Kind.SPEAKER, Kind.ADDRESS), text_type),
    **dict.fromkeys((Kind.ARGUMENTS, Kind.VALUES, Kind.AUDIO), arguments_type),
    Kind.CONTENT: content_type,
}
"""The types of written columns, by those that are read; all others stay what they are."""
