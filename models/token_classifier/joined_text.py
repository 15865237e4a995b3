"""JoinedText: the cells of a batch as one text, with its words and those the tokenizer has seen."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tacenda.models.token_classifier.token_columns import TokenColumns
from tacenda.models.token_classifier.white_space import white
from tacenda.transforms.text.segmentation import Segmentation

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class JoinedText:
    """Cells joined by newlines; cell ``i`` begins at ``origins[i]``."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.text = "\n".join(texts)
        steps = np.fromiter(map(len, texts), np.int64, len(texts)) + 1
        self.origins: Ints = np.zeros(len(texts) + 1, np.int64)
        np.cumsum(steps, out=self.origins[1:])
        self.words = Segmentation(self.text)

    def cells(self, places: Ints) -> Ints:
        """The cell that each place is in."""
        return np.searchsorted(self.origins, places, side="right") - 1

    @cached_property
    def spaces(self) -> Bools:
        """Which code points are white space."""
        return white(self.words.codes)

    @cached_property
    def in_written_address(self) -> Bools:
        """Which code points stand with an "@" in what white space bounds: a written e-mail address is whole."""
        chunk = np.cumsum(self.spaces)
        written = np.zeros(int(chunk[-1]) + 1, np.bool_)
        written[chunk[self.words.codes == ord("@")]] = True
        inside: Bools = written[chunk]
        return inside

    def tokens(self, encoded: TokenColumns) -> tuple[Ints, Ints]:
        """Where each token starts and ends."""
        shift = np.repeat(self.origins[:-1], np.diff(encoded.first_token))
        return encoded.starts + shift, encoded.ends + shift

    def unseen(self, encoded: TokenColumns) -> tuple[int, int]:
        """How many code points but white space lie outside all tokens, and how many words wholly do.

        Tokenizers drop control characters and accents, and those are no words; a word that none of its tokens
        reaches would go by unread.
        """
        starts, ends = self.tokens(encoded)
        steps = np.bincount(starts, minlength=len(self.words.codes) + 1).astype(np.int64)
        steps -= np.bincount(ends, minlength=len(steps))
        seen = np.cumsum(steps[:-1]) > 0
        missed = ~(seen | self.spaces)
        if not missed.any():
            return 0, 0
        before = np.zeros(len(seen) + 1, np.int64)
        np.cumsum(seen, out=before[1:])
        unread = np.flatnonzero(before[self.words.ends] == before[self.words.starts])
        words = (self.text[self.words.starts[i] : self.words.ends[i]] for i in unread.tolist())
        return int(missed.sum()), sum(any(map(str.isalnum, word)) for word in words)
