"""Search conversations with digits of other scripts or full-width forms once more, in plain forms.

The second search adds findings and takes none away, so that a pattern of the user's that names such characters
still finds them.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.plain_forms import has_forms, in_plain_forms


class PlainWriting(NamedTuple):
    """Some conversations in plain forms.

    ``asked`` are the cells of ``column`` that were written otherwise, ``cells`` the original number of each
    cell.
    """

    column: TextColumn
    asked: list[int]
    cells: list[int]

    def add(self, found: Sequence[list[Finding]], further: Sequence[Sequence[Finding]]) -> None:
        """Add the findings of ``column`` to those of the original cells; offsets are the same."""
        for own in self.asked:
            cell = self.cells[own]
            if further[own]:
                found[cell][:] = sorted({*found[cell], *further[own]})


def written_plainly(column: TextColumn, asked: Sequence[int] | None = None) -> PlainWriting | None:
    """The conversations of the asked cells (None: all) that are written otherwise; None if there are none."""
    if not has_forms(column.text):
        return None
    wanted = range(len(column)) if asked is None else asked
    cells = [cell for cell in wanted if has_forms(column.texts[cell])]
    texts: list[str] = []
    first_cell = [0]
    numbers: list[int] = []
    place: dict[int, int] = {}
    for conversation in sorted({bisect_right(column.first_cell, cell) - 1 for cell in cells}):
        for cell in range(column.first_cell[conversation], column.first_cell[conversation + 1]):
            place[cell] = len(texts)
            numbers.append(cell)
            texts.append(in_plain_forms(column.texts[cell]))
        first_cell.append(len(texts))
    if not cells:
        return None
    return PlainWriting(TextColumn(texts, first_cell), [place[cell] for cell in cells], numbers)
