"""Search again after normalising digits, full-width forms and broken lines.

Digits of other scripts and full-width forms are searched in plain forms, and values and names that are broken
over lines, or by characters that nobody sees, in one piece. The second search adds findings and takes none
away, so that a pattern of the user's that names such characters still finds them.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.readable import Unbroken, has_forms, in_plain_forms, may_be_broken

_CATCH_ALL = "NUMERIC"  # two numbers on two lines are no number


class _Cell(NamedTuple):
    """A cell in plain forms and in one piece; ``whole`` has its places, None if nothing was broken."""

    text: str
    has_forms: bool
    whole: Unbroken | None

    def findings(self, found: Sequence[Finding]) -> Iterator[Finding]:
        """What the first search could not find, in places of the original."""
        for finding in found:
            if self.whole is None:
                yield finding
                continue
            limits = self.whole.crossed(finding.start, finding.end)
            if limits is not None and finding.info_type != _CATCH_ALL:
                yield finding._replace(start=limits[0], end=limits[1])
            elif limits is None and self.has_forms:
                start, end = self.whole.places[finding.start], self.whole.places[finding.end - 1] + 1
                yield finding._replace(start=start, end=end)


class OtherWriting(NamedTuple):
    """Conversations with digits, wide forms and broken lines normalised, to be searched again.

    ``written`` has the cells of ``column`` that were written otherwise, each with its number in the original.
    """

    column: TextColumn
    written: dict[int, tuple[int, _Cell]]

    def add(self, found: Sequence[list[Finding]], further: Sequence[Sequence[Finding]]) -> None:
        """Add the findings of ``column`` to those of the original cells."""
        for own, (cell, written) in self.written.items():
            if more := set(written.findings(further[own])):
                found[cell][:] = sorted({*found[cell], *more})


def written_otherwise(column: TextColumn) -> OtherWriting | None:
    """The conversations that normalising changes; None if there are none."""
    any_forms = has_forms(column.text)
    if not any_forms and not may_be_broken(column.text):
        return None
    others: dict[int, _Cell] = {}
    for cell, text in enumerate(column.texts):
        whole, is_in_forms = column.unbroken(cell), any_forms and has_forms(text)
        if whole is not None or is_in_forms:
            others[cell] = _Cell(in_plain_forms(text) if whole is None else whole.text, is_in_forms, whole)
    if not others:
        return None
    numbers, first_cell = column.conversations_with(others)
    texts = [others[k].text if k in others else in_plain_forms(column.texts[k]) for k in numbers]
    written = {own: (cell, others[cell]) for own, cell in enumerate(numbers) if cell in others}
    return OtherWriting(TextColumn(texts, first_cell), written)
