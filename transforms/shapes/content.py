"""The content of a chat message: a text, or a list of parts, as OpenAI and Anthropic spell them.

Texts are searched at any depth. Ids and names of tools, which link calls to results, and references to images
are written unchanged. Media within the record, and encrypted thoughts, cannot be searched and are replaced by a
placeholder.
"""

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote, urlsplit

import pyarrow as pa

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.arrow_fields import inside_list, is_list_of_structs, is_text
from tacenda.transforms.shapes.enumerations import NONE
from tacenda.transforms.shapes.json_keys import Visit
from tacenda.transforms.shapes.tool_arguments import arguments_type, walk_arguments

Record = dict[str, Any]

EMBEDDED = "[EMBEDDED_MEDIA]"
"""Replaces an image or audio that is part of the record."""

TEXT_FIELDS = {
    "text": "text",
    "input_text": "text",
    "output_text": "text",
    "refusal": "refusal",
    "thinking": "thinking",
}
"""Kinds of parts with a text, and the field of the text."""

_MEDIA = frozenset(
    {"image_url", "image", "input_image", "input_audio", "audio_url", "video_url", "document", "file"}
)
_CALL, _RESULT = "tool_use", "tool_result"
_ENCRYPTED = "redacted_thinking"
"""Thoughts that only their maker can read, so that nobody can search them."""

_IDENTIFIERS = frozenset({"id", "name", "tool_use_id"})
_SETTINGS = frozenset({"type", "is_error", "cache_control", "detail"})
_SOURCES = frozenset({"image_url", "image", "source", "input_audio", "audio_url", "video_url", "file"})
_OWN_DATA = frozenset({"data", "file_data"})
"""Fields of a source that contain the media itself."""


PART_FIELDS = frozenset(
    {*TEXT_FIELDS.values(), *_IDENTIFIERS, *_SETTINGS, *_SOURCES, "data", "input", "content"}
)
"""Fields of parts that are written."""


def walk_content(value: Any, path: str, visit: Visit, constants: frozenset[str] = NONE) -> Any:
    """Content with every text replaced by what ``visit`` returns, but for ``constants`` in the input of tools.

    Raises:
        RecordError: ``WrongType`` if it is neither text nor list; ``UnsupportedContent`` for a part of an
            unknown kind.
    """
    if type(value) is str:
        return visit(path, value)
    if type(value) is not list:
        raise RecordError("WrongType")
    own = f"{path or 'content'}"
    return [_walk_part(part, f"{own}.{index}", visit, constants) for index, part in enumerate(value)]


def _walk_part(part: Any, path: str, visit: Visit, constants: frozenset[str]) -> Record:
    if type(part) is not dict:
        raise RecordError("UnsupportedContent")
    kind: Any = part.get("type")
    # Lists and objects cannot be members of a set.
    if type(kind) is not str:
        raise RecordError("UnsupportedContent")
    text_field = TEXT_FIELDS.get(kind)
    if text_field is None and kind not in _MEDIA and kind not in (_CALL, _RESULT, _ENCRYPTED):
        raise RecordError("UnsupportedContent")
    written: Record = {}
    for key, value in part.items():
        if key == text_field:
            written[key] = visit(path, value)
        elif key in _SETTINGS:
            written[key] = _setting(value)
        elif value is None:
            continue
        elif kind in (_CALL, _RESULT) and key in _IDENTIFIERS:
            written[key] = label(value)
        elif kind == _CALL and key == "input":
            written[key] = walk_arguments(value, f"{path}.input", visit, constants)
        elif kind == _RESULT and key == "content":
            written[key] = walk_content(value, f"{path}.content", visit, constants)
        elif kind in _MEDIA and key in _SOURCES:
            written[key] = _reference(value)
        elif kind == _ENCRYPTED and key == "data":
            written[key] = EMBEDDED
    if text_field is not None and text_field not in written:
        visit(path, part.get(text_field))  # type: ignore[arg-type]  # what is missing is no text
    return written


def label(value: Any) -> Any:
    """An id or the name of a tool, which is written unchanged and so must not contain anything else."""
    if not (value is None or type(value) is str):
        raise RecordError("WrongType")
    return value


def _setting(value: Any) -> Any:
    """A switch of the format: a word, a number, or an object of such."""
    if type(value) is dict:
        return {key: _setting(item) for key, item in value.items()}
    if type(value) is list:
        raise RecordError("WrongType")
    return value


def _reference(value: Any) -> Any:
    """The location of media; a placeholder if they are part of the record."""
    if type(value) is str:
        return EMBEDDED if value.startswith("data:") else value
    if type(value) is not dict:
        raise RecordError("WrongType")
    return {
        key: EMBEDDED
        if key in _OWN_DATA and item is not None
        else _reference(item)
        if key == "url"
        else _setting(item)
        for key, item in value.items()
    }


def identifiers_of(content: Any) -> Iterator[str]:
    """Values that are written unchanged: ids, names of tools, and names of referenced files."""
    for part in content if type(content) is list else ():
        for key, value in part.items():
            if key in _IDENTIFIERS and type(value) is str:
                yield value
            elif key in _SOURCES:
                yield from file_names(value)
            elif key == "content":
                yield from identifiers_of(value)


def file_names(reference: Any) -> Iterator[str]:
    """The folders and names in a reference, without suffixes."""
    if type(reference) is dict:
        for value in reference.values():
            yield from file_names(value)
    elif type(reference) is str and "/" in reference:
        yield from (name.partition(".")[0] for name in unquote(urlsplit(reference).path).split("/") if name)


def content_field(field: pa.Field) -> pa.Field:
    """The output column of content for an input column."""
    if is_list_of_structs(field.type):
        return inside_list(field, _part_field, "text")
    return pa.field(field.name, field.type if is_text(field.type) else pa.string())


def _part_field(field: pa.Field) -> pa.Field | None:
    if field.name == "content":
        return content_field(field)
    if field.name == "input":
        return pa.field(field.name, arguments_type(field.type))
    if field.name not in PART_FIELDS or (pa.types.is_struct(field.type) and not field.type.num_fields):
        return None
    return pa.field(field.name, field.type)
