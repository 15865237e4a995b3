"""Splitting the corpus: which conversations must stay together, from what the units staged.

This runs between the units and the parts, when no unit is processed again: links are found among
conversations that share a hash, a bucket of hashes at a time, and joined into groups. Only the groups come
together: 16 bytes for each conversation that shares something with another. They are stored in the work folder
before the first part is finished, since the staged units of finished parts are removed.
"""

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.work.error_sanitizing import sanitize_errors
from tacenda.pipelines.work.leasing import check_held
from tacenda.pipelines.work.receipts import run_folder, staged_url
from tacenda.transforms.storage.files import exists, read_bytes
from tacenda.transforms.storage.publishing import publish_bytes
from tacenda.transforms.writing.splitting import BANDS, NO_GROUPS, Keys, joined, links
from tacenda.transforms.writing.staging import read_split

_BUCKET_BYTES = 256 << 20  # size of what a task of the local executors has in memory
_ID_BYTES = 8
_SHARED_BYTES = 16  # of one hash and the key of its conversation


def to_be_grouped(job: JobSettings) -> bool:
    """Whether the run splits its corpus, and has no groups yet."""
    return job.split is not None and not exists(_url(job))


def buckets_for(hashes: Iterable[tuple[str, bytes]]) -> int:
    """Number of buckets for units with these hashes of ids (``releasing.duplicates``), so that each fits in
    memory.
    """
    conversations = sum(len(of_unit) for _, of_unit in hashes) // _ID_BYTES
    return max(1, -(-conversations * BANDS * _SHARED_BYTES // _BUCKET_BYTES))


def links_in_bucket(units: Sequence[str], job: JobSettings, bucket: int, buckets: int) -> Keys:
    """The links by the hashes of one bucket, in all units."""
    with sanitize_errors("the split"):
        every = (pair for unit in units for pair in _shared(unit, job, buckets))
        return links_of_bucket(shared for of, shared in every if of == bucket)


def shared_by_bucket(units: Iterable[str], job: JobSettings, buckets: int) -> Iterator[tuple[int, Any]]:
    """Hashes of some units with the keys of their conversations, as an array for each bucket."""
    with sanitize_errors("the split"):
        of_each: dict[int, list[Keys]] = {}
        for unit in sorted(set(units)):
            for bucket, shared in _shared(unit, job, buckets):
                of_each.setdefault(bucket, []).append(shared)
    for bucket, several in sorted(of_each.items()):
        yield bucket, np.concatenate(several)


def links_of_bucket(shared: Iterable[Keys]) -> Keys:
    """The links by the hashes of one bucket, from arrays of hashes and keys."""
    rows = np.concatenate([NO_GROUPS, *shared])
    return links(rows[:, 0], rows[:, 1])


def save_groups(several: Iterable[Keys], job: JobSettings) -> None:
    """Join links into groups and store them; those of an earlier attempt stay."""
    if exists(_url(job)):
        return
    check_held(job)
    file = io.BytesIO()
    np.save(file, joined(np.concatenate([NO_GROUPS, *several])), allow_pickle=False)
    publish_bytes(_url(job), file.getvalue())


def groups_of(job: JobSettings) -> Keys:
    """The stored groups; none where the corpus is not split."""
    if job.split is None:
        return NO_GROUPS
    groups: Keys = np.load(io.BytesIO(read_bytes(_url(job))), allow_pickle=False)
    return groups


def split_summary(job: JobSettings, conversations: dict[str, int]) -> dict[str, Any]:
    """The manifest's entry: what was asked for, and what came of it; empty without a split."""
    if job.split is None:
        return {}
    groups = groups_of(job)
    _, sizes = np.unique(groups[:, 1], return_counts=True)
    told = {
        "shares": dict(job.split.shares),
        "by": job.split.by,
        "conversations": {name: conversations.get(name, 0) for name in job.split.names},
        "groups": {"count": len(sizes), "texts": len(groups), "largest": int(max(sizes, default=0))},
    }
    return {"split": told}


def _shared(unit: str, job: JobSettings, buckets: int) -> Iterator[tuple[int, Keys]]:
    """Hashes and keys of one unit, a row each, by bucket."""
    table = read_split(staged_url(job, unit))
    shared = table["shared"].combine_chunks()
    values = shared.flatten().to_numpy()
    keys = np.repeat(table["key"].to_numpy(), np.diff(shared.offsets.to_numpy()))
    rows = np.stack([values, keys], axis=1)
    of = values % np.uint64(buckets)
    for bucket in np.unique(of).tolist():
        yield int(bucket), rows[of == bucket]


def _url(job: JobSettings) -> str:
    return f"{run_folder(job)}/split"
