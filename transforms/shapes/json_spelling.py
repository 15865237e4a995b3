"""Write changed JSON as it was spelled: white space, escapes and digits stay where no value changed."""

import json
import re
from collections.abc import Iterator
from typing import Any

_LEAF = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[^\s\[\]{}:,"]+')
"""A string, or a number or word, of valid JSON."""


def respelled(text: str, before: Any, after: Any) -> str:
    """Serialise ``after``, spelled as in ``text`` where values did not change.

    Args:
        text: valid JSON.
        before: its value.
        after: the same value with some strings and numbers replaced. If the structure differs, as when one of
            two equal keys is missing, everything is serialised from scratch.

    >>> respelled('{"a":[1.50, "x"]}', {"a": [1.5, "x"]}, {"a": [1.5, "y"]})
    '{"a":[1.50, "y"]}'
    """
    leaves, old, new = list(_LEAF.finditer(text)), list(_leaves(before)), list(_leaves(after))
    if not len(leaves) == len(old) == len(new):
        return json.dumps(after, ensure_ascii=False)
    pieces: list[str] = []
    position = 0
    for leaf, one, other in zip(leaves, old, new, strict=True):
        if one != other:
            pieces += (text[position : leaf.start()], json.dumps(other, ensure_ascii=False))
            position = leaf.end()
    return "".join([*pieces, text[position:]])


def _leaves(value: Any) -> Iterator[Any]:
    """Keys and values in the order in which they are written."""
    if type(value) is list:
        for item in value:
            yield from _leaves(item)
    elif type(value) is dict:
        for key, item in value.items():
            yield key
            yield from _leaves(item)
    else:
        yield value
