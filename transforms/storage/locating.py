"""From the URLs a user typed to the files they mean."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from transforms.schema.errors import UserError
from transforms.storage.formats import SUFFIXES, format_of
from transforms.storage.opening import file_system, is_local


class FileInfo(NamedTuple):
    """One input file: an absolute path or full URL, and its stored size in bytes."""

    url: str
    size: int


def locate(urls: Sequence[str]) -> list[FileInfo]:
    """Resolve files, folders and globs of any fsspec URL to files, sorted by URL, each once.

    A folder means every file below it with a suffix that can be read. In folders and globs, names that start
    with ``.`` or ``_`` are passed over, as Hadoop's own readers do: they are markers and unfinished files.

    Raises:
        UserError: nothing matches, a named file has an unknown suffix, or a driver is missing.
    """
    files: dict[str, int] = {}
    for url in urls:
        files.update(_resolve(url))
    return [FileInfo(url, size) for url, size in sorted(files.items())]


def _resolve(url: str) -> dict[str, int]:
    system, path = file_system(url)
    named = True
    try:
        if system.isfile(path):
            found = {path: system.info(path)}
        elif system.isdir(path):
            named = False
            found = _visible(path, system.find(path, detail=True))
        else:
            found = _visible("", system.glob(path, detail=True)) if _is_glob(path) else {}
    except PermissionError as error:
        raise UserError(f"{url}: may not be listed; check its permissions") from error
    files = {}
    for name, info in found.items():
        if info["type"] != "file":
            continue
        full = name if is_local(system) else str(system.unstrip_protocol(name))
        if format_of(full) is not None:
            files[full] = int(info["size"])
        elif named:
            raise UserError(f"{full}: unknown kind of file; rename it to end in one of {_suffixes()}")
    if not files:
        raise UserError(f"{url}: no input file matches; check the path (files end in {_suffixes()})")
    return files


def _is_glob(path: str) -> bool:
    return any(character in path for character in "*?[")


def _visible(folder: str, found: dict[str, Any]) -> dict[str, Any]:
    """Return the files without a hidden step below a folder, or, where there is none, without a hidden name."""
    visible = {}
    for path, info in found.items():
        below = path[len(folder.rstrip("/")) :].strip("/") if folder else path.rsplit("/", 1)[-1]
        if not any(step.startswith((".", "_")) for step in below.split("/")):
            visible[path] = info
    return visible


def _suffixes() -> str:
    return ", ".join(SUFFIXES)
