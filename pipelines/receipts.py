"""Receipts on storage: how a run that was cut off goes on where it stopped, and where progress is read from.

They stand in a hidden folder of the output, under the run's fingerprint and the state of its input, and are
removed when the run ends.
"""

import json

from pipelines.settings import JobSettings
from transforms.releasing.merging import receipt_from_json, receipt_to_json
from transforms.schema.receipt import Receipt
from transforms.storage.files import exists, list_folder, read_bytes, remove_folder
from transforms.storage.publishing import publish

WORK_FOLDER = ".tacet"
_RUN = "run"


def receipts_folder(job: JobSettings) -> str:
    """Where this run's receipts are."""
    return f"{job.output}/{WORK_FOLDER}/{work_name(job)}"


def work_name(job: JobSettings) -> str:
    """What this run's receipts stand under; another for another run, and for input that was written again."""
    return f"{job.identity.fingerprint[:16]}-{job.input_state[:8]}"


def save_receipt(job: JobSettings, receipt: Receipt) -> None:
    """Write a receipt; the last thing that a unit does."""
    with publish(f"{receipts_folder(job)}/{receipt.unit}.json") as sink:
        # Keys keep their order: the manifest of a run that went on must be that of one that never stopped.
        sink.write(json.dumps(receipt_to_json(receipt)).encode())


def load_receipt(job: JobSettings, unit: str) -> Receipt | None:
    """The receipt of a unit that this run has finished already, if its files are still there."""
    url = f"{receipts_folder(job)}/{unit}.json"
    if not exists(url):
        return None
    receipt = receipt_from_json(json.loads(read_bytes(url)))
    return receipt if all(exists(f"{job.output}/{path}") for path in receipt.files) else None


def finished_receipts(job: JobSettings) -> dict[str, str]:
    """Names of the finished units and the URLs of their receipts."""
    return {
        url.rsplit("/", 1)[-1].removesuffix(".json"): url
        for url in list_folder(receipts_folder(job))
        if url.endswith(".json")
    }


def announce(job: JobSettings) -> None:
    """Say in the output folder whose it is, before the first unit is finished."""
    with publish(f"{receipts_folder(job)}/{_RUN}") as sink:
        sink.write(job.identity.fingerprint.encode())


def clear_receipts(output: str) -> None:
    """Remove the receipts of every run into this output."""
    remove_folder(f"{output}/{WORK_FOLDER}")
