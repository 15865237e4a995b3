"""TextColumn: the texts of a batch, read once for all detectors."""

from collections.abc import Sequence
from functools import cached_property

from tacenda.transforms.text.utf8 import Utf8Column


class TextColumn:
    """The cells of some conversations, as ``Detector.find`` takes them.

    What detectors need of the text is made when the first of them asks for it, and kept for the others. Pickles
    as its texts; a column is used by one thread at a time.

    Args:
        texts: the cells; offsets everywhere are code points of these.
        first_cell: conversation ``i`` owns the cells ``first_cell[i]:first_cell[i + 1]``, so that a context
            window may look into neighbouring turns of the same conversation and never into another. None: each
            cell is a conversation of its own.
    """

    def __init__(self, texts: Sequence[str], first_cell: Sequence[int] | None = None) -> None:
        self.texts = texts
        self.first_cell = range(len(texts) + 1) if first_cell is None else first_cell

    def __len__(self) -> int:
        return len(self.texts)

    def __reduce__(self) -> tuple[type["TextColumn"], tuple[Sequence[str], Sequence[int]]]:
        return TextColumn, (self.texts, self.first_cell)

    @property
    def size(self) -> int:
        """Code points of text."""
        return sum(map(len, self.texts))

    def conversations(self, begin: int, end: int) -> "TextColumn":
        """Some of the conversations, as a column of their own."""
        first, last = self.first_cell[begin], self.first_cell[end]
        return TextColumn(self.texts[first:last], [c - first for c in self.first_cell[begin : end + 1]])

    @cached_property
    def utf8(self) -> Utf8Column:
        """The cells as bytes, for regular expressions."""
        return Utf8Column(self.texts, self.first_cell)
