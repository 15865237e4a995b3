"""A classifier of texts by their words: multinomial naive Bayes with add-one smoothing.

A. McCallum and K. Nigam, "A comparison of event models for naive Bayes text classification", 1998.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from math import log


class Classifier:
    """Learnt from texts as words and their classes.

    Only words of ``vocabulary`` count: names that were invented for a version would make all others rarer.
    """

    def __init__(
        self, texts: Sequence[Sequence[str]], classes: Sequence[str], vocabulary: Collection[str]
    ) -> None:
        self._documents = Counter(classes)
        self._words: dict[str, Counter[str]] = {name: Counter() for name in sorted(self._documents)}
        for text, name in zip(texts, classes, strict=True):
            self._words[name].update(word for word in text if word in vocabulary)
        self._vocabulary = vocabulary
        self._totals = {name: counts.total() for name, counts in self._words.items()}

    def predict(self, text: Sequence[str]) -> str:
        """The likeliest class; of equally likely ones, the first by name."""
        known = [word for word in text if word in self._vocabulary]
        return max(self._words, key=lambda name: self._score(name, known))

    def _score(self, name: str, words: Sequence[str]) -> float:
        counts, all_words = self._words[name], self._totals[name] + len(self._vocabulary)
        return log(self._documents[name]) + sum(log((counts[word] + 1) / all_words) for word in words)
