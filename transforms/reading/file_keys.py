"""Keys of input files, for the ids of records that have none."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile

_DIGITS, _MORE_DIGITS = 8, 32


def file_keys(urls: Sequence[str]) -> list[str]:
    """A unique hexadecimal key for each file: eight digits, or 32 if two files would share the eight.

    The key depends on the file's name if that is unique, so that a moved corpus keeps its ids; otherwise on
    its path below the common folder of all files.

    >>> file_keys(["s3://bucket/a/1.jsonl"]) == file_keys(["/data/1.jsonl"])
    True
    >>> one, other = file_keys(["/data/a/1.jsonl", "/data/b/1.jsonl"])
    >>> one == other
    False
    """
    folders = [url.split("/")[:-1] for url in urls]
    steps = takewhile(lambda step: len(set(step)) == 1, zip(*folders, strict=False))
    shared = "".join(f"{step[0]}/" for step in steps)
    names = [url.rpartition("/")[2] for url in urls]
    count = Counter(names)
    digests = [
        _digest(name if count[name] == 1 else url.removeprefix(shared))
        for url, name in zip(urls, names, strict=True)
    ]
    # Among a hundred thousand files, a collision of eight digits is more likely than not.
    files_of = Counter(digest[:_DIGITS] for digest in digests)
    return [digest[: _DIGITS if files_of[digest[:_DIGITS]] == 1 else _MORE_DIGITS] for digest in digests]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
