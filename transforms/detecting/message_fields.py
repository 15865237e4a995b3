"""Check plain data against the protobuf message it will be parsed into, with messages in the user's terms.

Protobuf's own errors quote values, which may be dictionary words, and name internal message types. The errors
here give the location and what is expected.
"""

import difflib
from collections.abc import Mapping
from typing import Any

from tacenda.transforms.schema.errors import UserError

_WORDS = ("Dictionary", "WordList", "CloudStoragePath")
"""Messages in which any misplaced value, even a key, may be one of the user's words."""

_WELL_KNOWN = "google.protobuf."  # messages with a special form in JSON, such as times
_KINDS = {"FLOAT": "a number", "DOUBLE": "a number", "BOOL": "true or false", "STRING": "a text in quotes"}
"""What fields may have to be, by their type in C++; others are whole numbers."""


def parsed(config: Mapping[str, Any], kind: str, place: str) -> Any:
    """A config as the message of Google's service that is called ``kind``.

    Args:
        config: plain data; names in snake_case or camelCase.
        kind: the message's name.
        place: the location of the data, for error messages.

    Raises:
        UserError: one line about the first field whose name, type or value is none of the message's.
    """
    from google.cloud import dlp_v2
    from google.protobuf import json_format

    message = getattr(dlp_v2, kind).pb()()
    _check(config, message.DESCRIPTOR, place)
    return json_format.ParseDict(dict(config), message)


def _check(data: Any, descriptor: Any, place: str) -> None:
    if not isinstance(data, Mapping):
        first = descriptor.fields[0].name if descriptor.fields else None
        example = f", as {{{first}: …}}" if first else ", {}"
        raise UserError(f"{place}: must be a mapping of {_names(descriptor)}{example}")
    fields = {name: field for field in descriptor.fields for name in (field.name, field.json_name)}
    chosen: dict[str, str] = {}
    for key, value in data.items():
        field = fields.get(key) if isinstance(key, str) else None
        if field is None:
            raise UserError(_unknown_key(key, descriptor, place))
        if value is None:
            continue
        if field.containing_oneof is not None:
            other = chosen.setdefault(field.containing_oneof.name, key)
            if other != key:
                raise UserError(f"{place}: has both '{other}' and '{key}'; keep one of them")
        here = f"{place}.{key}"
        if field.default_value != []:  # a repeated field has [] in every version of protobuf
            _check_value(value, field, here)
            continue
        if not isinstance(value, list):
            raise UserError(f"{here}: must be a list; put [ ] around it")
        for index, item in enumerate(value):
            _check_value(item, field, f"{here}[{index}]")


def _unknown_key(key: Any, descriptor: Any, place: str) -> str:
    """The message for an unknown key; keys of a dictionary may be user's words and are not shown."""
    if descriptor.name in _WORDS:
        return f"{place}: has a key that is not a setting; known here: {_names(descriptor)}"
    near = difflib.get_close_matches(str(key), [field.name for field in descriptor.fields], n=1)
    hint = f"did you mean {near[0]}?" if near else f"known here: {_names(descriptor)}"
    return f"{place}.{key}: is not a setting; {hint}"


def _names(descriptor: Any) -> str:
    return ", ".join(field.name for field in descriptor.fields) or "nothing"


def _check_value(value: Any, field: Any, place: str) -> None:
    from google.protobuf import json_format, message_factory

    if field.message_type is not None and not field.message_type.full_name.startswith(_WELL_KNOWN):
        _check(value, field.message_type, place)
        return
    if field.enum_type is not None:
        known = {**field.enum_type.values_by_name, **field.enum_type.values_by_number}
        if isinstance(value, bool) or not isinstance(value, (str, int)) or value not in known:
            names = (one.name for one in field.enum_type.values if one.number)
            raise UserError(f"{place}: is not a valid value; use one of {', '.join(names)}")
        return
    message = message_factory.GetMessageClass(field.containing_type)()
    try:
        json_format.ParseDict({field.name: [value] if field.default_value == [] else value}, message)
    except (json_format.ParseError, TypeError, AttributeError, ValueError):
        raise UserError(f"{place}: must be {_kind(field)}") from None


def _kind(field: Any) -> str:
    if field.message_type is not None:
        return f"a {field.message_type.name.lower()}"
    of_type = {getattr(type(field), f"CPPTYPE_{name}"): kind for name, kind in _KINDS.items()}
    return of_type.get(field.cpp_type, "a whole number")
