"""Which split a conversation belongs to, by its own content.

The split follows from a keyed hash of the words, so that it is the same in every run and however the corpus
is divided; only the groups of near-duplicates depend on the others. The words are those of the turns before
anything was replaced, with infoTypes in the place of findings: two calls that differ only in names are equal
for a model that is trained on tokens, and surrogates would make equal calls differ. System prompts, and what
is beside the turns, are left out: they are the same in most conversations of a corpus.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson
import pyarrow as pa

from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.storage.json_values import SpelledNumber
from tacenda.transforms.writing.converting.dialogue import SYSTEM
from tacenda.transforms.writing.converting.roles import role_of
from tacenda.transforms.writing.splitting.groups import Keys, representatives
from tacenda.transforms.writing.splitting.near_duplicates import band_hashes, masked, words_of

STAGED = pa.schema(
    [
        pa.field("key", pa.uint64(), nullable=False),
        pa.field("rows", pa.int64(), nullable=False),
        pa.field("shared", pa.list_(pa.field("element", pa.uint64(), nullable=False)), nullable=False),
    ]
)
"""A row for each conversation of a unit, in the order of its corpus rows: its key, the number of its rows, and
hashes of what it may share with others."""

SPLIT_NAME = re.compile("[A-Za-z][A-Za-z0-9_]{0,31}")
"""Names of splits, as loaders take them; also names of folders."""

_WHOLE = 1 << 64


@dataclass(frozen=True, slots=True)
class Split:
    """How a corpus is split: ``shares`` are names with their share of the conversations, 1 in all.

    ``by`` names a field: conversations with an equal value stay together. ``key`` determines the split of
    each conversation.
    """

    shares: tuple[tuple[str, float], ...]
    by: str | None = None
    key: bytes = b""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the splits, the first one first."""
        return tuple(name for name, _ in self.shares)

    def table(
        self,
        batch: ConversationBatch,
        findings: Sequence[Sequence[Finding]],
        rows: Sequence[int],
        people: Sequence[Iterable[str]],
    ) -> pa.Table:
        """What is staged of a batch.

        Args:
            batch: the conversations with their original texts.
            findings: of each cell.
            rows: number of corpus rows of each conversation.
            people: for each conversation, the values (:func:`as_words`) of the field that keeps people
                together.
        """
        texts = [self._words(batch, findings, i) for i in range(len(batch))]
        keys = [self._hashed(b"\0".join(map(_bytes, words))) for words in texts]
        shared = band_hashes(texts).tolist()
        for of_one, words, values in zip(shared, texts, people, strict=True):
            if not words:
                of_one.clear()
            of_one += sorted({self._hashed(_bytes(value), b"person") for value in values if value})
        return pa.table([keys, list(rows), shared], schema=STAGED)

    def sides(self, keys: Keys, groups: Keys) -> list[int]:
        """The number of the split of each conversation, by their keys and all groups of near-duplicates."""
        bounds = np.cumsum([share for _, share in self.shares])[:-1]
        decided = [
            self._hashed(int(one).to_bytes(8, "big"), b"side") / _WHOLE
            for one in representatives(keys, groups)
        ]
        return [int(side) for side in np.searchsorted(bounds, decided, side="right")]

    def _words(self, batch: ConversationBatch, findings: Sequence[Sequence[Finding]], i: int) -> list[str]:
        return [
            word
            for cell in batch.cells(i)
            if batch.turns[cell] >= 0 and not _is_system(batch.speakers[cell])
            for word in words_of(masked(batch.texts[cell], findings[cell]))
        ]

    def _hashed(self, data: bytes, person: bytes = b"") -> int:
        digest = hashlib.blake2b(data, digest_size=8, key=self.key[:64], person=person).digest()
        return int.from_bytes(digest, "big")


def as_words(value: Any) -> str:
    """A value of a field as text, the same for equal values, however a number is spelled; empty for none.

    >>> as_words("P-7"), as_words(7), as_words(None), as_words({"b": 1, "a": 2})
    ('P-7', '7', '', '{"a":2,"b":1}')
    """
    if value is None or isinstance(value, str):
        return value or ""
    return orjson.dumps(value, _plain, orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS).decode()


def _plain(value: Any) -> Any:
    if type(value) is not SpelledNumber:
        return str(value)
    number = value.plain
    # Integers may have more digits than orjson writes.
    return number if type(number) is float else orjson.Fragment(str(number))


def _is_system(speaker: str | None) -> bool:
    try:
        return speaker is not None and role_of(speaker, {}) == SYSTEM
    except RecordError:
        return False


def _bytes(word: str) -> bytes:
    return word.encode("utf-8", "surrogatepass")
