"""What of a column no token holds: a tokenizer that drops a word would let it go by unread."""

import numpy as np

from tacenda.models.token_classifier.token_columns import TokenColumns
from tacenda.transforms.text.column import TextColumn


def count_unseen(column: TextColumn, encoded: TokenColumns) -> tuple[int, int]:
    """How many code points but white space lie outside all tokens, and how many words wholly do.

    Tokenizers drop control characters and accents, and those are no words; a word that none of its tokens
    reaches would go by unread.
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
