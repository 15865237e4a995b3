"""Expand the user's URLs to files."""

import hashlib
import re
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from tacenda.transforms.schema.errors import UserError, refuse_undecodable
from tacenda.transforms.schema.work_unit import Compression, Encoding, LayoutKind
from tacenda.transforms.storage.files import place_of, time_of_writing
from tacenda.transforms.storage.opening import StorageError, asking, file_system, is_local, open_read
from tacenda.transforms.storage.tables import is_arrow

_TAGS = ("ETag", "etag", "md5Hash", "checksum")  # what the content, or a new upload of it, determines

_STATES = (*_TAGS, "generation", "mtime", "LastModified", "last_modified", "created")
"""All keys, most reliable first: S3, Azure and HTTP, Google, HDFS, local disks, memory."""

_CHAT = "_chat.txt"  # what WhatsApp calls a chat; other names with an underscore are markers

_NOTE = re.compile(r"\.(txt|csv|tsv)(\.gz|\.zst)?$", re.IGNORECASE)
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

    A folder stands for every file below it with a known suffix; for tables and plain texts if it has no others.
    In folders and globs, names that start with ``.`` or ``_`` are skipped, as in Hadoop: they are markers and
    unfinished files. If a local file is found under several names, as with links, the first by URL is taken.

    Raises:
        UserError: nothing matches, a named file has an unknown suffix or a name that is not UTF-8, or a
            driver is missing.
    """
    return located(urls)[0]


def located(urls: Sequence[str]) -> tuple[list[FileInfo], list[str]]:
    """:func:`locate`, and the URLs of what lies in the folders and is not read."""
    files: dict[str, FileInfo] = {}
    beside: set[str] = set()
    for found, others in map(_resolve, urls):
        files |= found
        beside |= others
    once: dict[object, FileInfo] = {}
    for url, info in sorted(files.items()):
        once.setdefault(place_of(url) if is_local(file_system(url)[0]) else url, info)
        refuse_undecodable(url)
    return list(once.values()), sorted(beside - files.keys())


def changed(urls: Sequence[str], files: Sequence[FileInfo]) -> list[FileInfo]:
    """The files located by some URLs that were changed or removed since.

    They are located in the same way again, since the state of a file may differ between a listing and a
    single lookup. For storage without a state, only the size is compared.

    Raises:
        StorageError: the storage does not say.
    """
    states: dict[str, tuple[int, str]] = {}
    for url in urls:
        try:
            read, _ = _resolve(url)
        except StorageError:
            raise
        except UserError:  # nothing is there any more
            continue
        states |= {url: (info.size, info.state) for url, info in read.items()}
    return [file for file in files if states.get(file.url) != (file.size, file.state)]


def _resolve(url: str) -> tuple[dict[str, FileInfo], set[str]]:
    """The files of a URL that are read, and the URLs of all others."""
    system, path = file_system(url)
    # This process may have cached an older listing.
    system.invalidate_cache()
    with asking(url):
        found, named = _found(url, system, path)
    files = {}
    others: set[str] = set()
    for name, info in found.items():
        if info.get("islink"):  # listings describe only the link
            if not system.exists(name):
                raise UserError(f"{name}: is a broken link; correct or remove it")
            if system.isdir(name):
                raise UserError(
                    f"{name}: is a link to a folder, which is not followed; name the folder itself as input"
                )
            info = system.info(name)
        if info["type"] != "file":
            continue
        full = name if is_local(system) else str(system.unstrip_protocol(name))
        if format_of(full) is not None:
            state, tag = (next(map(str, filter(None, map(info.get, keys))), "") for keys in (_STATES, _TAGS))
            files[full] = FileInfo(full, int(info["size"]), state, time_of_writing(info), tag)
        elif not named:
            others.add(full)
        else:
            raise UserError(f"{full}: unknown file type; rename it to end in one of {suffixes()}")
    if not files:
        raise UserError(f"{url}: no input file matches; check the path (files end in {suffixes()})")
    read = files if named else {name: files[name] for name in _without_notes(files)}
    return read, others | (files.keys() - read.keys())


def _without_notes(urls: Collection[str]) -> Collection[str]:
    """Without what lies beside records and is about them: tables, texts, notes of Hugging Face."""
    if not any(map(is_arrow, urls)):
        return [url for url in urls if not _NOTE.search(url)] or urls
    names = {url: url.rpartition("/")[2] for url in urls}
    cached = {url for url, name in names.items() if is_arrow(url) and name.startswith("cache-")}
    return [url for url, name in names.items() if url not in cached and name not in _BESIDE_ARROW]


def _found(url: str, system: Any, path: str) -> tuple[dict[str, Any], bool]:
    """The files of a URL, and whether it names them directly rather than through a folder."""
    try:
        if system.isfile(path):
            return {path: system.info(path)}, True
        if system.isdir(path):
            return _visible(path, system.find(path, detail=True)), False
        is_glob = any(character in path for character in "*?[")
        return _visible("", system.glob(path, detail=True)) if is_glob else {}, True
    except FileNotFoundError:
        return {}, True  # removed in the meantime
    except PermissionError:
        raise UserError(f"{url}: may not be listed; check its permissions") from None
    except ValueError:
        # An object store by protocol only, such as s3://, or an invalid path.
        raise UserError(
            f"{url}: names no place; write the whole path, with the bucket if it has one"
        ) from None


def _visible(folder: str, found: dict[str, Any]) -> dict[str, Any]:
    """The files without a hidden component below a folder or, without a folder, in their name."""

    def is_hidden(path: str) -> bool:
        below = path[len(folder.rstrip("/")) :].strip("/") if folder else path.rsplit("/", 1)[-1]
        return any(step.startswith((".", "_")) and step != _CHAT for step in below.split("/"))

    return {path: info for path, info in found.items() if not is_hidden(path)}


def suffixes() -> str:
    """The suffixes of files that are read, for messages."""
    return f"{', '.join(name for name in SUFFIXES if name.count('.') == 1)}; most also with .gz or .zst"


class Format(NamedTuple):
    """Encoding and compression of a file; ``kind`` tells text files apart whose records are no JSON."""

    encoding: Encoding
    compression: Compression
    kind: LayoutKind = "lines"


_COMPRESSIONS: dict[str, Compression] = {"": None, ".gz": "gzip", ".zst": "zstd"}
_KINDS: dict[str, LayoutKind] = {
    **dict.fromkeys((".jsonl", ".ndjson", ".json", ".vcon"), "lines"),
    **dict.fromkeys((".csv", ".tsv"), "table"),
    **dict.fromkeys((".txt", ".srt", ".vtt"), "text"),
}

SUFFIXES: dict[str, Format] = {
    **dict.fromkeys((".parquet", ".parq", ".pq", ".arrow"), Format("parquet", None)),
    **{
        suffix + packed: Format("jsonl", compression, kind)
        for packed, compression in _COMPRESSIONS.items()
        for suffix, kind in _KINDS.items()
    },
}

SIGNATURES = {
    b"\x1f\x8b": "gzip",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"PAR1": "Parquet",
    b"PK\x03\x04": "zip",
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    **dict.fromkeys((b"\xff\xfe", b"\xfe\xff", b"{\0", b"\0{"), "UTF-16"),
}


def signature(head: bytes) -> str | None:
    """Return the type of a file by its first bytes; None if unknown.

    >>> signature(b"PAR1 and so on")
    'Parquet'
    """
    return next((name for magic, name in SIGNATURES.items() if head.startswith(magic)), None)


def format_of(url: str) -> Format | None:
    """Return the format of a file; None if its suffix is unknown.

    >>> format_of("s3://calls/2025/Part-1.JSONL.gz")
    Format(encoding='jsonl', compression='gzip', kind='lines')
    """
    name = url.rsplit("/", 1)[-1].lower()
    return next((form for end, form in SUFFIXES.items() if name.endswith(end) and name != end), None)


def known_format(url: str) -> Format:
    """Return the format of a file.

    Raises:
        UserError: its suffix is unknown.
    """
    found = format_of(url)
    if found is None:
        raise UserError(f"{url}: unknown file type; rename it to end in {suffixes()}")
    return found


def is_document(url: str) -> bool:
    """Whether the suffix of a JSON file allows a record to go over several lines."""
    return not {"json", "vcon"}.isdisjoint(url.rsplit("/", 1)[-1].lower().split(".")[1:])


WHOLE_BYTES = 1 << 20  # files up to this size are hashed whole

SAMPLE_BYTES = 64 << 10
"""Of larger files, this much at the start, in the middle and at the end: a driver cannot read terabytes."""

_AT_ONCE = 16


def content_digests(files: Sequence[FileInfo]) -> list[str]:
    """A digest of each file in hexadecimal: of its size, and of its tag or, without one, its content.

    A tag is what an object store says of the content (``FileInfo.tag``). Of a large file without a tag, a
    change that neither moves a byte nor touches one of the three samples is not seen.
    """
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(_digest, files))


def _digest(file: FileInfo) -> str:
    digest = hashlib.sha256(f"{file.size} {file.tag}".encode())
    if not file.tag:
        with asking(file.url), open_read(file.url) as source:
            several = (0, file.size // 2, file.size - SAMPLE_BYTES) if file.size > WHOLE_BYTES else (0,)
            for start in several:
                source.seek(start)
                digest.update(source.read(SAMPLE_BYTES if len(several) > 1 else -1))
    return digest.hexdigest()
