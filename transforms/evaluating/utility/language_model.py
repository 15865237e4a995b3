"""A small language model of words: trigrams, interpolated with bigrams and words.

``P(w | h) = (c(hw) + T(h) P(w | h')) / (c(h) + T(h))``, where T(h) is the number of different words seen
behind h (I. H. Witten and T. C. Bell, "The zero-frequency problem", 1991, method C). It has no parameters to
tune, so that differences are due to the texts.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import log

UNKNOWN = "<unknown>"
"""Any word that is not in the vocabulary."""

START = "<start>"
_ORDER = 3


def vocabulary_of(texts: Iterable[Sequence[str]], at_least: int = 2) -> frozenset[str]:
    """The words that occur at least so often, and the unknown one."""
    counts = Counter(word for text in texts for word in text)
    return frozenset({UNKNOWN, *(word for word, count in counts.items() if count >= at_least)})


class LanguageModel:
    """Learnt from texts as words; words outside of the vocabulary are all the same."""

    def __init__(self, texts: Iterable[Sequence[str]], vocabulary: frozenset[str]) -> None:
        self.vocabulary = vocabulary
        self._counts: Counter[tuple[str, ...]] = Counter()
        for text in texts:
            words = self._known(text)
            for i in range(_ORDER - 1, len(words)):
                for length in range(1, _ORDER + 1):
                    self._counts[tuple(words[i + 1 - length : i + 1])] += 1
        self._seen: Counter[tuple[str, ...]] = Counter()
        self._kinds: Counter[tuple[str, ...]] = Counter()
        for gram, count in self._counts.items():
            self._seen[gram[:-1]] += count
            self._kinds[gram[:-1]] += 1

    def has(self, word: str) -> bool:
        """Whether the word was in the texts."""
        return (word if word in self.vocabulary else UNKNOWN,) in self._counts

    def surprises(self, text: Sequence[str]) -> list[float]:
        """For each word, minus the logarithm of its probability behind those before it, in nats."""
        words = self._known(text)
        return [
            -log(self._probability(words[i - _ORDER + 1 : i], words[i]))
            for i in range(_ORDER - 1, len(words))
        ]

    def _known(self, text: Sequence[str]) -> list[str]:
        return [START] * (_ORDER - 1) + [word if word in self.vocabulary else UNKNOWN for word in text]

    def _probability(self, before: Sequence[str], word: str) -> float:
        probability = 1 / len(self.vocabulary)
        for length in range(len(before) + 1):
            history = tuple(before[len(before) - length :])
            seen, kinds = self._seen[history], self._kinds[history]
            if seen:
                gram = (*history, word)
                probability = (self._counts[gram] + kinds * probability) / (seen + kinds)
        return probability
