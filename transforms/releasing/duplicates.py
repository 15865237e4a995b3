"""Conversation ids that occur in more than one work unit.

Findings, risk records and reviews name a conversation by its id, so two conversations under one id cannot be
told apart by anybody downstream. The first in the order of the plan is kept, the others go to quarantine.
A unit sees its own repetitions; those across units are found here, on 64-bit hashes of the ids (8 bytes a
conversation; among 10^8 ids the chance that any two different ones share a hash is 0.03 %).
"""

import hashlib
from collections.abc import Iterable, Iterator

import numpy as np


def id_hash(conversation_id: str) -> bytes:
    """Eight bytes that stand for an id."""
    return hashlib.blake2b(conversation_id.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def id_hashes(conversation_ids: Iterable[str]) -> bytes:
    """The hashes of some ids, one after the other."""
    return b"".join(map(id_hash, conversation_ids))


def by_bucket(hashes: bytes, buckets: int) -> Iterator[tuple[int, bytes]]:
    """Deal the hashes of one unit out, so that equal ones of all units meet in one bucket.

    What is merged over a whole corpus must stay small on a runner that keeps a group in one record; with a
    bucket for each unit, a bucket holds about as many hashes as a unit.
    """
    column = np.frombuffer(hashes, dtype="<u8")
    of = column % np.uint64(buckets)
    for bucket in np.unique(of).tolist():
        yield int(bucket), column[of == bucket].tobytes()


def repeated_in_later_units(hashes: Iterable[tuple[str, bytes]]) -> dict[str, frozenset[bytes]]:
    """For each unit that must be written again, the id hashes that an earlier unit already has.

    Args:
        hashes: (unit name, :func:`id_hashes` of its conversations), in any order; the order of unit names is
            the order of the plan.
    """
    ordered = sorted(hashes)
    columns = [np.frombuffer(column, dtype="<u8") for _, column in ordered]
    if not columns:
        return {}
    flat = np.concatenate(columns)
    owner = np.repeat(np.arange(len(columns)), [len(column) for column in columns])
    # The first occurrence of a value, by position and so by plan order, is the one that stays.
    _, first = np.unique(flat, return_index=True)
    repeated = np.ones(len(flat), dtype=bool)
    repeated[first] = False
    again: dict[str, set[bytes]] = {}
    for index in np.flatnonzero(repeated):
        again.setdefault(ordered[int(owner[index])][0], set()).add(flat[index].astype("<u8").tobytes())
    return {unit: frozenset(found) for unit, found in sorted(again.items())}
