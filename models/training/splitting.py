"""Split conversations into training and development part by a hash, so that every run has the same split.

Groups are kept together: conversations with the same text or id, or all conversations with the same value of
a field, such as a person, so that nobody is in both parts.
"""

import hashlib
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from tacenda.transforms.schema.errors import UserError

Records = list[dict[str, Any]]


class Sides(NamedTuple):
    """Both parts, and the number of training conversations dropped because development has the same text."""

    train: Records
    dev: Records
    left_out: int = 0


def split(records: Sequence[dict[str, Any]], share: float, field: str | None = None) -> Sides:
    """Training and development part; the latter has about ``share`` of the groups, at least one.

    Raises:
        UserError: there are fewer than two groups, or a record lacks the field.
    """
    groups = _same(records) if field is None else [group_of(record, field) for record in records]
    ranks = {group: _rank(group) for group in groups}
    if len(ranks) < 2:
        what = "conversations" if field is None else f"values of '{field}'"
        raise UserError(f"gold has {len(ranks)} {what}; two are needed to split it, or give --dev")
    first, *others, last = sorted(ranks, key=lambda group: (ranks[group], group))
    del last
    held_out = {first, *(group for group in others if ranks[group] < share)}
    sides = Sides([], [])
    for record, group in zip(records, groups, strict=True):
        (sides.dev if group in held_out else sides.train).append(record)
    return sides


def words_of(record: dict[str, Any]) -> str:
    """A hash of a conversation's text; the same for copies with other ids or sources."""
    return hashlib.sha256(json.dumps([turn["text"] for turn in record["turns"]]).encode()).hexdigest()


def group_of(record: dict[str, Any], field: str | None) -> str:
    """The group of a record: its id, or the value of a field of the record or its metadata.

    Raises:
        UserError: it has no such field.
    """
    if field is None:
        return f"{record['source']}\n{record['id']}"
    metadata = record.get("metadata")
    value = record.get(field, metadata.get(field) if isinstance(metadata, dict) else None)
    if not isinstance(value, (str, int)) or value == "":
        raise UserError(f"--split-by {field}: a gold conversation has no such field; name one that all have")
    return str(value)


def _same(records: Sequence[dict[str, Any]]) -> list[str]:
    """A key for each record, the same for records that share text or id, directly or through others.

    It is the least text hash among them, so it does not depend on the order of records or the names of files.
    """
    above: dict[str, str] = {}

    def top(key: str) -> str:
        while above.setdefault(key, key) != key:
            above[key] = above[above[key]]
            key = above[key]
        return key

    words = [words_of(record) for record in records]
    names = [group_of(record, None) for record in records]
    for said, name in zip(words, names, strict=True):
        above[top(name)] = top(said)
    least: dict[str, str] = {}
    for said in words:
        group = top(said)
        least[group] = min(said, least.get(group, said))
    return [least[top(said)] for said in words]


def _rank(group: str) -> float:
    digest = hashlib.sha256(f"dev\n{group}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") / float(1 << 64)
