"""Digests of input files, by which a later run tells whether a file is the one that was read."""

import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from tacenda.transforms.storage.locating import FileInfo
from tacenda.transforms.storage.opening import asking, open_read

WHOLE_BYTES = 1 << 20
"""Files up to this size are hashed whole."""

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
            if file.size <= WHOLE_BYTES:
                digest.update(source.read())
            else:
                for start in (0, file.size // 2, file.size - SAMPLE_BYTES):
                    source.seek(start)
                    digest.update(source.read(SAMPLE_BYTES))
    return digest.hexdigest()
