"""Keep tokens such as [PERSON_NAME_1] out of the training loss: a model reads them, and never writes them.

python docs/examples/masked_loss.py
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

IGNORED = -100
"""The label that losses of PyTorch, transformers and TRL leave out."""


class WithoutPlaceholders:
    """A data collator around another one, in whose batches the labels of placeholders are ignored.

    Args:
        collate: makes a batch with ``input_ids`` and ``labels``, of tensors or arrays.
        placeholders: the tokenizer's ids of the tokens in ``added_tokens.json``.
    """

    def __init__(self, collate: Callable[[Sequence[Any]], Any], placeholders: Collection[int]) -> None:
        self.collate = collate
        self.placeholders = frozenset(placeholders)

    def __call__(self, rows: Sequence[Any]) -> Any:
        batch = self.collate(rows)
        for placeholder in self.placeholders:
            batch["labels"][batch["labels"] == placeholder] = IGNORED
        return batch


def _toy(collate: Callable[[Sequence[Any]], Any], rows: Sequence[list[int]], words: int) -> Any:
    """Train a bigram model of softmax regression; returns the probability of each word after each other."""
    weights = np.zeros((words, words))
    batch = collate(rows)
    before, after = batch["input_ids"][:, :-1].ravel(), batch["labels"][:, 1:].ravel()
    before, after = before[after != IGNORED], after[after != IGNORED]
    for _ in range(300):
        chances = np.exp(weights) / np.exp(weights).sum(axis=1, keepdims=True)
        slope = np.eye(words)[after] - chances[before]
        np.add.at(weights, before, slope / len(rows))
    return chances


def main() -> None:
    """Train the toy model with and without the placeholders."""
    corpus = ["I am [PERSON_NAME_1] from [LOCATION_1] .", "Hello [PERSON_NAME_1] , I am here ."]
    known = {word: i for i, word in enumerate(dict.fromkeys(" ".join(corpus).split()))}
    rows = [[known[word] for word in text.split()] for text in corpus]
    placeholders = [i for word, i in known.items() if word.startswith("[")]

    def collate(rows: Sequence[list[int]]) -> dict[str, Any]:
        ids = np.array([row + rows[0][-1:] * (7 - len(row)) for row in rows])
        return {"input_ids": ids, "labels": ids.copy()}

    for name, collator in (("all", collate), ("masked", WithoutPlaceholders(collate, placeholders))):
        chances = _toy(collator, rows, len(known))
        print(f"{name}: a name after 'am' {chances[known['am'], known['[PERSON_NAME_1]']]:.2f},", end=" ")
        print(f"'here' {chances[known['am'], known['here']]:.2f}")


if __name__ == "__main__":
    main()
