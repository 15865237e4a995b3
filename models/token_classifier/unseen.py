"""Count the characters and words that no token covers: a word that the tokenizer drops would go unchecked."""

import numpy as np

from tacenda.models.token_classifier.token_columns import TokenColumns
from tacenda.transforms.text.column import TextColumn


def count_unseen(column: TextColumn, encoded: TokenColumns) -> tuple[int, int]:
    """Number of non-white-space code points outside all tokens, and of words without any token.

    The former are normal, since tokenizers drop control characters and accents; the latter are errors.
    """
    starts, ends = encoded.places(column.origins)
    steps = np.bincount(starts, minlength=len(column.text) + 1).astype(np.int64)
    steps -= np.bincount(ends, minlength=len(steps))
    seen = np.cumsum(steps[:-1]) > 0
    missed = ~(seen | column.characters.spaces)
    if not missed.any():
        return 0, 0
    before = np.zeros(len(seen) + 1, np.int64)
    np.cumsum(seen, out=before[1:])
    words = column.words
    unread = np.flatnonzero(before[words.ends] == before[words.starts])
    texts = (column.text[words.starts[i] : words.ends[i]] for i in unread.tolist())
    return int(missed.sum()), sum(any(map(str.isalnum, text)) for text in texts)
