"""Read a user's terms, compile them once per machine, and map the table once per process."""

import hashlib
import io
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

import numpy as np

from tacenda.transforms.detecting.dictionaries.folding import (
    APOSTROPHES,
    FoldedWords,
    Folding,
    TermTable,
)
from tacenda.transforms.detecting.settings import WordDictionary
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.files import read_bytes
from tacenda.transforms.storage.machine_cache import contents, fingerprint, get_or_build
from tacenda.transforms.storage.process_cache import built_once, built_once_for
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.words import joined

_INNER_APOSTROPHE = re.compile(rf"[{APOSTROPHES}](?<=[^\W\d_].)(?=[^\W\d_])")


def compile_terms(blocks: Iterable[Sequence[str]], folding: Folding = Folding.LOOSE) -> TermTable:
    """Compile the terms, given in blocks, into a table; terms without a letter or digit are skipped."""
    none = np.zeros(0, dtype=np.uint64)
    hashes, openings = [none], [none]
    for block in blocks:
        words = FoldedWords(TextColumn(_with_variants(block) if folding is Folding.LOOSE else block), folding)
        counts = np.diff(words.first_words)
        firsts, counts = words.first_words[:-1][counts > 0], counts[counts > 0]
        of_terms, length = words.hashes[firsts], 1
        while len(open_ := np.flatnonzero(counts > length)):
            openings.append(np.unique(of_terms[open_]))
            of_terms[open_] = joined(of_terms[open_], words.following[firsts[open_] + length])
            length += 1
        hashes.append(of_terms)
    return TermTable(np.unique(np.concatenate(hashes)), np.unique(np.concatenate(openings)))


def _with_variants(terms: Sequence[str]) -> Sequence[str]:
    """The terms, plus a variant without apostrophes of those that have one between letters (OBrien)."""
    places = [match.start() for match in _INNER_APOSTROPHE.finditer("\n".join(terms))]
    if not places:
        return terms
    ends = list(accumulate(len(term) + 1 for term in terms))
    spelled = sorted({bisect_right(ends, place) for place in places})
    return [*terms, *(_INNER_APOSTROPHE.sub("", terms[i]) for i in spelled)]


_BLOCK_BYTES = 1 << 20


def sha256_of(url: str) -> str:
    """The SHA-256 of a file as stored.

    Raises:
        UserError: it cannot be read.
    """
    return hashlib.sha256(_stored(url)).hexdigest()


def blocks_of_lines(url: str, expected_sha256: str) -> Iterator[list[str]]:
    """All lines, in blocks of about a megabyte.

    Raises:
        UserError: the file cannot be read, is not UTF-8, or does not have the expected hash.
    """
    stored = _stored(url)
    if hashlib.sha256(stored).hexdigest() != expected_sha256:
        raise UserError(f"dictionary {url}: was changed since the run began; start the run again")
    content = io.BytesIO(stored)
    line = 1
    while lines := content.readlines(_BLOCK_BYTES):
        block = b"".join(lines)
        try:
            yield block.decode().split("\n")
        except UnicodeDecodeError as error:
            line += block.count(b"\n", 0, error.start)
            raise UserError(
                f"dictionary {url} line {line}: not UTF-8; save the file as UTF-8 text, one term a line"
            ) from None
        line += len(lines)


def _stored(url: str) -> bytes:
    try:
        return read_bytes(url)
    except OSError as error:
        raise UserError(
            f"dictionary {url}: cannot be read ({type(error).__name__}); check the file"
        ) from None


@built_once_for(64)
def load(dictionary: WordDictionary, folding: Folding = Folding.LOOSE) -> TermTable:
    """The table of a dictionary.

    A file is identified by the hash of its content: ``dictionary.sha256``, or computed here. All processes of
    a machine share one compiled table; a machine without it builds the same from the URL.

    Raises:
        UserError: the file cannot be read as text, has no terms, or does not have the expected hash.
    """
    url = dictionary.url
    if url is None:
        return compile_terms([dictionary.words], folding)
    sha256 = dictionary.sha256 or sha256_of(url)

    def build() -> TermTable:
        table = compile_terms(blocks_of_lines(url, sha256), folding)
        if not len(table.hashes):
            raise UserError(f"dictionary {url}: has no terms; add one term a line or drop it")
        return table

    return get_or_build(f"terms-{sha256}-{folding.value}-{_rules()}", build)


@built_once
def _rules() -> str:
    """What determines a table besides the file; Python's Unicode version may differ between workers."""
    return fingerprint(unicodedata.unidata_version, contents(__package__))
