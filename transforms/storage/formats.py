"""A file's encoding and compression, from its name."""

from typing import NamedTuple

from tacenda.transforms.schema.work_unit import Compression, Encoding, LayoutKind


class Format(NamedTuple):
    """Encoding and compression of a file; ``kind`` tells text files apart whose records are no JSON."""

    encoding: Encoding
    compression: Compression
    kind: LayoutKind = "lines"


_COMPRESSIONS: dict[str, Compression] = {"": None, ".gz": "gzip", ".zst": "zstd"}
_KINDS: dict[str, LayoutKind] = {
    ".jsonl": "lines",
    ".ndjson": "lines",
    ".json": "lines",
    ".vcon": "lines",
    ".csv": "table",
    ".tsv": "table",
    ".txt": "text",
}

SUFFIXES: dict[str, Format] = {
    ".parquet": Format("parquet", None),
    ".parq": Format("parquet", None),
    ".pq": Format("parquet", None),
    ".arrow": Format("parquet", None),
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
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
    b"{\0": "UTF-16",
    b"\0{": "UTF-16",
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
    for suffix, file_format in SUFFIXES.items():
        if name.endswith(suffix) and len(name) > len(suffix):
            return file_format
    return None


def is_document(url: str) -> bool:
    """Whether the suffix of a JSON file allows a record to go over several lines."""
    name = url.rsplit("/", 1)[-1].lower()
    return any(part in (".json", ".vcon") for part in (f".{step}" for step in name.split(".")[1:]))
