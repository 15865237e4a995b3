"""The work folder, from which an interrupted run resumes.

``.tacenda/<run>/units/<part>/<unit>`` has the staged output of a finished unit, beginning with its receipt.
When all units are finished, those of each part are assembled and replaced by
``.tacenda/<run>/parts/<part>.json``. The folder is named after the run's fingerprint and the state of its
input, and is removed when the run ends.
"""

import json
from collections.abc import Container, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.transforms.releasing.duplicates import id_hashes
from tacenda.transforms.releasing.manifest import receipt_from_json, receipt_to_json
from tacenda.transforms.schema.receipt import Receipt
from tacenda.transforms.schema.work_unit import part_of
from tacenda.transforms.storage.files import exists, list_folder, read_bytes, remove_file, remove_folder
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.publishing import publish_bytes
from tacenda.transforms.storage.tables import read_columns
from tacenda.transforms.writing.staging import open_staged

WORK_FOLDER = ".tacenda"
CORPUS, HELD = "corpus", ".held"
"""Folders of the anonymised conversations: of runs that are not held, and of runs that are; no loader looks
into a hidden one by itself."""

LEASE = "lease.json"
"""File in the work folder, beside the folders of runs."""

_RUN = "run"


class FinishedPart(NamedTuple):
    """The receipt of a part whose files are written, and the receipts of its units, in order."""

    receipt: Receipt
    units: list[Receipt]


def work_name(job: JobSettings) -> str:
    """The name of this run's folder; differs between runs, and after the input was modified."""
    return f"{job.identity.fingerprint[:16]}-{job.input_state[:8]}"


def run_folder(job: JobSettings) -> str:
    """The folder for the progress of this run."""
    return f"{job.output}/{WORK_FOLDER}/{work_name(job)}"


def staged_url(job: JobSettings, unit: str) -> str:
    """The URL of a unit's staged output."""
    return f"{run_folder(job)}/units/{part_of(unit)}/{unit}"


def load_receipt(job: JobSettings, unit: str) -> Receipt | None:
    """The receipt of a finished unit; None if it is not finished or its files are missing."""
    url = staged_url(job, unit)
    if exists(url):
        with open_staged(url) as staged:
            return receipt_from_json(staged.receipt)
    part = load_part(job, part_of(unit))
    return next((receipt for receipt in part.units if receipt.unit == unit), None) if part else None


def save_part(job: JobSettings, part: FinishedPart) -> None:
    """Record that a part is finished, after its files have been written."""
    data = {"part": receipt_to_json(part.receipt), "units": [receipt_to_json(unit) for unit in part.units]}
    # Keys keep their order, so that a resumed run has the same manifest as an uninterrupted one.
    publish_bytes(_part_url(job, part.receipt.unit), json.dumps(data).encode())


def load_part(job: JobSettings, part: str) -> FinishedPart | None:
    """A finished part; None if it is not finished or one of its files is missing."""
    url = _part_url(job, part)
    if not exists(url):
        return None
    data = json.loads(read_bytes(url))
    receipt = receipt_from_json(data["part"])
    for path in receipt.files:
        folder, _, name = path.partition("/")
        places = [f"{job.output}/{path}"]
        if folder == CORPUS:  # that of a held run may have been moved aside
            places.append(f"{job.output}/{HELD}/{name}")
        if not any(map(exists, places)):
            return None
    return FinishedPart(receipt, [receipt_from_json(unit) for unit in data["units"]])


def _part_url(job: JobSettings, part: str) -> str:
    return f"{run_folder(job)}/parts/{part}.json"


def remove_staged(job: JobSettings, part: str) -> None:
    """Remove the staged output of a part's units."""
    remove_folder(f"{run_folder(job)}/units/{part}")


def finished_units(job: JobSettings) -> Iterator[tuple[str, str]]:
    """Names and URLs of the staged units."""
    return ((name, url) for name, url in _staged(job) if not name.startswith("."))


def remove_begun(job: JobSettings) -> None:
    """Remove the temporary files of units whose staging was stopped or killed."""
    for name, url in _staged(job):
        if name.startswith("."):
            remove_file(url)


def _staged(job: JobSettings) -> Iterator[tuple[str, str]]:
    for part in list_folder(f"{run_folder(job)}/units"):
        for url in list_folder(part.rstrip("/")):
            yield url.rsplit("/", 1)[-1], url


def announce(job: JobSettings) -> None:
    """Mark the output folder as belonging to this run, before the first unit is finished."""
    publish_bytes(f"{run_folder(job)}/{_RUN}", job.identity.fingerprint.encode())


def withdraw(job: JobSettings) -> None:
    """Undo :func:`announce` if nothing was written since."""
    if all(url.endswith(f"/{_RUN}") for url in list_folder(run_folder(job))):
        remove_folder(run_folder(job))


def begun_runs(output: str) -> set[str]:
    """Names of the folders of unfinished runs in this output (``work_name``)."""
    names = (url.rstrip("/").rsplit("/", 1)[-1] for url in list_folder(f"{output}/{WORK_FOLDER}"))
    return {name for name in names if name[16:17] == "-" and len(name) == 25}


def clear_runs(output: str) -> None:
    """Remove the progress of all runs in this output."""
    for name in begun_runs(output):
        remove_folder(f"{output}/{WORK_FOLDER}/{name}")


def remove_work_folder(output: str) -> None:
    """Remove the work folder with all runs in it, and the lease."""
    remove_folder(f"{output}/{WORK_FOLDER}")


class KnownIds(Container[bytes]):
    """Hashes of ids (``releasing.duplicates``), 8 bytes each."""

    def __init__(self, hashes: bytes) -> None:
        self._sorted: npt.NDArray[np.uint64] = np.sort(np.frombuffer(hashes, dtype="<u8"))

    def __contains__(self, key: object) -> bool:
        assert isinstance(key, bytes)
        value = np.frombuffer(key, dtype="<u8")[0]
        place = int(np.searchsorted(self._sorted, value))
        return place < len(self._sorted) and bool(self._sorted[place] == value)


def known_ids(job: JobSettings | None) -> Container[bytes]:
    """The ids of the corpus to which a run adds, as they are written; none if it begins one."""
    return frozenset() if job is None or job.corpus is None else _of(job.corpus, job.identity.fingerprint)


@built_once
def _of(output: str, run: str) -> KnownIds:
    del run  # another run into the same folder finds other ids there
    tables = (read_columns(url, ["conversation_id"]) for url in list_folder(f"{output}/hashes"))
    return KnownIds(b"".join(id_hashes(table["conversation_id"].to_pylist()) for table in tables))
