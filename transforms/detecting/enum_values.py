"""The values of enums in a protobuf message: proto3 keeps numbers that no name stands for."""

from collections.abc import Iterator, MutableSequence
from typing import Any

from transforms.schema.errors import UserError


def refuse_unknown_values(message: Any, place: str) -> None:
    """Check the enums of a message and of all messages in it.

    Args:
        message: a protobuf message.
        place: its own place in error messages.

    Raises:
        UserError: a number that the enum of its field does not have.
    """
    for field, value, here in _fields(message, place):
        if field.message_type is not None:
            refuse_unknown_values(value, here)
        elif field.enum_type is not None and value not in field.enum_type.values_by_number:
            names = ", ".join(v.name for v in field.enum_type.values if v.number)
            raise UserError(f"{here}: {value} is no {field.enum_type.name}; use one of {names}")


def _fields(message: Any, place: str) -> Iterator[tuple[Any, Any, str]]:
    """Descriptor, value and place of what is set, repeated fields one by one."""
    for field, value in message.ListFields():
        here = f"{place}.{field.name}"
        if isinstance(value, MutableSequence):
            yield from ((field, one, f"{here}[{i}]") for i, one in enumerate(value))
        else:
            yield field, value, here
