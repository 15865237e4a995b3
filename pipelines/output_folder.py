"""The output folder at launch: empty, this very run's own, or refused."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pipelines.config.named_files import dictionary_urls
from pipelines.receipts import WORK_FOLDER, announce, work_name
from pipelines.settings import JobSettings
from transforms.schema.errors import UserError
from transforms.storage.files import (
    exists,
    is_file,
    list_folder,
    read_bytes,
    remove_file,
    remove_folder,
    try_writing,
    written,
)
from transforms.storage.opening import file_system
from transforms.storage.places import entry_of, place_of

_PARTS = ("corpus", "findings", "risk", "quarantine")
_MARKERS = ("_SUCCESS", "_HELD")
_FILES = ("statistics.json", "report.html", "manifest.json")
_UNFINISHED = re.compile(r"\.[^/]+\.[0-9a-f]{32}\.tmp")


def check_output(job: JobSettings, overwrite: bool, config: str | None = None) -> None:
    """See that the output folder is this run's to write; changes nothing.

    The same run again (same input, config and version, by fingerprint) goes on where it stopped or writes the
    same bytes again. Anything else of ours there is another run, and mixing the two would make a corpus that no
    manifest describes. ``config`` is the URL of the run's config, if it has one.

    Raises:
        UserError: it is a file, cannot be looked into, holds a file that the run reads among its parts, or
            something of somebody else under a name that we write or remove; or holds another run and
            ``overwrite`` is not given.
    """
    output = job.output
    with _told_to_the_user(output):
        if is_file(output):
            raise UserError(f"--output {output}: is a file; choose a folder")
        if inside := _read_and_removed(job, config):
            raise UserError(
                f"--output {output}: {inside}, which this run reads, is of another run's output there; "
                "choose another folder"
            )
        if foreign := _foreign(output):
            raise UserError(
                f"--output {output}: {foreign}, and no run of ours wrote it; choose another folder"
            )
        if not overwrite and (other := _other_run(job)):
            raise UserError(
                f"--output {output}: holds another run ({other}); choose an empty folder or add --overwrite"
            )


def refuse_nested(inputs: Sequence[str], output: str) -> None:
    """See that no input folder holds the output: started again, the run would read what it wrote.

    Raises:
        UserError: one does.
    """
    place = place_of(output)
    for url in inputs:
        system, path = file_system(url)
        if place.lies_in(place_of(url)) and system.isdir(path):
            raise UserError(
                f"--output {output}: lies in the input folder {url}, which would be read again; "
                "choose a folder outside of it"
            )


def prepare_output(job: JobSettings, overwrite: bool, config: str | None = None) -> None:
    """Make the output folder ready for this run.

    Raises:
        UserError: it is refused by :func:`check_output`, or cannot be written.
    """
    check_output(job, overwrite, config)
    output = job.output
    with _told_to_the_user(output):
        for marker in _MARKERS:
            remove_file(f"{output}/{marker}")
        # Over its own beginning, as the same command started again is, a run goes on.
        if overwrite and not _is_begun(job):
            for name in (*_PARTS, WORK_FOLDER):
                remove_folder(f"{output}/{name}")
            for name in _FILES:
                remove_file(f"{output}/{name}")
        announce(job)


def check_writable(output: str) -> None:
    """See that the output folder can be written, where that can be found out without leaving anything.

    Raises:
        UserError: it cannot.
    """
    with _told_to_the_user(output):
        try_writing(output)


def remove_stale(job: JobSettings, files: Collection[str]) -> None:
    """Remove parts that the manifest there names and this run, the same one started again, did not write.

    Input that was replaced by other of the same size may fall into fewer hash partitions. ``files`` are paths
    below the output. Nothing but what the manifest names is touched.
    """
    manifest = _manifest(job.output)
    if manifest is None or manifest.get("fingerprint") != job.identity.fingerprint:
        return
    for path in (path for unit in manifest.get("units", ()) for path in unit["files"] if path not in files):
        folder, _, name = path.partition("/")
        if folder in _PARTS and "/" not in name:
            remove_file(f"{job.output}/{path}")


def remove_unfinished(output: str) -> None:
    """Remove hidden files that attempts left when they were stopped or killed while they wrote."""
    for folder in (output, *(f"{output}/{name}" for name in _PARTS)):
        for url in list_folder(folder):
            if _UNFINISHED.fullmatch(url.rsplit("/", 1)[-1]):
                remove_file(url)


@contextmanager
def _told_to_the_user(output: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UserError(
            f"--output {output}: cannot be used ({type(error).__name__}); check the path and its permissions"
        ) from None


def _read_and_removed(job: JobSettings, config: str | None) -> str | None:
    """A file or model that this run reads and would overwrite or remove, or that an earlier run wrote there."""
    ours = [place_of(f"{job.output}/{name}") for name in (*_PARTS, WORK_FOLDER, *_FILES)]
    for url in _read(job, config):
        if any(place.lies_in(own) for place in (place_of(url), entry_of(url)) for own in ours):
            return url
    return None


def _read(job: JobSettings, config: str | None) -> Iterable[str]:
    """URLs of all that a run reads."""
    yield from (file.url for file in job.input_files)
    yield from job.spans
    yield from dictionary_urls(job.inspect)
    yield from (model.path for model in job.models if model.path is not None)
    if config is not None:
        yield config


def _foreign(output: str) -> str | None:
    """What stands in the folder under a name of ours and is of no run, finished or not; None if nothing."""
    if exists(f"{output}/manifest.json"):
        return None if _fingerprint(output) else "manifest.json is there"
    if list_folder(f"{output}/{WORK_FOLDER}"):
        return None
    for name in (*_MARKERS, *_FILES):
        if exists(f"{output}/{name}"):
            return f"{name} is there"
    return next((f"{name}/ is not empty" for name in _PARTS if list_folder(f"{output}/{name}")), None)


def _fingerprint(output: str) -> str | None:
    """The fingerprint in the manifest there; None if it is not one of ours."""
    manifest = _manifest(output)
    return None if manifest is None else manifest.get("fingerprint")


def _manifest(output: str) -> dict[str, Any] | None:
    """The manifest there; None if there is none, or what is there is none."""
    if not exists(f"{output}/manifest.json"):
        return None
    try:
        manifest = json.loads(read_bytes(f"{output}/manifest.json"))
    except ValueError:
        return None
    return manifest if isinstance(manifest, dict) else None


def _other_run(job: JobSettings) -> str | None:
    """Which other run the folder holds; None if it holds none."""
    output = job.output
    if exists(f"{output}/manifest.json"):
        if _fingerprint(output) != job.identity.fingerprint:
            return "manifest.json is of other input, config or version"
        finished = written(f"{output}/manifest.json")
        times = [file.written for file in job.input_files if file.written is not None]
        if finished is not None and max(times, default=finished) > finished:
            return "of the same input before it was written again"
    if _is_begun(job):
        return None
    folders = _begun(output)
    if any(name.startswith(job.identity.fingerprint[:16]) for name in folders):
        return "an unfinished run of the same input before it was written again"
    return "an unfinished run of other input, config or version" if folders else None


def _is_begun(job: JobSettings) -> bool:
    """Whether this very run began here and did not come to its end.

    It announced itself only when whatever other run was there had been removed.
    """
    return work_name(job) in _begun(job.output)


def _begun(output: str) -> set[str]:
    """What the receipts of unfinished runs stand under."""
    return {url.rstrip("/").rsplit("/", 1)[-1] for url in list_folder(f"{output}/{WORK_FOLDER}")}
