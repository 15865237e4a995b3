"""JSON values, read so that nothing is lost: each number with its spelling, and no key twice.

A reader that makes ``1E5`` and ``0.10`` floats writes ``100000.0`` and ``0.1``, and of a repeated key it keeps
the last value only.
"""

import json
from typing import Any

import orjson

from tacenda.transforms.schema.errors import RecordError

_LEAST, _MOST = -(1 << 63), (1 << 64) - 1  # the integers that orjson reads and writes


class SpelledNumber(float):
    """A number that is written as it was spelled; see :func:`json_value`.

    >>> SpelledNumber("1.50"), SpelledNumber("1.50") == 1.5
    (1.50, True)
    """

    __slots__ = ("spelling",)

    spelling: str

    def __new__(cls, spelling: str) -> "SpelledNumber":
        number = super().__new__(cls, spelling)
        number.spelling = spelling
        return number

    def __repr__(self) -> str:
        return self.spelling

    def __reduce__(self) -> tuple[Any, ...]:
        return SpelledNumber, (self.spelling,)


NUMBERS = (int, float, SpelledNumber)  # the types of numbers in such values


def json_value(text: bytes) -> Any:
    """The value of a JSON text; a number that would be spelled otherwise is a ``SpelledNumber``.

    >>> json_value(b'{"a": [0.5, 0.50, 7, 18446744073709551616]}')
    {'a': [0.5, 0.50, 7, 18446744073709551616]}

    Raises:
        ValueError: it is no JSON by RFC 8259, has lone surrogates, or a number beyond the range of floats.
        RecordError: ``NestedTooDeep`` if it could not be written; ``RepeatedKey`` if an object has a key twice.
    """
    value = orjson.loads(text)
    try:
        written = orjson.dumps(value)
    except TypeError:
        # The reader allows more levels than the writer.
        raise RecordError("NestedTooDeep") from None
    if written == text:
        return value
    return json.loads(text, parse_float=_float, parse_int=_integer, object_pairs_hook=_object)


def plain_value(value: Any) -> Any:
    """What is written of types that JSON lacks: decimals and intervals as text, bytes as hexadecimal."""
    if type(value) is SpelledNumber:
        return orjson.Fragment(value.spelling)
    return value.hex() if isinstance(value, bytes) else str(value)


def _float(spelling: str) -> float:
    number = float(spelling)
    return number if orjson.dumps(number) == spelling.encode() else SpelledNumber(spelling)


def _integer(spelling: str) -> int | float:
    number = int(spelling)
    return number if _LEAST <= number <= _MOST and spelling != "-0" else SpelledNumber(spelling)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise RecordError("RepeatedKey")
    return record
