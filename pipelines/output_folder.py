"""The output folder at launch: empty, this very run's own, or refused."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tacenda.pipelines.config.named_files import dictionary_urls
from tacenda.pipelines.receipts import CORPUS, HELD, WORK_FOLDER, announce, begun_runs, clear_runs, work_name
from tacenda.pipelines.settings import JobSettings
from tacenda.transforms.releasing.manifest import FILES_FILE, UNITS_FILE
from tacenda.transforms.releasing.verdict import State
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.files import (
    exists,
    file_sizes,
    is_file,
    list_folder,
    read_bytes,
    remove_file,
    remove_folder,
    try_writing,
    written,
)
from tacenda.transforms.storage.opening import file_system
from tacenda.transforms.storage.parquet import read_columns
from tacenda.transforms.storage.places import place_of, unresolved_path

PARTS = (CORPUS, HELD, "hashes", "dropped", "review", "findings", "findings-jsonl", "risk", "quarantine")
MARKERS = {State.RELEASED: "_SUCCESS", State.UNREVIEWED: "_UNREVIEWED", State.HELD: "_HELD"}
_MARKERS = tuple(MARKERS.values())
WRITTEN_WHILE_READ = "input files that were written while the run read them"
"""The reason to hold a run that another run of the same input may not have."""

_MANIFEST = (UNITS_FILE, FILES_FILE, "manifest.json")
_FILES = ("statistics.json", "report.html", *_MANIFEST)
_FORMER_WORK_FOLDER = ".tacet"
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
        if list_folder(f"{output}/{_FORMER_WORK_FOLDER}"):
            raise UserError(
                f"--output {output}: holds an unfinished run of an earlier version ({_FORMER_WORK_FOLDER}); "
                "remove that folder or choose another"
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


def refuse_exposed(standoff: str, inputs: Sequence[str], output: str) -> None:
    """See that what was replaced where lies neither with the output, which others get, nor in the input.

    Raises:
        UserError: it does.
    """
    place = place_of(standoff)
    if place.lies_in(place_of(output)):
        raise UserError(
            f"--standoff {standoff}: lies in the output folder, which others get; choose a folder outside of it"
        )
    for url in inputs:
        if place.lies_in(place_of(url)):
            raise UserError(
                f"--standoff {standoff}: lies in the input folder {url}, which would be read again; "
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
            clear_runs(output)
            for name in PARTS:
                remove_folder(f"{output}/{name}")
            for name in _FILES:
                remove_file(f"{output}/{name}")
        announce(job)


def finished(job: JobSettings) -> State | None:
    """How this very run ended here; None if there is work to do.

    There is if its input was written since, or while it was read; if storage does not say when; or if a file
    that the manifest names is not there with its size.

    Raises:
        UserError: the output cannot be looked into.
    """
    with _told_to_the_user(job.output):
        state = verdict_there(job)
        if state is None or _is_begun(job) or _written_again(job) is not False:
            return None
        manifest = _manifest(job.output) or {}
        if any(reason.startswith(WRITTEN_WHILE_READ) for reason in manifest["verdict"]["held_by"]):
            return None
        return state if _is_whole(job.output, manifest) else None


def verdict_there(job: JobSettings) -> State | None:
    """How this run ended, by the marker there; None where it did not come to its end."""
    if _fingerprint(job.output) != job.identity.fingerprint:
        return None
    return state_there(job.output)


def state_there(output: str) -> State | None:
    """What the marker in an output folder says; None where there is none, or more than one."""
    found = [state for state, marker in MARKERS.items() if exists(f"{output}/{marker}")]
    return found[0] if len(found) == 1 else None


def check_writable(output: str) -> None:
    """See that the output folder can be written, where that can be found out without leaving anything.

    Raises:
        UserError: it cannot.
    """
    with _told_to_the_user(output):
        try_writing(output)


@contextmanager
def stale_files(job: JobSettings) -> Iterator[set[str]]:
    """Remove parts that the manifest there names and this run, the same one started again, did not write.

    Input that was replaced by other of the same size may fall into other parts. Gives the paths, below the
    output, that the manifest names; those that are left when the block ends are removed. Nothing else is
    touched.
    """
    named = _fingerprint(job.output) == job.identity.fingerprint
    stale = set(_files_named(job.output)) if named else set()
    yield stale
    for path in stale:
        folder, _, name = path.partition("/")
        if folder in PARTS and "/" not in name:
            remove_file(f"{job.output}/{path}")


def remove_unfinished(output: str) -> None:
    """Remove hidden files that attempts left when they were stopped or killed while they wrote."""
    for folder in (output, *(f"{output}/{name}" for name in PARTS)):
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
    ours = [place_of(f"{job.output}/{name}") for name in (*PARTS, WORK_FOLDER, *_FILES)]
    for url in _read(job, config):
        if any(place.lies_in(own) for place in (place_of(url), unresolved_path(url)) for own in ours):
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
    return next((f"{name}/ is not empty" for name in PARTS if list_folder(f"{output}/{name}")), None)


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
        if _written_again(job):
            return "of the same input before it was written again"
    if _is_begun(job):
        return None
    folders = begun_runs(output)
    if any(name.startswith(job.identity.fingerprint[:16]) for name in folders):
        return "an unfinished run of the same input before it was written again"
    return "an unfinished run of other input, config or version" if folders else None


def _written_again(job: JobSettings) -> bool | None:
    """Whether an input file was written after the manifest there; None where storage does not say of all."""
    ended = written(f"{job.output}/manifest.json")
    times = [file.written for file in job.input_files]
    known = [time for time in times if time is not None]
    if ended is None or max(known, default=ended) > ended:
        return None if ended is None else True
    return False if len(known) == len(times) else None


def _is_whole(output: str, manifest: dict[str, Any]) -> bool:
    """Whether all files that the manifest names are there with their sizes, and those of the run as a whole."""
    names = _MANIFEST if manifest["command"] == "inspect" else _FILES
    sizes = {name: size for folder in ("", *PARTS) for name, size in _sizes(output, folder).items()}
    return all(name in sizes for name in names) and all(
        sizes.get(path) == size for path, size in _files_named(output).items()
    )


def _files_named(output: str) -> dict[str, int]:
    """Bytes of the files that the manifest there names, by path; empty where there is none."""
    url = f"{output}/{FILES_FILE}"
    if not exists(url):
        return {}
    table = read_columns(url, ["path", "bytes"])
    return dict(zip(table["path"].to_pylist(), table["bytes"].to_pylist(), strict=True))


def _sizes(output: str, folder: str) -> dict[str, int]:
    """Bytes of the files directly in a folder of the output, by path below it."""
    return {
        f"{folder}/{url.rsplit('/', 1)[-1]}".lstrip("/"): size
        for url, size in file_sizes(f"{output}/{folder}".rstrip("/")).items()
    }


def _is_begun(job: JobSettings) -> bool:
    """Whether this very run began here and did not come to its end.

    It announced itself only when whatever other run was there had been removed.
    """
    return work_name(job) in begun_runs(job.output)
