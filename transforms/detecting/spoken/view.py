"""View: a text with its spoken runs written out, and offsets back to the original."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tacenda.transforms.detecting.spoken.runs import SpokenRun


@dataclass(frozen=True)
class View:
    """A text with some ranges rewritten.

    Piece ``k`` of ``text`` begins at ``starts[k]`` and comes from ``origins[k]`` (code points, half-open).
    ``rewritten[k]`` says that the piece differs from its origin; its parts have no individual origins.
    """

    text: str
    starts: tuple[int, ...]
    origins: tuple[tuple[int, int], ...]
    rewritten: tuple[bool, ...]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The original range of ``text[start:end]``; rewritten pieces count as a whole.

        Raises ``ValueError`` if the range is empty or not within the view.
        """
        if not 0 <= start < end <= len(self.text):
            raise ValueError(
                f"range {start}:{end} is empty or outside a view of {len(self.text)} code points"
            )
        return self._edge(start)[0], self._edge(end - 1)[1]

    def rewritings(self) -> Iterator[tuple[int, int]]:
        """The ranges of ``text`` that differ from their origins, in order."""
        for start, end, rewritten in zip(
            self.starts, (*self.starts[1:], len(self.text)), self.rewritten, strict=True
        ):
            if rewritten:
                yield start, end

    def _edge(self, place: int) -> tuple[int, int]:
        k = bisect_right(self.starts, place) - 1
        if self.rewritten[k]:
            return self.origins[k]
        first = self.origins[k][0] + place - self.starts[k]
        return first, first + 1


def written_out(text: str, runs: Sequence[SpokenRun]) -> View:
    """The text with its runs replaced by their values.

    >>> from tacenda.transforms.detecting.spoken.recognition import spoken_runs
    >>> said = "call four one five, five five five, oh one two three now"
    >>> view = written_out(said, spoken_runs(said))
    >>> view.text, said[slice(*view.original(5, 8))]
    ('call 4155550123 now', 'four one five, five five five, oh one two three')
    """
    pieces: list[tuple[str, tuple[int, int], bool]] = []
    last = 0
    for run in runs:
        pieces.append((text[last : run.start], (last, run.start), False))
        pieces.append((run.value, (run.start, run.end), True))
        last = run.end
    pieces.append((text[last:], (last, len(text)), False))
    kept = [piece for piece in pieces if piece[0]]
    starts = [0]
    for written, _, _ in kept[:-1]:
        starts.append(starts[-1] + len(written))
    return View(
        "".join(written for written, _, _ in kept),
        tuple(starts) if kept else (),
        tuple(origin for _, origin, _ in kept),
        tuple(rewritten for _, _, rewritten in kept),
    )
