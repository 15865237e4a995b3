"""How rich the language of a corpus is: tokens, types, lengths, and types by tokens as the corpus grows.

The type-token ratio falls with the size of a corpus, so corpora of different size are compared by samples of
equal size and by the curve at fixed numbers of tokens.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

CURVE = (500, 1_000, 2_000, 5_000, 10_000, 20_000)
"""Numbers of tokens at which the type-token ratio is reported."""

# A word, or one character of the scripts that are written without spaces between words.
_TOKEN = re.compile(r"[぀-ヿ㐀-䶿一-鿿豈-﫿฀-๿]|[^\W぀-ヿ㐀-䶿一-鿿豈-﫿฀-๿]+")


def tokens(text: str) -> list[str]:
    """Words in lower case; of Chinese, Japanese and Thai each character.

    >>> tokens("It's 5 o'clock"), tokens("今日は")
    (['it', 's', '5', 'o', 'clock'], ['今', '日', 'は'])
    """
    return _TOKEN.findall(text.casefold())


def priority(record: str, seed: int, sample: int) -> int:
    """A pseudo-random number below 2^63 for a record; a sample are the records with the smallest ones."""
    digest = hashlib.sha256(f"{seed}/{sample}/{record}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") >> 1


@dataclass
class Diversity:
    """Counts over records that add up in any order.

    ``lengths`` are in tokens. ``first`` holds the words of the records with the smallest priorities, as many as
    the curve needs.
    """

    records: int = 0
    words: Counter[str] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    first: list[tuple[int, list[str]]] = field(default_factory=list)

    def add(self, priority: int, words: Sequence[str]) -> None:
        """Count a record."""
        self.records += 1
        self.words.update(words)
        self.lengths[len(words)] += 1
        self.first.append((priority, list(words)))
        if len(self.first) > 2 * CURVE[-1]:
            self._trim()

    def merge(self, other: "Diversity") -> "Diversity":
        """Add other counts; returns itself."""
        self.records += other.records
        self.words += other.words
        self.lengths += other.lengths
        self.first += other.first
        self._trim()
        return self

    def _trim(self) -> None:
        self.first.sort()
        held = 0
        for place, (_, words) in enumerate(self.first):
            held += len(words)
            if held >= CURVE[-1]:
                del self.first[place + 1 :]
                return

    def figures(self) -> dict[str, Any]:
        """Records, tokens, types, mean and median length; the type-token ratio at each size that is reached."""
        self._trim()
        lengths = np.array(sorted(self.lengths.elements()), np.int64)
        in_order = [word for _, words in self.first for word in words]
        total = self.words.total()
        return {
            "records": self.records,
            "tokens": total,
            "types": len(self.words),
            "mean_length": round(float(lengths.mean()), 2),
            "median_length": float(np.median(lengths)),
            "type_token_ratio": round(len(self.words) / total, 4) if total else None,
            "curve": {str(n): round(len(set(in_order[:n])) / n, 4) for n in CURVE if n <= len(in_order)},
        }


def mean_and_deviation(samples: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Each figure of samples as ``[mean, standard deviation]`` (ddof 1; 0 for a single sample)."""
    return {
        name: mean_and_deviation([sample[name] for sample in samples])
        if name == "curve"
        else _spread([sample[name] for sample in samples])
        for name in samples[0]
        if all(name in sample and sample[name] is not None for sample in samples)
    }


def _spread(values: Sequence[float]) -> list[float]:
    deviation = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    return [round(float(np.mean(values)), 4), round(deviation, 4)]
