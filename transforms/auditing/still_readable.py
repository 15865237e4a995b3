"""Findings of a first look that stay readable after replacement, at their new positions."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from tacenda.transforms.auditing.letters import Letters
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.token import TOKEN

_Kind = tuple[str, Likelihood, str]


def still_readable(unsure: Sequence[Finding], replaced: Sequence[Finding], new_text: str) -> list[Finding]:
    """The parts of findings that no replaced finding covers, as findings in the replaced text.

    Args:
        unsure: findings that were not replaced, in the original text of a cell.
        replaced: findings that were replaced, disjoint and sorted by start.
        new_text: the cell with a token for each of these.

    Raises:
        ValueError: there is no token for one of ``replaced``.
    """
    if not unsure:
        return []
    # Runs of unchanged original text: start, end, and by how much they moved.
    runs: list[tuple[int, int, int]] = []
    position = moved = 0
    for finding in replaced:
        runs.append((position, finding.start, moved))
        token = TOKEN.match(new_text, finding.start + moved)
        if token is None:
            raise ValueError("the text does not have the tokens of these findings")
        position, moved = finding.end, token.end() - finding.end
    runs.append((position, len(new_text) - moved, moved))
    letters = Letters(new_text)
    left: list[Finding] = []

    def note(run: int, finding: Finding) -> None:
        start, end, shift = runs[run]
        first, last = max(start, finding.start) + shift, min(end, finding.end) + shift
        if letters.any_in(first, last):
            left.append(finding._replace(start=first, end=last))

    starts, ends = [start for start, _, _ in runs], [end for _, end, _ in runs]
    over: dict[_Kind, list[tuple[int, int, Finding]]] = {}
    for finding in sorted(unsure):
        first, stop = bisect_right(ends, finding.start), bisect_left(starts, finding.end)
        if first < stop:
            note(first, finding)
        if first < stop - 1:
            note(stop - 1, finding)
        if first + 1 < stop - 1:
            kind = finding.info_type, finding.likelihood, finding.detector
            over.setdefault(kind, []).append((first + 1, stop - 1, finding))
    # One finding of each kind over a whole run is enough, however many there are.
    for several in over.values():
        reached = 0
        for first, stop, finding in sorted(several):
            for run in range(max(first, reached), stop):
                note(run, finding)
            reached = max(reached, stop)
    return left
