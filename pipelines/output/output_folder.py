"""Check and prepare the output folder: it must be empty or, of a run, belong to the same run.

Also moves a held corpus out of the folder of released ones. A retry after an interruption may find some files
moved and others not.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.config.named_files import dictionary_hashes
from tacenda.pipelines.work.leasing import told_of
from tacenda.pipelines.work.receipts import (
    CORPUS,
    HELD,
    WORK_FOLDER,
    announce,
    begun_runs,
    clear_runs,
    work_name,
)
from tacenda.transforms.releasing.criterion import State
from tacenda.transforms.releasing.manifest import FILES, FILES_FILE, INPUTS_FILE, UNITS_FILE
from tacenda.transforms.releasing.run import MODIFIED
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.files import (
    absolute,
    exists,
    file_sizes,
    is_file,
    list_folder,
    move_file,
    place_of,
    read_bytes,
    remove_empty_folder,
    remove_file,
    remove_folder,
    try_writing,
    written,
)
from tacenda.transforms.storage.opening import file_system
from tacenda.transforms.storage.tables import read_columns
from tacenda.transforms.writing.splitting import SPLIT_NAME

REPORT, CARD, TOKENS = "report.html", "README.md", "added_tokens.json"
CARDS = (CARD, TOKENS)
"""What describes a corpus to those who train on it, if there is one that is not held. None lies in ``corpus/``:
pandas, Spark and Arrow read whatever a folder of Parquet holds.
"""
PARTS = (CORPUS, HELD, "hashes", "dropped", "review", "findings", "findings-jsonl", "risk", "quarantine")
MARKERS = {
    State.RELEASED: "_SUCCESS",
    State.UNREVIEWED: "_UNREVIEWED",
    State.HELD: "_HELD",
    State.INSPECTED: "_SUCCESS",
    State.SCORED: "_SCORED",
}
_MARKERS = tuple(dict.fromkeys(MARKERS.values()))
CHANGE = ".change"
READY = f"{CHANGE}/ready.json"
"""Where a change is prepared (``change.py``), and what says that it is certain."""
CUT_SHORT = "a change of it was cut short; give the command that began it again"

_MANIFEST = (UNITS_FILE, FILES_FILE, "manifest.json")
_FILES = ("statistics.json", REPORT, *_MANIFEST, INPUTS_FILE, *CARDS)
WRITTEN = frozenset((*_MARKERS, *_FILES))
"""Names of all files that lie in the output folder itself."""
PART = re.compile(rf"(?:(?:{CORPUS}|{HELD})/{SPLIT_NAME.pattern}|{'|'.join(PARTS)})/part-[0-9A-Za-z._-]+")
"""Paths of files that a run writes into folders, below the output."""
DRAW = re.compile(r"review/(?:draw-[0-9a-f]{16}-[0-9]{1,4}|redteam-[0-9a-f]{16})\.json")
"""Records of samples drawn for reviewers, which the manifest does not list."""

Files = dict[str, dict[str, Any]]
"""Part, SHA-256, rows and bytes of files, by path."""

_UNFINISHED = re.compile(r"\.[^/]+\.[0-9a-f]{32}\.tmp")


def empty_output(url: str) -> str:
    """The absolute URL of an output folder that is new or empty.

    Raises:
        UserError: it is a file, cannot be read, or has something in it.
    """
    output = absolute(url).rstrip("/")
    with told_of(f"--output {output}"):
        if is_file(output):
            raise UserError("is a file; choose a folder")
        if there := list_folder(output):
            raise UserError(f"is not empty ({name_of(there[0])} is there); choose another folder")
    return output


def check_output(job: JobSettings, overwrite: bool, config: str | None = None) -> None:
    """Check that this run may write to the output folder, without changing anything.

    The same run (same input, config and version, by fingerprint) resumes or writes the same bytes again.
    Mixing it with another run would give a corpus that no manifest describes. ``config`` is the URL of the
    run's config, if it has one.

    Raises:
        UserError: the output is a file, cannot be read, contains an input of the run, or contains foreign
            files under names that we write or remove; or it has another run and ``overwrite`` is not given.
    """
    read = [*(file.url for file in job.input_files), *job.spans, *dictionary_hashes(job.detecting.rules)]
    read += [path for path in (*(model.path for model in job.detecting.models), config) if path is not None]
    with told_of(f"--output {job.output}"):
        if is_file(job.output):
            raise UserError("is a file; choose a folder")
        ours = [place_of(f"{job.output}/{name}") for name in (*PARTS, WORK_FOLDER, *_FILES)]
        for url in read:
            places = place_of(url), place_of(url, target=False)
            if any(place.lies_in(own) for place in places for own in ours):
                raise UserError(
                    f"{url}, which this run reads, is part of another run's output there; choose another folder"
                )
        if foreign := _foreign(job.output):
            raise UserError(f"{foreign}, not written by a run of ours; choose another folder")
        if not overwrite and is_unsettled(job.output):
            raise UserError(f"{CUT_SHORT}, or add --overwrite")
        if not overwrite and (other := _other_run(job)):
            raise UserError(f"contains a different run ({other}); choose an empty folder or add --overwrite")


def refuse_inside(option: str, folder: str, inputs: Iterable[str]) -> None:
    """Refuse a folder to write to that lies in an input folder: a repeated run would read what is there."""
    for url in inputs:
        system, path = file_system(url)
        if place_of(folder).lies_in(place_of(url)) and system.isdir(path):
            raise UserError(
                f"{option} {folder}: lies in the input folder {url}, which would be read again; choose a "
                "folder outside of it"
            )


def refuse_exposed(option: str, folder: str, inputs: Sequence[str], output: str) -> None:
    """Refuse a restricted folder in the output, which others get, or in the input."""
    if place_of(folder).lies_in(place_of(output)):
        raise UserError(
            f"{option} {folder}: lies in the output folder, which others get; choose a folder outside of it"
        )
    refuse_inside(option, folder, inputs)


def prepare_output(job: JobSettings, overwrite: bool, config: str | None = None) -> None:
    """Prepare the output folder for this run.

    Raises:
        UserError: :func:`check_output` rejects it, or it cannot be written.
    """
    check_output(job, overwrite, config)
    with told_of(f"--output {job.output}"):
        # A change of the corpus that is replaced must not be carried out on the new one.
        remove_folder(f"{job.output}/{CHANGE}")
        for marker in _MARKERS:
            remove_file(f"{job.output}/{marker}")
        # With --overwrite, too, an interrupted run is resumed rather than restarted.
        is_begun = _is_begun(job)
        if overwrite and not is_begun:
            clear_runs(job.output)
            for name in PARTS:
                remove_folder(f"{job.output}/{name}")
            for name in _FILES:
                remove_file(f"{job.output}/{name}")
        elif not is_begun:
            # Input that was modified since may be divided into other parts.
            for path in filter(PART.fullmatch, files_named(job.output)):
                remove_file(f"{job.output}/{path}")
        announce(job)


def finished(job: JobSettings) -> State | None:
    """The state in which this run ended here; None if there is work to do.

    There is work if the input was modified since, or while it was read; if storage has no modification times;
    or if a file of the manifest is missing or has another size.
    """
    with told_of(f"--output {job.output}"):
        state = verdict_there(job)
        if state is None or _is_begun(job) or _written_again(job) is not False:
            return None
        manifest = read_json(job.output, "manifest.json") or {}
        named = {path: row["bytes"] for path, row in files_named(job.output).items()}
        sizes = {
            f"{folder}/{name_of(url)}".lstrip("/"): size
            for folder in ("", *PARTS, *{path.rpartition("/")[0] for path in named} - {*PARTS})
            for url, size in file_sizes(f"{job.output}/{folder}".rstrip("/")).items()
        }
        pages = () if manifest["command"] == "inspect" else ("statistics.json", "report.html")
        whole = sizes.keys() >= {*_MANIFEST, *pages} and named.items() <= sizes.items()
        return state if whole and not manifest["run"].get(MODIFIED) else None


def verdict_there(job: JobSettings) -> State | None:
    """The state in which this run ended, from the marker; None if it did not end."""
    if _fingerprint(job.output) != job.identity.fingerprint:
        return None
    state = state_there(job.output)
    return State.INSPECTED if job.command == "inspect" and state is State.RELEASED else state


def is_unsettled(output: str) -> bool:
    """Whether a change of the folder was cut short after it had become certain."""
    return exists(f"{output}/{READY}")


def state_there(output: str) -> State | None:
    """The state given by the marker in the output folder of a corpus; None if there is no marker or several."""
    there = [marker for marker in _MARKERS if exists(f"{output}/{marker}")]
    found = [state for state, marker in MARKERS.items() if there == [marker]]
    return found[0] if found else None


def check_writable(output: str) -> None:
    """Refuse an output folder that is not writable, as far as that can be told without writing to it."""
    with told_of(f"--output {output}"):
        try_writing(output)


def paths_in(output: str, folder: str) -> Iterator[str]:
    """Paths below the output of what is in one of its folders, and in the folders of splits there."""
    for url in list_folder(f"{output}/{folder}"):
        name = name_of(url)
        split = folder in (CORPUS, HELD) and SPLIT_NAME.fullmatch(name) is not None
        inner = [f"{folder}/{name}/{name_of(one)}" for one in (list_folder(url.rstrip("/")) if split else ())]
        yield from inner or [f"{folder}/{name}"]


def remove_unfinished(output: str) -> None:
    """Remove temporary files of attempts that were stopped or killed while writing."""
    urls = [*list_folder(output), *(f"{output}/{path}" for name in PARTS for path in paths_in(output, name))]
    for url in urls:
        if _UNFINISHED.fullmatch(name_of(url)):
            remove_file(url)


def _foreign(output: str) -> str | None:
    """A file under a name of ours that belongs to no run, finished or not; None if there is none."""
    if exists(f"{output}/manifest.json"):
        return None if _fingerprint(output) else "manifest.json is there"
    if list_folder(f"{output}/{WORK_FOLDER}"):
        return None
    files = (f"{name} is there" for name in (*_MARKERS, *_FILES) if exists(f"{output}/{name}"))
    folders = (f"{name}/ is not empty" for name in PARTS if list_folder(f"{output}/{name}"))
    return next(chain(files, folders), None)


def _fingerprint(output: str) -> str | None:
    """The fingerprint in the manifest; None without a manifest of ours."""
    return (read_json(output, "manifest.json") or {}).get("fingerprint")


def read_json(output: str, name: str) -> dict[str, Any] | None:
    """A JSON object of the output; None if it is missing or invalid."""
    if not exists(f"{output}/{name}"):
        return None
    try:
        content = json.loads(read_bytes(f"{output}/{name}"))
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None


def parts_of(output: str, folder: str) -> list[str]:
    """URLs of the parts in a folder of the output, in order."""
    return [url for url in list_folder(f"{output}/{folder}") if name_of(url).startswith("part-")]


def name_of(url: str) -> str:
    """The last part of a URL."""
    return url.rstrip("/").rpartition("/")[2]


def _other_run(job: JobSettings) -> str | None:
    """A description of the other run in the folder; None if there is none."""
    output = job.output
    if exists(f"{output}/manifest.json"):
        if _fingerprint(output) != job.identity.fingerprint:
            return "manifest.json names another input, config or version"
        if _written_again(job):
            return "of the same input before it was modified"
    if _is_begun(job):
        return None
    folders = begun_runs(output)
    if any(name.startswith(job.identity.fingerprint[:16]) for name in folders):
        return "an unfinished run of the same input before it was modified"
    return "an unfinished run of other input, config or version" if folders else None


def _written_again(job: JobSettings) -> bool | None:
    """Whether an input file was modified after the manifest; None if storage does not know for all of them."""
    ended = written(f"{job.output}/manifest.json")
    times = [file.written for file in job.input_files]
    known = [time for time in times if time is not None]
    if ended is None or max(known, default=ended) > ended:
        return None if ended is None else True
    return False if len(known) == len(times) else None


def files_named(output: str) -> Files:
    """The rows of the manifest's table of files, by path; none if it is missing."""
    url = f"{output}/{FILES_FILE}"
    return {row["path"]: row for row in read_columns(url, FILES.names).to_pylist()} if exists(url) else {}


def _is_begun(job: JobSettings) -> bool:
    """Whether this run began here and did not end.

    It announced itself only after any other run there had been removed.
    """
    return work_name(job) in begun_runs(job.output)


def put_aside(files: Files, output: str) -> Files:
    """Move the corpus files of a part to ``.held/``; returns the entries of all its files, by path."""
    left: Files = {}
    for path, file in files.items():
        folder, _, name = path.partition("/")
        place = f"{HELD}/{name}" if folder == CORPUS else path
        if place != path:
            move(f"{output}/{path}", f"{output}/{place}")
        left[place] = file
    return left


def corpus_hashes(files: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The hashes of the files of a corpus, held or not, by name within its folder."""
    split = ((path.partition("/"), file) for path, file in files.items())
    return {name: file["sha256"] for (folder, _, name), file in split if folder in (CORPUS, HELD)}


def move(source: str, target: str) -> None:
    """Move a file, unless it was moved before."""
    if exists(source):
        move_file(source, target)


def remove_empty(output: str, folders: Iterable[str]) -> None:
    """Remove those of the folders that are empty, and the folders of splits in them."""
    for folder in folders:
        for url in list_folder(f"{output}/{folder}"):
            remove_empty_folder(url.rstrip("/"))
        remove_empty_folder(f"{output}/{folder}")
