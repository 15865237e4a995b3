"""Bands of MinHash signatures: near-duplicates have at least one band in common.

The signature is that of the set of three-word sequences of a text, 120 hashes in 20 bands of 6. Two texts
whose sets overlap by s (Jaccard) share a band with probability 1 − (1 − s⁶)²⁰: .01 at .3, .27 at .5, .92 at .7,
.998 at .8. Web pages are usually compared by five words and bands of 8 (datatrove); conversations are shorter,
and a copy with every twentieth word changed would mostly be missed. The hashes are those of rensa, whose major
version says when they change.
"""

import hashlib
import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.finding import Finding

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
    """The bands of some texts.

    Args:
        texts: the words of each.

    Returns:
        Hashes, a row a text and a column a band; texts without words have none that another text has.

    Raises:
        UserError: the library is not there.
    """
    try:
        from rensa import RMinHash
    except ImportError:
        raise UserError("--split: needs the package rensa; install it, as with pip install rensa") from None
    sets = [_shingles(words) for words in texts]
    hashes = np.zeros((len(sets), BANDS), dtype=np.uint64)
    if sets:
        signatures = np.asarray(
            RMinHash.digests_from_token_sets(sets, BANDS * ROWS, _SEED), dtype="<u4"
        ).reshape(len(sets), BANDS, ROWS)
        for band in range(BANDS):
            # A band with the number of its columns: equal hashes in different bands mean nothing.
            person = bytes([band])
            hashes[:, band] = [
                int.from_bytes(hashlib.blake2b(row.tobytes(), digest_size=8, person=person).digest(), "big")
                for row in signatures[:, band]
            ]
    return hashes


def _shingles(words: Sequence[str]) -> list[str]:
    """All sequences of three words; of a shorter text, its words as one."""
    last = max(len(words) - _WORDS, 0)
    return [" ".join(words[i : i + _WORDS]) for i in range(last + 1)]
