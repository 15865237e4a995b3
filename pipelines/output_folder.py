"""The output folder at launch: empty, this very run's own, or refused."""

import json

from pipelines.receipts import WORK_FOLDER, announce
from pipelines.settings import JobSettings
from transforms.schema.errors import UserError
from transforms.storage.files import exists, list_folder, read_bytes, remove_file, remove_folder

_PARTS = ("corpus", "findings", "risk", "quarantine")
_MARKERS = ("_SUCCESS", "_HELD")
_FILES = ("statistics.json", "report.html", "manifest.json")


def prepare_output(job: JobSettings, overwrite: bool) -> None:
    """Make the output folder ready for this run.

    The same run again (same input, config and version, by fingerprint) goes on where it stopped or writes the
    same bytes again. Anything else of ours there is another run, and mixing the two would make a corpus that no
    manifest describes.

    Raises:
        UserError: the folder holds another run and ``overwrite`` is not given.
    """
    output = job.output
    if not overwrite and (other := _other_run(job)):
        raise UserError(
            f"--output {output}: holds another run ({other}); choose an empty folder or add --overwrite"
        )
    for marker in _MARKERS:
        remove_file(f"{output}/{marker}")
    if overwrite:
        for name in (*_PARTS, WORK_FOLDER):
            remove_folder(f"{output}/{name}")
        for name in _FILES:
            remove_file(f"{output}/{name}")
    announce(job)


def remove_unfinished(output: str) -> None:
    """Remove hidden files that attempts left when they were killed while they wrote."""
    for name in _PARTS:
        for url in list_folder(f"{output}/{name}"):
            if url.rsplit("/", 1)[-1].startswith(".") and url.endswith(".tmp"):
                remove_file(url)


def _other_run(job: JobSettings) -> str | None:
    """What in the folder belongs to another run; None if nothing does."""
    output = job.output
    if exists(f"{output}/manifest.json"):
        try:
            manifest = json.loads(read_bytes(f"{output}/manifest.json"))
        except ValueError:
            return "manifest.json is not ours"
        if manifest.get("fingerprint") == job.identity.fingerprint:
            return None
        return "manifest.json is of other input, config or version"
    own = job.identity.fingerprint[:16]
    folders = {url.rstrip("/").rsplit("/", 1)[-1] for url in list_folder(f"{output}/{WORK_FOLDER}")}
    if own in folders:
        return None
    if folders:
        return "an unfinished run of other input, config or version"
    for name in _PARTS:
        if list_folder(f"{output}/{name}"):
            return f"{name}/ is not empty"
    return None
