"""Expand the user's URLs to files."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from tacenda.transforms.schema.errors import UserError, refuse_undecodable
from tacenda.transforms.storage.formats import SUFFIXES, format_of
from tacenda.transforms.storage.opening import asking, file_system, is_local
from tacenda.transforms.storage.places import place_of
from tacenda.transforms.storage.tables import is_arrow
from tacenda.transforms.storage.times import time_of_writing

_STATES = (
    "ETag",
    "etag",
    "md5Hash",
    "generation",
    "checksum",
    "mtime",
    "LastModified",
    "last_modified",
    "created",
)
"""Keys of file systems, most reliable first: S3, Azure and HTTP, Google, HDFS, local disks, memory."""

_TAGS = ("ETag", "etag", "md5Hash", "checksum")
"""Those of them that the content alone determines, or a new upload of it."""


_BESIDE_ARROW = frozenset({"dataset_dict.json", "dataset_info.json", "state.json"})


class FileInfo(NamedTuple):
    """One input file: absolute path or full URL, and stored size in bytes.

    ``state`` changes with the content: an entity tag, checksum or modification time; empty if the storage has
    none. ``written`` is the modification time in seconds since 1970, if known. ``tag`` is the state where it
    does not depend on a time; empty if the storage has no such.
    """

    url: str
    size: int
    state: str = ""
    written: float | None = None
    tag: str = ""


def locate(urls: Sequence[str]) -> list[FileInfo]:
    """Resolve files, folders and globs of any fsspec URL to files, sorted by URL, each once.

    A folder stands for every file below it with a known suffix; tables and texts only if it has no others. In
    folders and globs, names that start with
    ``.`` or ``_`` are skipped, as in Hadoop: they are markers and unfinished files. If a local file is found
    under several names, as with links, the first by URL is taken.

    Raises:
        UserError: nothing matches, a named file has an unknown suffix or a name that is not UTF-8, or a
            driver is missing.
    """
    files: dict[str, FileInfo] = {}
    for url in urls:
        files.update(_resolve(url))
    once: dict[object, FileInfo] = {}
    for url, info in sorted(files.items()):
        local = is_local(file_system(url)[0])
        once.setdefault(place_of(url) if local else url, info)
    for info in once.values():
        refuse_undecodable(info.url)
    return list(once.values())


def changed(urls: Sequence[str], files: Sequence[FileInfo]) -> list[FileInfo]:
    """The files located by some URLs that were changed or removed since.

    They are located in the same way again, since the state of a file may differ between a listing and a
    single lookup. For storage without a state, only the size is compared.
    """
    now: dict[str, FileInfo] = {}
    for url in urls:
        with suppress(UserError):
            now.update(_resolve(url))
    found = (now.get(file.url) for file in files)
    return [
        file
        for file, again in zip(files, found, strict=True)
        if again is None or (again.size, again.state) != (file.size, file.state)
    ]


def _resolve(url: str) -> dict[str, FileInfo]:
    system, path = file_system(url)
    # This process may have cached an older listing.
    system.invalidate_cache()
    with asking(url):
        found, named = _found(url, system, path)
    files = {}
    for name, info in found.items():
        if info.get("islink"):
            info = _followed(system, name)
        if info["type"] != "file":
            continue
        full = name if is_local(system) else str(system.unstrip_protocol(name))
        if format_of(full) is not None:
            times = time_of_writing(info)
            files[full] = FileInfo(full, int(info["size"]), _first(_STATES, info), times, _first(_TAGS, info))
        elif named:
            raise UserError(f"{full}: unknown file type; rename it to end in one of {_suffixes()}")
    if not files:
        raise UserError(f"{url}: no input file matches; check the path (files end in {_suffixes()})")
    return files if named else _without_notes(files)


def _without_notes(files: dict[str, FileInfo]) -> dict[str, FileInfo]:
    """Of a folder with records, the tables and texts beside them are left out: they are about the records.

    So is what Hugging Face's ``save_to_disk`` writes beside its Arrow files.
    """
    arrow = {url: info for url, info in files.items() if is_arrow(url)}
    if arrow:
        named = {url: url.rpartition("/")[2] for url in files}
        return {
            url: info
            for url, info in files.items()
            if named[url] not in _BESIDE_ARROW and not (url in arrow and named[url].startswith("cache-"))
        }
    records = {url: info for url, info in files.items() if getattr(format_of(url), "kind", None) == "lines"}
    return records or files


def _found(url: str, system: Any, path: str) -> tuple[dict[str, Any], bool]:
    """The files of a URL, and whether it names them directly rather than through a folder."""
    try:
        if system.isfile(path):
            return {path: system.info(path)}, True
        if system.isdir(path):
            return _visible(path, system.find(path, detail=True)), False
        return _visible("", system.glob(path, detail=True)) if _is_glob(path) else {}, True
    except FileNotFoundError:
        return {}, True  # removed in the meantime
    except PermissionError:
        raise UserError(f"{url}: may not be listed; check its permissions") from None
    except ValueError:
        # An object store by protocol only, such as s3://, or an invalid path.
        raise UserError(
            f"{url}: names no place; write the whole path, with the bucket if it has one"
        ) from None


def _followed(system: Any, link: str) -> dict[str, Any]:
    """Return the target of a local link; folder listings describe only the link."""
    if not system.exists(link):
        raise UserError(f"{link}: is a broken link; correct or remove it")
    if system.isdir(link):
        raise UserError(
            f"{link}: is a link to a folder, which is not followed; name the folder itself as input"
        )
    info: dict[str, Any] = system.info(link)
    return info


def _first(names: Sequence[str], info: dict[str, Any]) -> str:
    return next((str(info[name]) for name in names if info.get(name)), "")


def _is_glob(path: str) -> bool:
    return any(character in path for character in "*?[")


def _visible(folder: str, found: dict[str, Any]) -> dict[str, Any]:
    """Return the files without a hidden component below a folder or, without a folder, in their name."""
    visible = {}
    for path, info in found.items():
        below = path[len(folder.rstrip("/")) :].strip("/") if folder else path.rsplit("/", 1)[-1]
        if not any(step.startswith((".", "_")) for step in below.split("/")):
            visible[path] = info
    return visible


def _suffixes() -> str:
    return ", ".join(SUFFIXES)
