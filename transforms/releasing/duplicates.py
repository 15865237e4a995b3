"""Conversation ids that occur in more than one work unit.

Findings, risk records and reviews refer to conversations by id, so two conversations with one id could not be
told apart. The first in the order of the plan is kept, the others go to quarantine. A unit finds its own
duplicates; those across units are found here, on 64-bit hashes of the ids (8 bytes per conversation; among
10^8 ids, the chance of any collision is 0.03 %).
"""

import hashlib
from collections.abc import Iterable, Iterator

import numpy as np


def id_hash(conversation_id: str) -> bytes:
    """The hash of an id, 8 bytes."""
    return hashlib.blake2b(conversation_id.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def id_hashes(conversation_ids: Iterable[str]) -> bytes:
    """The concatenated hashes of some ids."""
    return b"".join(map(id_hash, conversation_ids))


def by_bucket(hashes: bytes, buckets: int) -> Iterator[tuple[int, bytes]]:
    """Distribute the hashes of one unit, so that equal ones of all units are in the same bucket.

    Values merged over a whole corpus must stay small on runners that keep a group in one record; with one
    bucket per unit, a bucket has about as many hashes as a unit.
    """
    column = np.frombuffer(hashes, dtype="<u8")
    of = column % np.uint64(buckets)
    for bucket in np.unique(of).tolist():
        yield int(bucket), column[of == bucket].tobytes()


def repeated_in_later_units(hashes: Iterable[tuple[str, bytes]]) -> dict[str, frozenset[bytes]]:
    """For each unit to be rewritten, the id hashes that an earlier unit already has.

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
    # The first occurrence of a value, by position and thus by plan order, is kept.
    _, first = np.unique(flat, return_index=True)
    repeated = np.ones(len(flat), dtype=bool)
    repeated[first] = False
    again: dict[str, set[bytes]] = {}
    for index in np.flatnonzero(repeated):
        again.setdefault(ordered[int(owner[index])][0], set()).add(flat[index].astype("<u8").tobytes())
    return {unit: frozenset(found) for unit, found in sorted(again.items())}
