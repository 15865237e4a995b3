"""Values that the schema of a tool enumerates: words of its definition, not of anybody.

A call with another value than its schema allows teaches a model to make invalid calls. So a value of a call's
arguments, or of JSON in the conversation, that equals one of them is written as it is, like the definition
itself, which is checked for personal data before (``Shape.labels_of``).
"""

from collections.abc import Iterable, Iterator
from typing import Any

import orjson

from tacenda.transforms.shapes.json_keys import MOST_LEVELS, Visit
from tacenda.transforms.shapes.json_text import is_json
from tacenda.transforms.storage.json_values import NUMBERS

NONE: frozenset[str] = frozenset()


def enumerated(definitions: Iterable[Any]) -> frozenset[str]:
    """The values that JSON Schemas in definitions of tools enumerate, as they are spelled.

    >>> sorted(enumerated([{"properties": {"unit": {"enum": ["mile", 7]}, "v": {"const": "a"}}}]))
    ['7', 'a', 'mile']
    """
    return frozenset(value for one in definitions for value in _values(one, 0))


def sparing(visit: Visit, constants: frozenset[str]) -> Visit:
    """A visit that leaves some texts alone."""
    return (lambda path, text: text if text in constants else visit(path, text)) if constants else visit


def _values(value: Any, level: int) -> Iterator[str]:
    if level == MOST_LEVELS:
        return
    if type(value) is str and is_json(value):
        yield from _values(orjson.loads(value), level + 1)
    elif type(value) is list:
        for item in value:
            yield from _values(item, level + 1)
    elif type(value) is dict:
        for key, item in value.items():
            listed = item if key == "enum" and type(item) is list else [item] if key == "const" else ()
            yield from (
                one if type(one) is str else repr(one) for one in listed if type(one) in (str, *NUMBERS)
            )
            yield from _values(item, level + 1)
