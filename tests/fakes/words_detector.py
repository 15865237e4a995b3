"""A detector that finds given words."""

from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn


class Words:
    """A detector of given words; raises if a text contains ``poison``."""

    name = "words"

    def __init__(self, poison: str | None = None, **words: str) -> None:
        self._words = words
        self._poison = poison

    def find(self, column: TextColumn) -> list[list[Finding]]:
        assert column.first_cell[-1] == len(column)
        if self._poison is not None and any(self._poison in text for text in column.texts):
            raise ValueError(f"choked on {self._poison}")
        return [
            [
                Finding(start, start + len(word), info_type, Likelihood.LIKELY, self.name)
                for word, info_type in self._words.items()
                if (start := text.find(word)) >= 0
            ]
            for text in column.texts
        ]
