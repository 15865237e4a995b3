"""Draft a mapping for records of a kind that nobody mapped before."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.shapes.json_text import is_parameter
from tacenda.transforms.shapes.turn_order import is_time

_TEXTS = re.compile("text|body|content|message|said|utterance|transcript|value|msg|comment", re.IGNORECASE)
_SPEAKERS = re.compile(
    "speaker|author|sender|from|who|user|participant|role|name|label|actor|channel|agent|party", re.IGNORECASE
)
_ROLES = re.compile("role|type|side|kind|purpose|direction", re.IGNORECASE)
_TIMES = re.compile("time|date|created|start|sent|offset|index|^t(?:s|[0-9])?$|At$", re.IGNORECASE)
_IDS = re.compile(r"(?:.*_)?(?:id|uuid|sid|key|guid)|.*I[dD]")
_LEAST_WORDS = 2
_MOST_ROLES = 6


class Draft(NamedTuple):
    """A mapping as YAML, and the paths that have no place in it."""

    text: str
    unplaced: list[str]


def draft(records: Sequence[Any]) -> Draft:
    """A mapping for some records: the fields with most words are the turns, others go by their names.

    Raises:
        UserError: no field holds texts of several words.
    """
    values: dict[str, list[Any]] = {}
    for record in records:
        for path, value in _leaves(record, ""):
            values.setdefault(path, []).append(value)
    words = {path: _words(found) for path, found in values.items()}
    texts = [path for path, count in words.items() if count / len(values[path]) >= _LEAST_WORDS]
    if not texts:
        raise UserError(
            "--from: no field of the first records holds texts of several words; write a mapping by hand"
        )
    text = max(texts, key=lambda path: (bool(_TEXTS.search(_last(path))), len(values[path]), words[path]))
    parent = text.rpartition(".")[0]
    beside = [path for path in values if path != text and path.startswith(f"{parent}." if parent else "")]
    plain = (path for path in beside if all(type(v) in (str, int) for v in values[path] if v is not None))
    scalars = [path for path in plain if not _is_id(path)]
    roles = [p for p in scalars if _ROLES.search(_last(p)) and len(set(values[p])) <= _MOST_ROLES]
    speakers = sorted(
        (path for path in scalars if _SPEAKERS.search(path.removeprefix(parent)) and path not in roles),
        key=lambda path: (-len(values[path]), path.count("."), "name" not in path.lower()),
    )
    times = [p for p in beside if _TIMES.search(_last(p)) and all(map(is_time, values[p]))]
    ids = [
        path
        for path, found in values.items()
        if _is_id(path) and len(set(map(str, found))) == len(found) == len(records)
    ]
    found = {"speaker": speakers or roles, "role": roles if speakers else [], "time": times}
    turns = {"text": text, **{key: paths[0] for key, paths in found.items() if paths}}
    used = {*turns.values(), *ids[:1]}
    unplaced = sorted(path for path in values if path not in used and all(map(is_parameter, path.split("."))))
    lines = [
        "# What the fields of the data are; see docs/input.md. Check each line.",
        *(f"id: {path}" for path in ids[:1]),
        "turns:",
        *(f"  {key}: {path}" for key, path in turns.items()),
        "# Fields without a place are dropped. To write one, list it under `keep` (searched like text), or",
        "# under `opaque` with a reason (unchanged). Without a place:",
        *(f"#   {path}" for path in unplaced or ["none"]),
    ]
    return Draft("".join(f"{line}\n" for line in lines), unplaced)


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """The texts and numbers in a value, with their paths; lists add no step."""
    if type(value) is dict:
        for key, inner in value.items():
            if "." not in key and key:
                yield from _leaves(inner, f"{path}.{key}" if path else key)
    elif type(value) is list:
        for inner in value:
            yield from _leaves(inner, path)
    elif path:
        yield path, value


def _words(values: Sequence[Any]) -> int:
    return sum(len(value.split()) for value in values if type(value) is str)


def _last(path: str) -> str:
    return path.rpartition(".")[2]


def _is_id(path: str) -> bool:
    return _IDS.fullmatch(_last(path)) is not None
