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
import numpy.typing as npt
import orjson
import pyarrow as pa

from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.storage.json_values import SpelledNumber
from tacenda.transforms.writing.columns import schema_of
from tacenda.transforms.writing.converting import SYSTEM, role_of

Keys = npt.NDArray[np.uint64]

NO_GROUPS: Keys = np.empty((0, 2), dtype=np.uint64)


def links(values: Keys, keys: Keys) -> Keys:
    """Links between records that have a value in common, as two keys: each to the smallest with that value.

    ``values`` are hashes, in any order and repeated as may be, ``keys`` the record that each belongs to.
    """
    order = np.lexsort((keys, values))
    values, keys = values[order], keys[order]
    begins = np.append(True, values[1:] != values[:-1])[: len(values)]
    firsts = keys[np.maximum.accumulate(np.where(begins, np.arange(len(keys)), 0))]
    pairs = np.stack([firsts, keys], axis=1)[firsts != keys]
    return np.unique(pairs, axis=0) if len(pairs) else NO_GROUPS


def joined(pairs: Keys) -> Keys:
    """Each record of a group with the smallest key of its group, in the order of keys.

    Groups may be joined again with others: the result is a list of links that says the same.

    >>> joined(np.array([[1, 2], [5, 6], [2, 9]], dtype=np.uint64)).tolist()
    [[1, 1], [2, 1], [5, 5], [6, 5], [9, 1]]
    """
    if not len(pairs):
        return NO_GROUPS
    nodes, places = np.unique(pairs, return_inverse=True)
    parents = list(range(len(nodes)))

    def root(place: int) -> int:
        while parents[place] != place:
            parents[place] = parents[parents[place]]
            place = parents[place]
        return place

    for one, other in np.reshape(places, (-1, 2)).tolist():
        first, second = sorted((root(one), root(other)))
        parents[second] = first
    roots = [root(place) for place in range(len(nodes))]
    return np.stack([nodes, nodes[roots]], axis=1)


def representatives(keys: Keys, groups: Keys) -> Keys:
    """The smallest key of the group of each record (:func:`joined`): its own without a group."""
    if not len(groups):
        return keys
    nodes = groups[:, 0]
    places = np.minimum(np.searchsorted(nodes, keys), len(nodes) - 1)
    return np.where(nodes[places] == keys, groups[places, 1], keys)


BANDS, ROWS = 20, 6
_WORDS = 3
_SEED = 1

# Of scripts without spaces between words, each character counts as one.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")


def masked(text: str, findings: Sequence[Finding]) -> str:
    """A text with the infoType in the place of each finding, whatever replaces it in the corpus.

    >>> from tacenda.transforms.schema.likelihood import Likelihood
    >>> masked("I am Ann.", [Finding(5, 8, "PERSON_NAME", Likelihood.LIKELY, "rules")])
    'I am  PERSON_NAME .'
    """
    if not findings:
        return text
    pieces, end = [], 0
    for finding in sorted(findings, key=lambda one: (one.start, -one.end)):
        if finding.start >= end:
            pieces += [text[end : finding.start], finding.info_type]
        end = max(end, finding.end)
    return " ".join([*pieces, text[end:]])


def words_of(text: str) -> list[str]:
    """The words of a text, in lower case; characters of scripts that write no spaces.

    >>> words_of("Hi there, 你好!")
    ['hi', 'there', '你', '好']
    """
    return _WORD.findall(text.casefold())


def band_hashes(texts: Sequence[Sequence[str]]) -> npt.NDArray[np.uint64]:
    """Hashes of the words of some texts, a row a text and a column a band; equal ones mean near-duplicates.

    Raises:
        UserError: the library is not there.
    """
    try:
        from rensa import RMinHash
    except ImportError:
        raise UserError("--split: needs the package rensa; install it, as with pip install rensa") from None
    # All sequences of three words; of a shorter text, its words as one.
    last = [max(len(words) - _WORDS, 0) + 1 for words in texts]
    sets = [[" ".join(words[i : i + _WORDS]) for i in range(n)] for words, n in zip(texts, last, strict=True)]
    hashes = np.zeros((len(sets), BANDS), dtype=np.uint64)
    if sets:
        digests = RMinHash.digests_from_token_sets(sets, BANDS * ROWS, _SEED)
        signatures = np.asarray(digests, dtype="<u4").reshape(len(sets), BANDS, ROWS)
        for band in range(BANDS):
            # Equal hashes in different bands mean nothing.
            hashes[:, band] = [_hashed(row.tobytes(), person=bytes([band])) for row in signatures[:, band]]
    return hashes


def _hashed(data: bytes, key: bytes = b"", person: bytes = b"") -> int:
    digest = hashlib.blake2b(data, digest_size=8, key=key[:64], person=person).digest()
    return int.from_bytes(digest, "big")


_SHARED = pa.list_(pa.field("element", pa.uint64(), nullable=False))
STAGED = schema_of("key uint64, rows int64, shared shared", shared=_SHARED)
"""A row for each conversation of a unit, in the order of its corpus rows: its key, the number of its rows, and
hashes of what it may share with others."""

SPLIT_NAME = re.compile("[A-Za-z][A-Za-z0-9_]{0,31}")  # as loaders take them; also folders

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
        return tuple(name for name, _ in self.shares)

    def table(
        self,
        batch: ConversationBatch,
        findings: Sequence[Sequence[Finding]],
        rows: Sequence[int],
        people: Sequence[Iterable[str]],
    ) -> pa.Table:
        """What is staged of a batch with its original texts.

        ``findings`` are those of each cell, ``rows`` the number of corpus rows of each conversation, ``people``
        the values (:func:`as_words`) of the field that keeps people together.
        """
        texts = [
            [
                word
                for cell in batch.cells(i)
                if batch.turns[cell] >= 0 and not _is_system(batch.speakers[cell])
                for word in words_of(masked(batch.texts[cell], findings[cell]))
            ]
            for i in range(len(batch))
        ]
        keys = [_hashed(b"\0".join(map(_bytes, words)), self.key) for words in texts]
        shared = band_hashes(texts).tolist()
        for of_one, words, values in zip(shared, texts, people, strict=True):
            if not words:
                of_one.clear()
            of_one += sorted({_hashed(_bytes(value), self.key, b"person") for value in values if value})
        return pa.table([keys, list(rows), shared], schema=STAGED)

    def sides(self, keys: Keys, groups: Keys) -> list[int]:
        """The number of the split of each conversation, by their keys and all groups of near-duplicates."""
        bounds = np.cumsum([share for _, share in self.shares])[:-1]
        several = (one.to_bytes(8, "big") for one in representatives(keys, groups).tolist())
        decided = [_hashed(one, self.key, b"side") / _WHOLE for one in several]
        return [int(side) for side in np.searchsorted(bounds, decided, side="right")]


def as_words(value: Any) -> str:
    """A value of a field as text, the same for equal values, however a number is spelled; empty for none.

    >>> as_words("P-7"), as_words(7), as_words(None), as_words({"b": 1, "a": 2})
    ('P-7', '7', '', '{"a":2,"b":1}')
    """
    if value is None or isinstance(value, str):
        return value or ""
    return orjson.dumps(value, _plain, orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS).decode()


def _plain(value: Any) -> Any:
    number = value.plain if type(value) is SpelledNumber else str(value)
    # Integers may have more digits than orjson writes.
    return orjson.Fragment(str(number)) if type(number) is int else number


def _is_system(speaker: str | None) -> bool:
    try:
        return speaker is not None and role_of(speaker, {}) == SYSTEM
    except RecordError:
        return False


def _bytes(word: str) -> bytes:
    return word.encode("utf-8", "surrogatepass")
