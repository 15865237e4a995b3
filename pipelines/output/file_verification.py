"""Check that the files of an output folder are those that its manifest describes."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tacenda.pipelines.output.output_folder import PARTS, WRITTEN, paths_in
from tacenda.pipelines.output.signing import HISTORY_FILE
from tacenda.pipelines.work.receipts import CORPUS, HELD, WORK_FOLDER
from tacenda.transforms.reading.heads import HEAD_BYTES
from tacenda.transforms.releasing.manifest import FILES_FILE, corpus_hash
from tacenda.transforms.storage.files import exists, list_folder, read_bytes
from tacenda.transforms.storage.layouts import DamagedError, rows_on_lines, table_layout
from tacenda.transforms.storage.locating import format_of
from tacenda.transforms.storage.opening import open_read
from tacenda.transforms.storage.tables import read_columns
from tacenda.transforms.writing.splitting import SPLIT_NAME

_CORPORA = (CORPUS, HELD)
_PART = re.compile(rf"(?:(?:{CORPUS}|{HELD})/{SPLIT_NAME.pattern}|{'|'.join(PARTS)})/part-[0-9A-Za-z._-]+")
"""Names of files that a run writes; other names in a manifest are reported and not read."""

_DRAW = re.compile(r"(?:draw-[0-9a-f]{16}-[0-9]{1,4}|(?:draw|redteam)-[0-9a-f]{16})\.json")
"""Records of samples drawn for reviewers, which the manifest does not list."""

_KNOWN = frozenset((*PARTS, *WRITTEN, WORK_FOLDER, HISTORY_FILE, ".change", ".adding"))
"""Names that an output folder may hold."""

_CHUNK = 8 << 20


def read_json(output: str, name: str) -> dict[str, Any] | None:
    """A JSON object of the output; None if it is missing or invalid."""
    if not exists(f"{output}/{name}"):
        return None
    try:
        content = json.loads(read_bytes(f"{output}/{name}"))
    except ValueError:
        return None
    return content if isinstance(content, dict) else None


def parts_of(output: str, folder: str) -> list[str]:
    """URLs of the parts in a folder of the output, in order."""
    return [url for url in list_folder(f"{output}/{folder}") if _name(url).startswith("part-")]


def wrong_files(output: str, manifest: Mapping[str, Any]) -> Iterator[str]:
    """All differences between the files and the manifest, a sentence each."""
    for key in ("units", "files", *(("sources",) if "sources" in manifest else ())):
        told = manifest[key]
        url = f"{output}/{_plain(told['file'])}"
        if not exists(url):
            yield f"{_plain(told['file'])} is not there"
        elif (found := _measure(url)) != (told["sha256"], told["rows"]):
            yield f"{_plain(told['file'])} is not as the manifest says: {_difference(told, *found)}"
    named = _named(output)
    if named is None:
        yield f"{FILES_FILE} cannot be read"
        return
    strange = sorted(path for path in named if not _PART.fullmatch(path))
    if strange:
        yield f"{FILES_FILE} names {len(strange)} files that no run writes"
    for path, told in sorted(named.items()):
        if path in strange:
            continue
        url = f"{output}/{path}"
        if not exists(url):
            yield f"{path} is not there"
        elif (found := _measure(url)) != (told["sha256"], told["rows"]):
            yield f"{path} is not as the manifest says: {_difference(told, *found)}"
    for folder in PARTS:
        for path in paths_in(output, folder):
            if path not in named and not _DRAW.fullmatch(_name(path)):
                yield f"{'/'.join(map(_plain, path.split('/')))} is not in the manifest"
    for url in list_folder(output):
        name = _name(url)
        if name not in _KNOWN:
            yield f"{_plain(name)} was not written by any run of ours: uploads and loaders would take it along"
    hashes = {path.partition("/")[2]: one["sha256"] for path, one in named.items() if _is_corpus(path)}
    told_hash = manifest.get("corpus", {}).get("sha256")
    if (corpus_hash(hashes) if hashes else None) != told_hash:
        yield "the corpus hash is not that of the files of the corpus"


def rows_in(output: str, *folders: str) -> int | None:
    """Number of rows in all files of some folders, by the manifest; None if it has no such files."""
    named = _named(output) or {}
    rows = [one["rows"] for path, one in named.items() if path.partition("/")[0] in folders]
    return sum(rows) if rows else None


def _named(output: str) -> dict[str, dict[str, Any]] | None:
    try:
        rows = read_columns(f"{output}/{FILES_FILE}", ["path", "sha256", "rows"]).to_pylist()
        return {row["path"]: row for row in rows}
    except (pa.ArrowException, OSError, KeyError, ValueError):
        return None


def _measure(url: str) -> tuple[str, int]:
    """The hash of a stored file and its number of rows, -1 if they cannot be counted."""
    digest = hashlib.sha256()
    with open_read(url) as file:
        while data := file.read(_CHUNK):
            digest.update(data)
    return digest.hexdigest(), _rows(url)


def _rows(url: str) -> int:
    form = format_of(url)
    try:
        with open_read(url) as file:
            if form is not None and form.encoding == "parquet":
                return int(pq.ParquetFile(file).metadata.num_rows)
            if form is not None and form.kind == "table":
                head = file.read(HEAD_BYTES)
                file.seek(0)
                chunks = iter(lambda: file.read(_CHUNK), b"")
                lines = rows_on_lines(chunks, table_layout(head, url).delimiter)
                return sum(data.count(b"\n") for data in lines) - 1
            stream: Any = file
            if form is not None and form.compression:
                stream = pa.CompressedInputStream(pa.PythonFile(file, mode="r"), form.compression)
            rows = 0
            while data := stream.read(_CHUNK):
                rows += bytes(data).count(b"\n")
            return rows
    except (pa.ArrowException, OSError, EOFError, ValueError, DamagedError):
        return -1


def _difference(told: Mapping[str, Any], sha256: str, rows: int) -> str:
    if sha256 != told["sha256"]:
        return "another hash"
    return f"{rows} rows, not {told['rows']}" if rows >= 0 else "its rows cannot be counted"


def _is_corpus(path: str) -> bool:
    return path.partition("/")[0] in _CORPORA


def _name(url: str) -> str:
    return url.rstrip("/").rsplit("/", 1)[-1]


def _plain(name: Any) -> str:
    """A file name that is safe to show and to use below the output; a placeholder for any other."""
    return (
        name if isinstance(name, str) and re.fullmatch(r"[0-9A-Za-z._-]{1,120}", name) else "(a strange name)"
    )
