"""Split conversations into training and development by a hash, so that every run splits alike.

What is split are groups: a conversation with all that have its words or its name, or all conversations of one
subject, so that nobody is on both sides.
"""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from tacenda.transforms.schema.errors import UserError

Records = list[dict[str, Any]]

_WHOLE = float(1 << 64)


def split(
    records: Sequence[dict[str, Any]], share: float, field: str | None = None
) -> tuple[Records, Records]:
    """Training and development part; the latter has about ``share`` of the groups, and at least one.

    Raises:
        UserError: there are fewer than two groups, or a record lacks the field.
    """
    groups = _same(records) if field is None else [group_of(record, field) for record in records]
    ranks = {group: _rank("dev", group) for group in groups}
    if len(ranks) < 2:
        what = "conversations" if field is None else f"values of '{field}'"
        raise UserError(f"gold has {len(ranks)} {what}; a training and a development part need two, or --dev")
    held_out = {group for group, rank in ranks.items() if rank < share}
    by_rank = sorted(ranks, key=lambda group: (ranks[group], group))
    held_out |= {by_rank[0]}
    held_out -= {by_rank[-1]}
    train = [r for r, group in zip(records, groups, strict=True) if group not in held_out]
    dev = [r for r, group in zip(records, groups, strict=True) if group in held_out]
    return train, dev


def portion(records: Sequence[dict[str, Any]], share: float, field: str | None = None) -> Records:
    """About ``share`` of the groups; a smaller share is part of a larger one."""
    groups = [group_of(record, field) for record in records]
    by_rank = sorted(set(groups), key=lambda group: (_rank("portion", group), group))
    kept = set(by_rank[: max(1, round(share * len(by_rank)))])
    return [r for r, group in zip(records, groups, strict=True) if group in kept]


def words_of(record: dict[str, Any]) -> str:
    """A hash of what is said in a conversation; copies under other names, of other sources, have the same."""
    return hashlib.sha256(json.dumps([turn["text"] for turn in record["turns"]]).encode()).hexdigest()


def group_of(record: dict[str, Any], field: str | None) -> str:
    """What must not be on both sides: the record's id, or the value of its field or of its metadata's.

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
    """A name for each record, the same for those that share their words or their id, directly or by others.

    It is the least hash of words among them, so no order of the records and no file's name is in it.
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


def _rank(salt: str, group: str) -> float:
    digest = hashlib.sha256(f"{salt}\n{group}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") / _WHOLE
