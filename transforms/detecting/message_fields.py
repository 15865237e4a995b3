"""Check plain data against the protobuf message it will be parsed into, with messages in the user's terms.

Protobuf's own errors quote values, which may be dictionary words, and name internal message types. The errors
here give the location, what is expected, and numbers only.
"""

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

from tacenda.transforms.schema.errors import UserError

_WORDS = ("Dictionary", "WordList", "CloudStoragePath")
"""Messages in which any misplaced value, even a key, may be one of the user's words."""

_WELL_KNOWN = "google.protobuf."  # messages with a special form in JSON, such as times
_MENDED = {
    "a whole number": "write it with digits alone",
    "a number": "write it with digits and a point",
    "true or false": "write it without quotes",
    "a text": "put it in quotes",
}
"""What a field may have to be, and how it becomes that."""


def parsed(config: Mapping[str, Any], kind: str, place: str, kinds: str) -> Any:
    """A config as the message of Google's service that is called ``kind``.

    Raises ``UserError``, one line about the first error; ``kinds`` are what else in it may not be valid.
    """
    from google.cloud import dlp_v2
    from google.protobuf import json_format

    message = getattr(dlp_v2, kind).pb()()
    check_fields(config, message.DESCRIPTOR, place)
    try:
        return json_format.ParseDict(dict(config), message)
    except (json_format.ParseError, TypeError, AttributeError, ValueError):
        # The library's message may quote a word of a dictionary.
        raise UserError(f"{place}: a {kinds} in it is not valid; correct or remove it") from None


def check_fields(data: Any, descriptor: Any, place: str) -> None:
    """Check that data has the form of a message: field names, types, enum values.

    Args:
        data: plain data from a config file; names in snake_case or camelCase.
        descriptor: the message's descriptor.
        place: the location of the data, for error messages.

    Raises:
        UserError: one line about the first error.
    """
    if not isinstance(data, Mapping):
        first = descriptor.fields[0].name if descriptor.fields else None
        example = f", as {{{first}: …}}" if first else ", {}"
        raise UserError(f"{place}: must be a mapping of {_names(descriptor, '')}{example}")
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
        return f"{place}: has a key that is not a setting; known here: {_names(descriptor, '')}"
    spelled = [_spelling(field, str(key)) for field in descriptor.fields]
    near = difflib.get_close_matches(str(key), spelled, n=1)
    hint = f"did you mean {near[0]}?" if near else f"known here: {', '.join(spelled) or 'nothing'}"
    return f"{place}.{key}: is not a setting; {hint}"


def _names(descriptor: Any, like: str) -> str:
    return ", ".join(_spelling(field, like) for field in descriptor.fields) or "nothing"


def _spelling(field: Any, like: str) -> str:
    """A field's name, in camelCase if the user writes camelCase."""
    name: str = field.json_name if any(map(str.isupper, like)) else field.name
    return name


def _check_value(value: Any, field: Any, place: str) -> None:
    if field.message_type is not None:
        if not field.message_type.full_name.startswith(_WELL_KNOWN):
            check_fields(value, field.message_type, place)
    elif field.enum_type is not None:
        known = field.enum_type.values_by_name if isinstance(value, str) else field.enum_type.values_by_number
        if isinstance(value, bool) or not isinstance(value, (str, int)) or value not in known:
            names = [one.name for one in field.enum_type.values if one.number]
            told = f"is {value}, which it cannot be" if type(value) is int else "is not a valid value"
            raise UserError(f"{place}: {told}; {_nearest(value, names)}use one of {', '.join(names)}")
    else:
        kind = _kind(field)
        if not _is(kind, value):
            raise UserError(f"{place}: must be {kind}; {_MENDED[kind]}")


def _nearest(value: Any, names: Iterable[str]) -> str:
    """A suggestion of what was meant, without repeating the value itself."""
    word = value.strip().upper().replace(" ", "_") if isinstance(value, str) else ""
    if not word:
        return ""
    ends = [name for name in names if name.endswith(f"_{word}") or name == word]
    near = ends or difflib.get_close_matches(word, list(names), n=1)
    return f"did you mean {near[0]}? else " if len(near) == 1 else ""


def _kind(field: Any) -> str:
    kinds = {"FLOAT": "a number", "DOUBLE": "a number", "BOOL": "true or false", "STRING": "a text"}
    of_type = {getattr(type(field), f"CPPTYPE_{name}"): kind for name, kind in kinds.items()}
    return of_type.get(field.cpp_type, "a whole number")


def _is(kind: str, value: Any) -> bool:
    if kind == "a text" or kind == "true or false":
        return isinstance(value, str if kind == "a text" else bool)
    if isinstance(value, str):
        # Protobuf's JSON form writes large numbers as strings.
        digits = value.removeprefix("-")
        return digits.isascii() and digits.isdigit()
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return kind == "a number" or value == value // 1
