"""The work folder, from which a run that was cut off resumes.

``.tacenda/<run>/units/<part>/<unit>`` is what a finished unit staged, its receipt first; when all units are
finished, each part's are put together, and ``.tacenda/<run>/parts/<part>.json`` takes their place. The folder
is named for the run's fingerprint and the state of its input, and is removed when the run ends.
"""

import json
from collections.abc import Iterator
from typing import NamedTuple

from tacenda.pipelines.settings import JobSettings
from tacenda.transforms.releasing.merging import receipt_from_json, receipt_to_json
from tacenda.transforms.schema.receipt import Receipt
from tacenda.transforms.schema.work_unit import part_of
from tacenda.transforms.storage.files import exists, list_folder, read_bytes, remove_folder
from tacenda.transforms.storage.publishing import publish
from tacenda.transforms.writing.staging import open_staged

WORK_FOLDER = ".tacenda"
CORPUS, HELD = "corpus", "held"
"""Folders of the anonymised conversations: of those that are not held, and of those that are."""

LEASE = "lease.json"
"""In the work folder, beside the folders of runs."""

_RUN = "run"


class FinishedPart(NamedTuple):
    """The receipt of a part whose files are written, and those of its units, in order."""

    receipt: Receipt
    units: list[Receipt]


def run_folder(job: JobSettings) -> str:
    """Where this run keeps what it has done."""
    return f"{job.output}/{WORK_FOLDER}/{work_name(job)}"


def work_name(job: JobSettings) -> str:
    """What this run's folder is called; other for another run, and for input that was written again."""
    return f"{job.identity.fingerprint[:16]}-{job.input_state[:8]}"


def staged_url(job: JobSettings, unit: str) -> str:
    """Where a unit stages what it wrote."""
    return f"{run_folder(job)}/units/{part_of(unit)}/{unit}"


def load_receipt(job: JobSettings, unit: str) -> Receipt | None:
    """The receipt of a unit that this run has finished; None if it has not, or if its files are gone."""
    url = staged_url(job, unit)
    if exists(url):
        with open_staged(url) as staged:
            return receipt_from_json(staged.receipt)
    part = load_part(job, part_of(unit))
    if part is None:
        return None
    return next((receipt for receipt in part.units if receipt.unit == unit), None)


def save_part(job: JobSettings, part: FinishedPart) -> None:
    """Say that a part is finished, when its files are there."""
    told = {"part": receipt_to_json(part.receipt), "units": [receipt_to_json(unit) for unit in part.units]}
    with publish(_part_url(job, part.receipt.unit)) as sink:
        # Keys keep their order: the manifest of a run that was resumed must be that of one that never stopped.
        sink.write(json.dumps(told).encode())


def load_part(job: JobSettings, part: str) -> FinishedPart | None:
    """A part that this run has finished; None if it has not, or if one of its files is gone."""
    url = _part_url(job, part)
    if not exists(url):
        return None
    told = json.loads(read_bytes(url))
    receipt = receipt_from_json(told["part"])
    if not all(_is_there(job, path) for path in receipt.files):
        return None
    return FinishedPart(receipt, [receipt_from_json(unit) for unit in told["units"]])


def _is_there(job: JobSettings, path: str) -> bool:
    """Whether a file of a part is there; of the corpus, it may have been put aside, or removed, as held."""
    folder, _, name = path.partition("/")
    return exists(f"{job.output}/{path}") or (
        folder == CORPUS and (exists(f"{job.output}/{HELD}/{name}") or exists(_discarded_url(job)))
    )


def say_discarded(job: JobSettings) -> None:
    """Say that a held corpus is about to be removed: an attempt that comes after must not miss it."""
    with publish(_discarded_url(job)) as sink:
        sink.write(b"")


def remove_staged(job: JobSettings, part: str) -> None:
    """Remove what the units of a part staged."""
    remove_folder(f"{run_folder(job)}/units/{part}")


def finished_units(job: JobSettings) -> Iterator[tuple[str, str]]:
    """Names of the units that are staged, and their URLs."""
    for part in list_folder(f"{run_folder(job)}/units"):
        for url in list_folder(part.rstrip("/")):
            name = url.rsplit("/", 1)[-1]
            if not name.startswith("."):
                yield name, url


def finished_parts(job: JobSettings) -> list[str]:
    """Names of the parts that are finished."""
    names = (url.rsplit("/", 1)[-1] for url in list_folder(f"{run_folder(job)}/parts"))
    return [name.removesuffix(".json") for name in names if not name.startswith(".")]


def announce(job: JobSettings) -> None:
    """Say in the output folder whose it is, before the first unit is finished."""
    with publish(f"{run_folder(job)}/{_RUN}") as sink:
        sink.write(job.identity.fingerprint.encode())


def withdraw(job: JobSettings) -> None:
    """Take back what was announced, where nothing was done since."""
    if all(url.endswith(f"/{_RUN}") for url in list_folder(run_folder(job))):
        remove_folder(run_folder(job))


def begun_runs(output: str) -> set[str]:
    """What the folders of unfinished runs into this output are called."""
    names = (url.rstrip("/").rsplit("/", 1)[-1] for url in list_folder(f"{output}/{WORK_FOLDER}"))
    return {name for name in names if not name.lstrip(".").startswith(LEASE)}


def clear_runs(output: str) -> None:
    """Remove what every run into this output left for its resumption."""
    for name in begun_runs(output):
        remove_folder(f"{output}/{WORK_FOLDER}/{name}")


def remove_work_folder(output: str) -> None:
    """Remove the work folder with all runs in it, and the lease."""
    remove_folder(f"{output}/{WORK_FOLDER}")


def _discarded_url(job: JobSettings) -> str:
    return f"{run_folder(job)}/discarded"


def _part_url(job: JobSettings, part: str) -> str:
    return f"{run_folder(job)}/parts/{part}.json"
