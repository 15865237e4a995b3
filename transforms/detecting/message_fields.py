"""Plain data checked against the protobuf message that it is to become.

Protobuf's own errors quote the values they choke on, which may be words of a dictionary. What is told here is
the place, what is wanted there, and numbers.
"""

from collections.abc import Mapping
from typing import Any

from tacenda.transforms.schema.errors import UserError

_WORDS = ("Dictionary", "WordList", "CloudStoragePath")
"""Messages in which whatever stands in a wrong place, a key too, may be one of the user's words."""

_WELL_KNOWN = "google.protobuf."
"""Messages that have a form of their own in JSON, such as times."""

_KINDS = {
    "CPPTYPE_INT32": "a whole number",
    "CPPTYPE_INT64": "a whole number",
    "CPPTYPE_UINT32": "a whole number",
    "CPPTYPE_UINT64": "a whole number",
    "CPPTYPE_FLOAT": "a number",
    "CPPTYPE_DOUBLE": "a number",
    "CPPTYPE_BOOL": "true or false",
    "CPPTYPE_STRING": "a text",
}


def check_fields(data: Any, descriptor: Any, place: str) -> None:
    """Check that data has the form of a message: names of fields, their kinds, values of enums.

    Args:
        data: plain data, as a config file holds it; names in snake_case or camelCase.
        descriptor: the message's descriptor.
        place: the data's own place in error messages.

    Raises:
        UserError: one line with the first place that is wrong.
    """
    if not isinstance(data, Mapping):
        raise UserError(f"{place}: must be a mapping, a DLP {descriptor.name}; mend it")
    fields = {name: field for field in descriptor.fields for name in (field.name, field.json_name)}
    chosen: dict[str, str] = {}
    for key, value in data.items():
        field = fields.get(key) if isinstance(key, str) else None
        if field is None:
            told = "an unknown field" if descriptor.name in _WORDS else f"unknown field '{key}'"
            known = ", ".join(field.name for field in descriptor.fields)
            raise UserError(f"{place}: {told} in a DLP {descriptor.name}; it has {known}")
        if value is None:
            continue
        if field.containing_oneof is not None:
            other = chosen.setdefault(field.containing_oneof.name, key)
            if other != key:
                raise UserError(f"{place}: has both '{other}' and '{key}'; keep one of them")
        here = f"{place}.{key}"
        if field.default_value != []:  # as it is of a repeated field, in every version of protobuf
            _check_value(value, field, here)
            continue
        if not isinstance(value, list):
            raise UserError(f"{here}: must be a list; put [ ] around it")
        for index, item in enumerate(value):
            _check_value(item, field, f"{here}[{index}]")


def _check_value(value: Any, field: Any, place: str) -> None:
    if field.message_type is not None:
        if not field.message_type.full_name.startswith(_WELL_KNOWN):
            check_fields(value, field.message_type, place)
    elif field.enum_type is not None:
        known = field.enum_type.values_by_name if isinstance(value, str) else field.enum_type.values_by_number
        if isinstance(value, bool) or not isinstance(value, (str, int)) or value not in known:
            told = f"{value} is no" if type(value) is int else "must be a"
            names = ", ".join(one.name for one in field.enum_type.values if one.number)
            raise UserError(f"{place}: {told} {field.enum_type.name}; use one of {names}")
    else:
        kind = _kind(field)
        if not _is(kind, value):
            raise UserError(f"{place}: must be {kind}; mend it")


def _kind(field: Any) -> str:
    names = {getattr(type(field), name): name for name in _KINDS}
    return _KINDS[names[field.cpp_type]]


def _is(kind: str, value: Any) -> bool:
    if kind == "a text":
        return isinstance(value, str)
    if kind == "true or false":
        return isinstance(value, bool)
    if isinstance(value, str):
        # The JSON form of protobuf spells large numbers as text.
        digits = value.removeprefix("-")
        return digits.isascii() and digits.isdigit()
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return kind == "a number" or value == value // 1
